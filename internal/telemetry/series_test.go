package telemetry_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/telemetry"
	"pgregory.net/rapid"
)

// Requests that share series come to what each of them comes to by itself, however many are counted at once.
func TestSharedSeries(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(drawObservation), 1, 40).Draw(t, "requests")
		want := map[string]float64{}
		for _, o := range all {
			one := newMetrics()
			one.End(context.Background(), o)
			for series, v := range figures(test, one) {
				want[series] += v
			}
		}
		m := newMetrics()
		var wg sync.WaitGroup
		for _, o := range all {
			wg.Go(func() { m.End(context.Background(), o) })
		}
		wg.Wait()
		if got := figures(test, m); !maps.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	})
}

// Requests that were settled before prices change cost what they did.
func TestPricesChange(t *testing.T) {
	usd := 1.0
	m := telemetry.NewMetrics(telemetry.MetricsConfig{Price: func(callwright.ModelID, callwright.Usage) (float64, bool) { return usd, true }})
	m.End(t.Context(), passed())
	m.Settle()
	usd = 10
	m.End(t.Context(), passed())
	if got := figures(t, m)["callwright_spend_usd_total{model=lab/m,provider=lab}"]; got != 11 {
		t.Errorf("got %v", got)
	}
}

func newMetrics() *telemetry.Metrics {
	return telemetry.NewMetrics(telemetry.MetricsConfig{Models: []string{"mine"}, Price: priced})
}

// figures are those of requests and attempts that there are.
func figures(t testing.TB, m *telemetry.Metrics) map[string]float64 {
	srv := httptest.NewServer(m.Handler())
	defer http.DefaultClient.CloseIdleConnections()
	defer srv.Close()
	got := scrape(t, srv)
	maps.DeleteFunc(got, func(series string, _ float64) bool {
		return !strings.HasPrefix(series, "callwright_") || strings.HasPrefix(series, "callwright_build") || strings.HasPrefix(series, "callwright_config")
	})
	return got
}

// drawObservation draws a request that has ended. Whether a name gets a label of its own depends on what was answered before, so that here a
// model either fails or answers.
func drawObservation(t *rapid.T) gateway.Observation {
	began := time.Now()
	o := gateway.Observation{
		Method: http.MethodGet, Began: began, Ended: began.Add(time.Second), Written: rapid.Int64Range(0, 1000).Draw(t, "written"),
		Wire:    rapid.SampledFrom([]callwright.WireName{"", callwright.WireOpenAI, callwright.WireAnthropic}).Draw(t, "wire"),
		Model:   rapid.SampledFrom([]callwright.ModelID{"", "mine"}).Draw(t, "model"),
		Status:  rapid.SampledFrom([]int{http.StatusOK, http.StatusNotFound}).Draw(t, "status"),
		Aborted: rapid.Bool().Draw(t, "aborted"), Streamed: rapid.Bool().Draw(t, "streamed"),
	}
	if rapid.Bool().Draw(t, "pieces") {
		o.FirstContent = began.Add(time.Millisecond)
	}
	n := rapid.IntRange(0, 3).Draw(t, "attempts")
	o.Report = &callwright.Report{}
	for range n {
		count := rapid.IntRange(0, 2)
		a := callwright.Attempt{Model: rapid.SampledFrom([]callwright.ModelID{"sim/a", "lab/a"}).Draw(t, "served"), Tries: count.Draw(t, "tries"),
			Why: rapid.SampledFrom([]string{"first", callwright.AttemptFallback, callwright.AttemptCorrection, "without images", "without seed"}).Draw(t, "why"),
			Usage: callwright.Usage{Known: rapid.Bool().Draw(t, "known"), Input: count.Draw(t, "input"), CacheRead: count.Draw(t, "cached"),
				CacheWrite: count.Draw(t, "cache write"), Output: count.Draw(t, "output"), Reasoning: count.Draw(t, "reasoning")}}
		if rapid.Bool().Draw(t, "failed") {
			a.Model, a.Kind = "lab/gone", callwright.KindUnavailable
		}
		o.Report.Attempts = append(o.Report.Attempts, a)
	}
	if rapid.Bool().Draw(t, "healed") {
		o.Report.Notes = []callwright.Note{{Rule: "dialect.hermes", Fault: "F02", Risk: "implied"}}
	}
	return o
}

// Calls that call rules fit are counted by the rule and by what became of them; of many rules some have no series of their own, and what was only observed
// does not count.
func TestCallRuleSeries(t *testing.T) {
	m := newMetrics()
	one := func(notes ...callwright.Note) {
		o := passed()
		rep := *o.Report
		rep.Notes = notes
		o.Report = &rep
		m.End(t.Context(), o)
	}
	one(callwright.Note{Rule: callcheck.RuleRefused, Now: "no-delete", Count: 3}, callwright.Note{Rule: callcheck.RuleParked, Now: "big"}, callwright.Note{Rule: callcheck.RuleFailed, Now: "no-delete"})
	one(callwright.Note{Rule: callcheck.RuleRefused, Now: "no-delete"}, callwright.Note{Rule: callcheck.RuleRefused, Now: "big", Observed: true}, callwright.Note{Rule: "correct.refused", Now: "no-delete"})
	for i := range 200 {
		one(callwright.Note{Rule: callcheck.RuleRefused, Now: fmt.Sprint("rule-", i)})
	}
	got := figures(t, m)
	for series, want := range map[string]float64{
		"{outcome=refused,rule=no-delete}": 4, "{outcome=parked,rule=big}": 1, "{outcome=failed,rule=no-delete}": 1, "{outcome=refused,rule=big}": 0, "{outcome=refused,rule=other}": 102,
	} {
		if have := got["callwright_call_rules_total"+series]; have != want {
			t.Errorf("%s: got %v, want %v", series, have, want)
		}
	}
}

// Claims that no call supports are counted by their kind, those of notes that stand for several each.
func TestClaimSeries(t *testing.T) {
	m := newMetrics()
	o := passed()
	rep := *o.Report
	rep.Notes = []callwright.Note{{Rule: "claim.without_call", Why: "done: nothing was called", Count: 2}, {Rule: "claim.without_call", Why: "tests: no call ran tests"},
		{Rule: "claim.without_call", Why: "another"}, {Rule: "dialect.unread", Why: "done: no"}}
	o.Report = &rep
	m.End(t.Context(), o)
	sum := map[string]float64{}
	for series, n := range figures(t, m) {
		if strings.HasPrefix(series, "callwright_claims_total{") {
			for _, kind := range []string{"done", "tests", "quoted", "failed"} {
				if strings.Contains(series, "kind="+kind) {
					sum[kind] += n
				}
			}
			sum["all"] += n
		}
	}
	if sum["done"] != 2 || sum["tests"] != 1 || sum["all"] != 3 {
		t.Errorf("%v", sum)
	}
}
