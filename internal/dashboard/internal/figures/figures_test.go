package figures_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// cost knows the price of one model: a dollar a token of input.
func cost(m callwright.ModelID, u callwright.Usage) (float64, bool) {
	return float64(u.Input), m == "lab/served"
}

// Each request counts in its slot and in all: by its outcome, with its time, its tokens and what they cost by the model that served it.
func TestMake(t *testing.T) {
	kept := archive.NewMemoryReports(func() time.Time { return noon }, archive.Limits{})
	for i := range 10 {
		r := &archive.Report{Time: noon.Add(-time.Duration(i) * 6 * time.Minute), Duration: time.Duration(i+1) * time.Second, Usage: archive.Usage{Input: 10, CacheRead: 4, Output: 2},
			Report: &callwright.Report{ID: fmt.Sprint(i), Model: "fast", Untouched: i < 2, Attempts: []callwright.Attempt{{Model: "lab/first", Mode: caps.Native, Why: callwright.AttemptFirst, Kind: callwright.KindServer}, {Model: "lab/served", Mode: caps.Text, Why: callwright.AttemptFallback}, {Model: "lab/served", Why: callwright.AttemptCorrection, Duration: time.Second}},
				Notes: []callwright.Note{{Rule: "json.quotes", Stage: callwright.StageValidate, Risk: callwright.RiskLossless, Fault: "F18", Count: 2}, {Rule: "found"}, {Rule: "seen", Risk: callwright.RiskLossless, Observed: true}}}}
		if i < 3 {
			r.Report.Notes = r.Report.Notes[1:] // nothing was healed
		}
		if i == 9 {
			r.Failed, r.Report.Attempts = callwright.KindTimeout, r.Report.Attempts[:1]
		}
		if err := kept.Keep(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := figures.Make(t.Context(), kept, noon, time.Hour, 2, cost)
	if err != nil {
		t.Fatal(err)
	}
	latency := func(p50, p90, p99 int) figures.Latency {
		return figures.Latency{P50: time.Duration(p50) * time.Second, P90: time.Duration(p90) * time.Second, P99: time.Duration(p99) * time.Second}
	}
	want := &figures.Figures{
		Since: noon.Add(-time.Hour), Requests: 10, Outcomes: figures.Outcomes{Passed: 2, Translated: 1, Healed: 6, Failed: 1}, Latency: latency(5, 9, 10), Tokens: figures.Tokens{Input: 100, CacheRead: 40, Output: 20, USD: 100, Unpriced: 1},
		Corrections: 9, Fallbacks: 9, HealingTime: 9 * time.Second, MostInSlot: 6, SlotTime: 30 * time.Minute,
		Rules: []figures.Count{{Name: "json.quotes", N: 6}}, Faults: []figures.Count{{Name: "F18", N: 6}},
		Uses: []figures.Use{
			{Model: "lab/first", Names: []callwright.ModelID{"fast"}, Outcomes: figures.Outcomes{Failed: 1}, MovedOn: 9, MovedBy: []figures.Fault{{Kind: callwright.KindServer, N: 9}}, Latency: latency(10, 10, 10),
				Tokens: figures.Tokens{Input: 10, CacheRead: 4, Output: 2, USD: 10, Unpriced: 1}, Modes: []figures.Count{{Name: "native", N: 10}}, Errors: []figures.Fault{{Kind: callwright.KindTimeout, N: 1}}},
			{Model: "lab/served", Names: []callwright.ModelID{"fast"}, Outcomes: figures.Outcomes{Passed: 2, Translated: 1, Healed: 6}, Latency: latency(5, 9, 9),
				Tokens: figures.Tokens{Input: 90, CacheRead: 36, Output: 18, USD: 90}, Modes: []figures.Count{{Name: "text", N: 9}}, Classes: []figures.Count{{Name: "F18", N: 6}}},
		},
		Slots: []figures.Slot{
			{Began: noon.Add(-time.Hour), Outcomes: figures.Outcomes{Healed: 3, Failed: 1}, Latency: latency(8, 10, 10), Tokens: figures.Tokens{Input: 40, CacheRead: 16, Output: 8, USD: 40, Unpriced: 1}},
			{Began: noon.Add(-30 * time.Minute), Outcomes: figures.Outcomes{Passed: 2, Translated: 1, Healed: 3}, Latency: latency(3, 6, 6), Tokens: figures.Tokens{Input: 60, CacheRead: 24, Output: 12, USD: 60}},
		},
	}
	if d := cmp.Diff(want, f, cmpopts.IgnoreUnexported(figures.Figures{}, figures.Slot{}), cmpopts.IgnoreFields(figures.Count{}, "Doc")); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if f.AnsweredCount() != 9 || f.Slots[0].Total() != 4 || f.Fresh() != 60 {
		t.Errorf("got %d, %d and %d", f.AnsweredCount(), f.Slots[0].Total(), f.Fresh())
	}
}

// endless lists as many reports as it is asked for.
type endless struct{ listed int }

func (e *endless) List(_ context.Context, q archive.Query) ([]*archive.Report, error) {
	out := make([]*archive.Report, q.Most())
	for i := range out {
		out[i] = &archive.Report{Time: noon.Add(-time.Second)}
	}
	e.listed += len(out)
	return out, nil
}

// However many reports there are, a bounded number is read.
func TestMakeIsBounded(t *testing.T) {
	many := &endless{}
	f, err := figures.Make(t.Context(), many, noon, time.Hour, 10, nil)
	if err != nil || !f.Cut || f.Requests != figures.MostReports || many.listed != figures.MostReports || f.Unpriced != figures.MostReports {
		t.Errorf("%d reports were read: %v", many.listed, err)
	}
}
