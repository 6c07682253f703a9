package dashboard_test

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/outcome"
	"pgregory.net/rapid"
)

// A use is a request of the pages of models: the model asked for, those that were tried, and what became of it.
type use struct {
	asked  callwright.ModelID
	tried  []callwright.ModelID
	came   outcome.Outcome
	failed callwright.Kind
}

// keep keeps the reports of requests, one a minute before noon.
func keep(t testing.TB, uses []use) archive.Reports {
	t.Helper()
	kept := archive.NewMemoryReports(clock, archive.Limits{})
	for i, u := range uses {
		rep := &callwright.Report{ID: fmt.Sprintf("rep_%d", i), Model: u.asked}
		for k, m := range u.tried {
			a := callwright.Attempt{Model: m, Mode: caps.Native, Why: callwright.AttemptFirst}
			if k < len(u.tried)-1 {
				a.Kind = callwright.KindOverloaded
			}
			if k > 0 {
				a.Why = callwright.AttemptFallback
				rep.Notes = append(rep.Notes, callwright.Note{Rule: "plan.fallback", Stage: callwright.StagePlan})
			}
			rep.Attempts = append(rep.Attempts, a)
		}
		if u.came == outcome.Healed {
			rep.Notes = append(rep.Notes, callwright.Note{Rule: "json.trailing_comma", Stage: callwright.StageValidate}.Classify())
		}
		r := &archive.Report{Time: noon.Add(-time.Duration(i+1) * time.Minute), Duration: 240 * time.Millisecond, Outcome: u.came, Failed: u.failed, Usage: archive.Usage{Input: 12_300, Output: 10}, Report: rep}
		if err := kept.Keep(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	return kept
}

// modelsOf is a configuration of three models, an alias among them, and the requests that used some.
func modelsOf(t testing.TB, uses []use) dashboard.Config {
	t.Helper()
	prices := access.NewPrices([]access.PriceRow{{Models: "lab/a", Price: access.Price{Input: 0.25, Output: 2}}})
	gate, err := access.New(access.Config{Now: clock, Prices: prices})
	if err != nil {
		t.Fatal(err)
	}
	models := &fakeModels{list: []dashboard.Model{
		{Name: "fast", Target: "lab/a", Fallbacks: []callwright.ModelID{"lab/b"}},
		{Name: "lab/a", Facts: map[string]string{"max_context": "131072 (shipped)", "json_schema": "no (learned)", "mode_success": "native=3+0 (learned)"}, Found: []caps.Fact{{Key: "json_schema", Value: "no", Source: caps.Learned, Seen: noon.Add(-time.Hour), Evidence: "400: no such field"}}},
		{Name: "lab/idle", Problem: "the key is missing"},
	}}
	return dashboard.Config{Access: gate, Models: models, Reports: keep(t, uses), Now: clock}
}

// The page has a row for each model that was used, with what became of its requests in numbers for people, and the others below.
func TestModels(t *testing.T) {
	a, b := []callwright.ModelID{"lab/a"}, []callwright.ModelID{"lab/a", "lab/b"}
	cfg := modelsOf(t, []use{
		{"fast", a, outcome.Passed, ""}, {"fast", a, outcome.Healed, ""}, {"lab/a", a, outcome.Failed, callwright.KindRateLimited}, {"fast", b, outcome.Translated, ""},
		{"typo", nil, outcome.Failed, callwright.KindNotFound},
	})
	body := newBrowser(t, cfg).get("/ui/models").body
	body = html.UnescapeString(strings.NewReplacer("<b>", "", "</b>", "").Replace(body))
	for _, want := range []string{
		`<span class="name">lab/a</span>`, "4 requests", "50 % answered", "25 % healed", "240 ms median", "36.9 k tokens in", "30 out", "$0.0093 spend", "131 k tokens", "$0.25 in, $2.00 out a million tokens",
		`<dt>Mode</dt><dd>native</dd>`, `<code>json_schema</code> no <small>learned 1 h ago: 400: no such field</small>`, `<a href="/ui/models/fast">fast</a>`, "broken JSON 1",
		`1 failed: <a href="/ui/traces?age=24h&error=rate_limited&model=lab%2Fa&outcome=failed">rate limited 1</a>; <a href="/ui/traces?age=24h&model=lab%2Fa&rule=plan.fallback">1 request passed to a fallback</a>: overloaded 1`,
		`<span class="name">lab/b</span>`, `<span class="name">typo</span>`, "not found 1", "1 model not used in the last day", "lab/idle", "the key is missing",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(body, "mode_success") {
		t.Error("the page has what Callwright counts for itself")
	}
	_, others, _ := strings.Cut(body, `id="others"`)
	for _, no := range []string{"lab/a", "fast"} {
		if strings.Contains(others, ">"+no+"<") {
			t.Errorf("%s was used, and is listed as not used", no)
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}

// Pages without rows say what to do.
func TestNoModels(t *testing.T) {
	idle := modelsOf(t, nil)
	unlisted, uncounted := idle, idle
	unlisted.Models, uncounted.Reports = nil, nil
	for name, tt := range map[string]struct {
		cfg        dashboard.Config
		path, want string
	}{
		"none used":      {idle, "/ui/models", "callwright run"},
		"none by a name": {idle, "/ui/models?search=nothing", `<a href="/ui/models">Show all</a>`},
		"none listed":    {unlisted, "/ui/models", "Configure providers"},
		"none counted":   {uncounted, "/ui/models", "state.reports"},
		"nothing":        {dashboard.Config{}, "/ui/models", "Configure providers"},
	} {
		if body := newBrowser(t, tt.cfg).get(tt.path).body; !strings.Contains(body, tt.want) {
			t.Errorf("%s: the page lacks %q: %s", name, tt.want, body)
		}
	}
}

// links finds the links to requests with the counts that stand before or in them.
var links = regexp.MustCompile(`<a href="(/ui/traces\?[^"]*)">(?:[a-z ]+ )?(\d+)(?: requests?)?[^<]*</a>`)

// Each count on the page is that of the requests behind its link.
func TestModelLinks(t *testing.T) {
	names := []callwright.ModelID{"lab/a", "lab/b c", "x/é"}
	kinds := []callwright.Kind{callwright.KindRateLimited, callwright.KindTimeout, callwright.KindServer}
	rapid.Check(t, func(rt *rapid.T) {
		var uses []use
		for range rapid.IntRange(1, 40).Draw(rt, "requests") {
			u := use{came: rapid.SampledFrom([]outcome.Outcome{outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed}).Draw(rt, "outcome")}
			u.tried = []callwright.ModelID{rapid.SampledFrom(names).Draw(rt, "model")}
			u.asked = rapid.SampledFrom([]callwright.ModelID{u.tried[0], "fast"}).Draw(rt, "asked")
			if u.came == outcome.Failed {
				u.failed = rapid.SampledFrom(kinds).Draw(rt, "kind")
			}
			uses = append(uses, u)
		}
		b := newBrowser(t, modelsOf(t, uses))
		body, failed := b.get("/ui/models").body, 0
		for _, u := range uses {
			if u.came == outcome.Failed {
				failed++
			}
		}
		for _, link := range links.FindAllStringSubmatch(body, -1) {
			want, _ := strconv.Atoi(link[2])
			got := strings.Count(b.get(html.UnescapeString(link[1])).body, `<tr id="row-`)
			if failed -= want; got != want {
				rt.Errorf("%s: %s are named, %d listed", link[1], link[2], got)
			}
		}
		if failed != 0 {
			rt.Errorf("%d failed requests are not named: %s", failed, body)
		}
	})
}

// The overview lists models, the worst first, errors by model and kind, and what healed by class and rule, without what is done for any request. Each
// count is that of the requests behind its link.
func TestOverviewLists(t *testing.T) {
	a, b := []callwright.ModelID{"lab/a"}, []callwright.ModelID{"lab/b"}
	page := newBrowser(t, modelsOf(t, []use{
		{"fast", a, outcome.Passed, ""}, {"fast", a, outcome.Healed, ""}, {"lab/b", b, outcome.Failed, callwright.KindTimeout}, {"lab/b", b, outcome.Failed, callwright.KindTimeout},
		{"lab/b", b, outcome.Healed, ""}, {"lab/c", []callwright.ModelID{"lab/c"}, outcome.Translated, ""}, {"lab/c", []callwright.ModelID{"lab/d", "lab/c"}, outcome.Healed, ""},
	}))
	body := page.get("/ui/?window=day").body
	_, lists, _ := strings.Cut(body, `<div class="columns">`)
	last := -1
	for _, name := range []string{"lab/d", "lab/b", "lab/a", "lab/c"} { // 0 %, 33 %, all with one of two healed, twice
		at := strings.Index(lists, `<a href="/ui/models/`+name+`">`)
		if at <= last {
			t.Errorf("%s does not stand in its place: %s", name, lists)
		}
		last = at
	}
	for _, want := range []string{`<th scope="row">lab/b</th><td>timeout</td>`, `broken JSON <small>F18</small></th><td class="n">3</td>`, "33.3 %"} {
		if !strings.Contains(lists, want) {
			t.Errorf("the lists lack %q: %s", want, lists)
		}
	}
	if strings.Contains(lists, "plan.fallback") {
		t.Error("the lists have a rule that heals nothing")
	}
	counts := regexp.MustCompile(`<td class="n"><a href="([^"]*)">(\d+)</a></td>|<a href="([^"]*)"><code>[^<]*</code></a><br><small>[^<]*</small></th><td class="n">(\d+)</td>`).FindAllStringSubmatch(lists, -1)
	if len(counts) != 6 { // four models, one kind of error, one rule
		t.Errorf("%d counts have links: %q", len(counts), counts)
	}
	for _, c := range counts {
		want, _ := strconv.Atoi(c[2] + c[4])
		if got := strings.Count(page.get(html.UnescapeString(c[1]+c[3])).body, `<tr id="row-`); got != want {
			t.Errorf("%s%s: %d are named, %d listed", c[1], c[3], want, got)
		}
	}
}

// TestTargets: the page of a model shows the keys and hosts of its provider, with the limits of the model itself.
func TestTargets(t *testing.T) {
	cfg := modelsOf(t, nil)
	cfg.Health = func() *health.Status {
		return &health.Status{Targets: []health.Target{
			{Provider: "lab", Key: "A", Host: "10.0.0.7:8000", State: health.TargetReady, InFlight: 3, Limited: []health.TargetLimit{{Model: "lab/a", Kind: callwright.KindRateLimited, SecondsLeft: 21}}},
			{Provider: "lab", Key: "B", Host: "10.0.0.7:8000", State: health.TargetReady, Limited: []health.TargetLimit{{Model: "lab/b", Kind: callwright.KindRateLimited, SecondsLeft: 22}}},
			{Provider: "lab", Key: "C", Host: "10.0.0.7:8000", State: health.TargetCooling, Kind: callwright.KindAuth, SecondsLeft: 23},
			{Provider: "other", Key: "D", State: health.TargetReady},
		}}
	}
	for _, name := range []string{"fast", "lab/a"} {
		body := newBrowser(t, cfg).get("/ui/models/" + name).body
		for _, want := range []string{"<code>A</code>", "not used for 21 s: rate_limited", "ready", "not used for 23 s: authentication", "<code>10.0.0.7:8000</code>"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		for _, other := range []string{"22 s", "<code>D</code>"} {
			if strings.Contains(body, other) {
				t.Errorf("%s: it has %q", name, other)
			}
		}
	}
}
