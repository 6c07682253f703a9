package dashboard_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/trace"
)

// fakeEvals are runs by name, and how often one was read.
type fakeEvals struct {
	runs  map[dashboard.EvalRun][]eval.Result
	reads int
}

func (e *fakeEvals) Runs(context.Context) ([]dashboard.EvalRun, error) {
	return slices.Collect(maps.Keys(e.runs)), nil
}

func (e *fakeEvals) Read(_ context.Context, name string) (*report.Summary, []eval.Result, error) {
	e.reads++
	for run, results := range e.runs {
		if run.Name == name && results == nil {
			return nil, nil, errors.New("line 3 is not as it was written " + hostile)
		}
		if run.Name == name {
			return report.Summarize(eval.Header{Version: eval.Version, Build: hostile, Seed: 1, Cells: 40}, results, nil), results, nil
		}
	}
	return nil, nil, callwright.Errorf("", callwright.KindNotFound, "", "there is no run %s", name)
}

// trials are results, of which every third failed.
func trials() []eval.Result {
	var out []eval.Result
	for i := range 36 {
		r := eval.Result{
			Cell:    eval.Cell{Model: callwright.ModelID(fmt.Sprintf("lab/model-%d%s", i%3, hostile)), Mode: "auto", Policy: "heal", Profile: "default", Scenario: fmt.Sprintf("scenario_%d", i%4), Trial: 1 + i/12},
			Outcome: eval.OK, Started: noon.Add(time.Duration(i) * time.Second), Duration: time.Duration(200+i) * time.Millisecond, Steps: 2, Requests: 2, Calls: 1,
		}
		if i%3 == 1 {
			r.Outcome, r.Class, r.Reason, r.Text, r.Trace = eval.Failed, "wrong_call", "the call was another "+hostile, hostile, "traces/secret.jsonl"
			r.Checks = []eval.Check{{Assertion: "/calls/0", Want: hostile, Got: hostile}}
		}
		r.ID = eval.CellID(fmt.Sprint(i))
		out = append(out, r)
	}
	return out
}

func evals() *fakeEvals {
	return &fakeEvals{runs: map[dashboard.EvalRun][]eval.Result{
		{Name: "nightly", Changed: noon.Add(-time.Hour), Size: 1}:  trials(),
		{Name: "damaged", Changed: noon.Add(-time.Minute)}:         nil,
		{Name: "x" + hostile, Changed: noon.Add(-3 * time.Hour)}:   trials()[:3],
		{Name: "nats:team/a b", Changed: noon.Add(-2 * time.Hour)}: trials()[:6],
	}}
}

// Evaluations are listed with what came of them, and each has its report; what has not changed is not read again.
func TestEvals(t *testing.T) {
	cfg := full(t)
	source := evals()
	cfg.Evals = source
	b := newBrowser(t, cfg)
	list := b.get("/ui/evals").body
	for _, want := range []string{`<a href="/ui/evals/nightly">`, "66.7\u00a0%", "24 of 36", "of 40", "line 3 is not as it was written", "lab/model-2", "4 evaluations are kept", `<a href="/ui/evals/nats:team/a%20b">`} {
		if !strings.Contains(strings.ReplaceAll(list, " %", "\u00a0%"), want) {
			t.Errorf("the list lacks %q: %s", want, list)
		}
	}
	if damaged, nightly := strings.Index(list, "damaged"), strings.Index(list, "nightly"); damaged > nightly {
		t.Error("the latest is not first")
	}
	if got := b.get("/ui/evals/nats:team/a%20b"); got.status != http.StatusOK {
		t.Errorf("a name with a slash: got %d", got.status)
	}
	page := b.get("/ui/evals/nightly")
	for _, want := range []string{"Models and scenarios", "wrong_call", "95% interval", `<div class="evaluation">`, `<link rel="stylesheet" href="/ui/report.css">`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(page.body, "secret.jsonl") {
		t.Error("the report links to a file that no browser reaches")
	}
	source.reads = 0
	b.get("/ui/evals")
	b.get("/ui/evals/nightly")
	if source.reads != 1 { // the damaged one
		t.Errorf("%d runs were read again", source.reads)
	}
	delete(source.runs, dashboard.EvalRun{Name: "nightly", Changed: noon.Add(-time.Hour), Size: 1})
	source.runs[dashboard.EvalRun{Name: "nightly", Changed: noon, Size: 2}] = trials()[:9]
	if list := b.get("/ui/evals").body; !strings.Contains(list, "6 of 9") {
		t.Error("a run that has gone on is shown as it was")
	}
	for path, want := range map[string]int{"/ui/evals/nothing": http.StatusNotFound, "/ui/evals/..%2Fnightly": http.StatusNotFound, "/ui/evals/damaged": http.StatusInternalServerError} {
		if got := b.get(path); got.status != want {
			t.Errorf("%s: got %d, want %d", path, got.status, want)
		}
	}
	if got := b.get("/ui/report.css"); got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/css") || got.body != report.FragmentStyle() {
		t.Errorf("the style: %d %v", got.status, got.header)
	}
}

// Many evaluations are listed by pages.
func TestManyEvals(t *testing.T) {
	source := &fakeEvals{runs: map[dashboard.EvalRun][]eval.Result{}}
	for i := range 50 {
		source.runs[dashboard.EvalRun{Name: fmt.Sprintf("run-%02d", i), Changed: noon.Add(time.Duration(i) * time.Minute)}] = trials()[:2]
	}
	b := newBrowser(t, dashboard.Config{Now: clock, Evals: source})
	seen := 0
	for path := "/ui/evals"; path != ""; {
		source.reads = 0
		body := b.get(path).body
		seen += strings.Count(body, `<a href="/ui/evals/run-`)
		if path = after(body); source.reads > 20 {
			t.Errorf("%d runs were read", source.reads)
		}
	}
	if seen != 50 {
		t.Errorf("%d are listed", seen)
	}
}

// tracedEvals are runs with a trace of each trial that failed.
type tracedEvals struct {
	*fakeEvals
	entries []trace.Entry
}

func (e tracedEvals) Trace(_ context.Context, run, name string) ([]trace.Entry, error) {
	if run != "nightly" || name != "secret.jsonl" {
		return nil, callwright.Errorf("", callwright.KindNotFound, "", "there is no trace %s", name)
	}
	return e.entries, nil
}

// twoRequests are the entries of a trial of two requests.
func twoRequests(t testing.TB) []trace.Entry {
	entries := recorded(t)
	second := slices.Clone(entries)
	for i := range second {
		second[i].ID = "rep_other"
	}
	return slices.Concat(entries, second)
}

// Where a source keeps traces, a failure leads to its trial: to its only request, or to a list of them.
func TestTrial(t *testing.T) {
	cfg := full(t)
	source := evals()
	for _, results := range source.runs {
		for i := range results {
			results[i].Trace = strings.TrimPrefix(results[i].Trace, "traces/")
		}
	}
	entries := recorded(t)
	cfg.Evals = tracedEvals{source, entries}
	b := newBrowser(t, cfg)
	if page := b.get("/ui/evals/nightly").body; !strings.Contains(page, `<a href="/ui/trials/nightly/secret.jsonl">trace</a>`) {
		t.Errorf("a failure does not lead to its trial: %s", page)
	}
	if got := b.get("/ui/trials/nightly/secret.jsonl"); got.status != http.StatusOK || !strings.Contains(got.body, `id="then-raw"`) || strings.Contains(got.body, "/replay") {
		t.Errorf("the only request of a trial: %d %s", got.status, got.body)
	}
	cfg.Evals = tracedEvals{source, twoRequests(t)}
	b = newBrowser(t, cfg)
	if got := b.get("/ui/trials/nightly/secret.jsonl").body; !strings.Contains(got, "2 requests") || !strings.Contains(got, `href="/ui/trials/nightly/secret.jsonl?request=2"`) {
		t.Errorf("a trial of two requests: %s", got)
	}
	if got := b.get("/ui/trials/nightly/secret.jsonl?request=2").body; !strings.Contains(got, `id="then-raw"`) {
		t.Errorf("the second request: %s", got)
	}
	for _, path := range []string{"/ui/trials/nightly/other", "/ui/trials/none/secret.jsonl"} {
		if got := b.get(path).status; got != http.StatusNotFound {
			t.Errorf("%s: got %d", path, got)
		}
	}
	cfg.Evals = source
	if got := newBrowser(t, cfg).get("/ui/trials/nightly/secret.jsonl").status; got != http.StatusNotFound {
		t.Errorf("without traces: got %d", got)
	}
}
