package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/reliable"
)

// hostile stands in every text of the sources: it breaks out of whatever is not escaped.
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>` + "\u202e</title></textarea></pre>`${{.}}"

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// pages are all there are, with one of each kind that has a name.
var pages = []string{
	"/ui/", "/ui/?window=day", "/ui/traces", "/ui/traces?model=m&rule=json.*&outcome=healed&age=1h&live=on", "/ui/traces/rep_1", "/ui/models", "/ui/models/lab/m",
	"/ui/runs", "/ui/runs?show=waiting", "/ui/runs/" + waitingRun, "/ui/evals", "/ui/evals/nightly", "/ui/trials/nightly/secret.jsonl", "/ui/trials/nightly/secret.jsonl?request=2", "/ui/models?window=hour&search=m", "/ui/probes/lab/m", "/ui/probes/other", "/ui/keys", "/ui/playground", "/ui/explain",
}

type fakeModels struct {
	list    []dashboard.Model
	learned []string
	last    caps.Fact
	err     error
}

func (m *fakeModels) All(context.Context) []dashboard.Model { return m.list }

func (m *fakeModels) One(_ context.Context, name callwright.ModelID) dashboard.Model {
	for _, one := range m.list {
		if one.Name == name {
			return one
		}
	}
	return dashboard.Model{Name: name, Problem: "no such model: " + hostile}
}

func (m *fakeModels) Explain(_ context.Context, req *callwright.Request) (*reliable.Explanation, error) {
	if req.Model != "lab/m" {
		return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "no model " + string(req.Model)}
	}
	step := reliable.Step{Model: req.Model, Mode: caps.Native, Method: http.MethodPost, URL: "https://lab.example/v1" + hostile, Body: []byte(`{"said": "` + hostile[3:20] + `"}`), Notes: []callwright.Note{{Rule: "tools.renamed", Was: hostile}}}
	return &reliable.Explanation{Model: req.Model, Chain: []reliable.Step{step, {Model: "n", Mode: caps.Text, Why: hostile, Error: hostile}}}, nil
}

func (m *fakeModels) Learn(_ context.Context, model callwright.ModelID, f caps.Fact) error {
	m.last = f
	m.learned = append(m.learned, fmt.Sprintf("%s %s=%s %s until %s", model, f.Key, f.Value, f.Source, f.Expires.Format(time.DateOnly)))
	return m.err
}

func (m *fakeModels) Forget(_ context.Context, model callwright.ModelID, key string) error {
	m.learned = append(m.learned, fmt.Sprintf("%s forgets %s", model, key))
	return m.err
}

func reports(t testing.TB) archive.Reports {
	t.Helper()
	kept := archive.NewMemoryReports(clock, archive.Limits{})
	for i := range 60 {
		r := &archive.Report{Owner: "somebody", Time: noon.Add(-time.Duration(i+1) * time.Minute), Duration: time.Duration(i+1) * 10 * time.Millisecond, Wire: "openai",
			Usage: archive.Usage{Input: 100, CacheRead: 10, Output: 20},
			Report: &callwright.Report{ID: fmt.Sprintf("rep_%d", i), Model: callwright.ModelID("m" + hostile), Mode: caps.Native, Untouched: i%3 == 0,
				Attempts: []callwright.Attempt{{Model: "lab/m", Mode: caps.Native, Why: callwright.AttemptFirst, Duration: time.Second, Error: hostile, Kind: callwright.KindInvalid}, {Model: "lab/m", Why: callwright.AttemptCorrection}},
				Notes:    []callwright.Note{callwright.Note{Rule: "json.trailing_comma", Call: hostile, Path: hostile, Was: "{'a': 1,}" + hostile, Now: `{"a": 1}` + hostile, Why: hostile}.Classify()},
				Invalid:  []callwright.InvalidCall{{Name: hostile, Why: callwright.InvalidMalformed, Raw: hostile, Violations: []callwright.Violation{{Path: hostile, Message: hostile}}}}}}
		if i%5 == 4 {
			r.Failed, r.Error = callwright.KindUnavailable, hostile
		}
		if err := kept.Keep(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	return kept
}

// fakeTraces has one request, and lists as many as it is told.
type fakeTraces struct {
	rows    int
	queries []trace.Query
	entries []trace.Entry
}

func (l *fakeTraces) Entries(_ context.Context, id string) ([]trace.Entry, error) {
	if id != "rep_1" {
		return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "no such trace"}
	}
	return l.entries, nil
}

func (l *fakeTraces) List(_ context.Context, q trace.Query) ([]trace.Summary, error) {
	l.queries = append(l.queries, q)
	var out []trace.Summary
	for i := 0; i < l.rows && len(out) < q.Most(); i++ {
		s := trace.Summary{ID: fmt.Sprintf("rep_%d", i), Time: noon.Add(-time.Duration(i) * time.Second), Model: callwright.ModelID("m" + hostile), Outcome: outcome.Healed, Rules: []string{"json.quotes"}, Error: hostile}
		if q.MayMatch(&s) || q.Model != "" {
			out = append(out, s)
		}
	}
	return out, nil
}

// answers is a model that answers with what was changed.
type answers struct{}

func (answers) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return &callwright.Response{
		Parts: []callwright.Part{callwright.Reasoning{Text: hostile}, callwright.Text{Text: "So " + hostile}, callwright.Call{ID: "c" + hostile, Name: hostile, Arguments: []byte(`{"a":1}`)}},
		Report: &callwright.Report{ID: "rep_1", Model: "lab/m", Attempts: []callwright.Attempt{{Model: "lab/m", Mode: caps.Native, Why: callwright.AttemptFirst}},
			Notes: []callwright.Note{callwright.Note{Rule: "json.trailing_comma", Was: "[1,]" + hostile, Now: "[1]" + hostile, Why: hostile}.Classify()}},
	}, nil
}

func (a answers) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(func(callwright.Event, error) bool) {}
}

// openLog opens a log that ends with the test.
func openLog(t testing.TB, now func() time.Time) *trace.Folder {
	t.Helper()
	log, err := trace.OpenFolder(t.TempDir(), now, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	return log
}

// recorded are the entries of one request.
func recorded(t testing.TB) []trace.Entry {
	t.Helper()
	log := openLog(t, clock)
	model := trace.Record(answers{}, trace.NewLogWriter(log))
	if _, err := model.Generate(t.Context(), &callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("What? " + hostile)}}); err != nil {
		t.Fatal(err)
	}
	list, err := log.List(t.Context(), trace.Query{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	entries, err := log.Entries(t.Context(), list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"model": hostile, "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": "So [1,]" + hostile}}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"provider": "lab", "wire": "openai", "status": 200, "header": map[string]string{"Content-Type": "application/json" + hostile}, "text": string(body)})
	if err != nil {
		t.Fatal(err)
	}
	received := trace.Entry{Kind: trace.KindReceived, ID: list[0].ID, Time: entries[0].Time, Data: data}
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			e.Wire, e.Key, e.Session, e.Body = callwright.WireOpenAI, "ada"+hostile, "first-0123456789abcdef", body
			e.Header = map[string]string{"User-Agent": "demo/1.0 " + hostile, "Content-Type": "application/json"}
		case trace.KindAnswer:
			e.Usage = []trace.ModelUsage{{Model: callwright.ModelID("lab/m" + hostile), Input: 12345, CacheRead: 7, Output: 100}}
		}
	}
	return slices.Insert(entries, len(entries)-1, received)
}

// full is a configuration with all sources, full of hostile texts.
func full(t testing.TB) dashboard.Config {
	t.Helper()
	found := caps.Fact{Key: "json_schema", Value: "no", Source: caps.Learned, Seen: noon.Add(-time.Hour), Expires: noon.Add(24 * time.Hour), Evidence: hostile}
	set := caps.Fact{Key: "images", Value: "no", Source: caps.Override, Seen: noon.Add(-time.Minute), Evidence: "set on the dashboard by ops"}
	models := &fakeModels{list: []dashboard.Model{
		{Name: "lab/m", Target: "m" + hostile, Fallbacks: []callwright.ModelID{"n" + hostile}, Facts: map[string]string{"tools": "yes (shipped)", "json_schema": "no (learned)", "images": "no (override)", "dialect": hostile + " (configured)"}, Overridden: map[string]string{"images": "yes (configured)"}, Found: []caps.Fact{found, set}},
		{Name: "x" + hostile, Problem: hostile},
	}}
	gate, err := access.New(access.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	ring, book := keyring.New(&keyring.MemoryLog{}, clock), ledger.New(&ledger.MemoryStore{}, clock, nil)
	if _, err := ring.CreateGroup(t.Context(), hostile, "team", keyring.GroupSettings{Labels: map[string]string{"of": hostile[:20]}, Limits: []keyring.ModelBounds{{Models: hostile}}}); err != nil {
		t.Fatal(err)
	}
	book.Add(access.Spent{Key: hostile, Group: hostile, Model: "m" + hostile, Requests: 1, Input: 10})
	return dashboard.Config{
		Access: gate, Keys: &keyapi.API{Gate: gate, Ring: ring, Book: book}, Reports: reports(t), Traces: &fakeTraces{rows: 120, entries: recorded(t)}, Models: models, Facts: models, Explainer: models, Runs: runs(t), RunCommand: "callwright run --state /srv", Evals: tracedEvals{evals(), twoRequests(t)}, Probes: probes{}, Health: func() *health.Status { return unwell }, Now: clock,
	}
}

// unwell is the status of a gateway with problems of each kind.
var unwell = &health.Status{State: health.DegradedNow, Requests: health.Counted{Recent: health.Requests{Passed: 70, Healed: 14, Failed: 12}}, Problems: []health.Problem{
	{Severity: health.Broken, Subject: "lab/m", Cause: "12 of 12 refused: key not accepted; skipped for 50 s", Remedy: "set a valid key", Count: 12, Total: 12, CountSinceStart: 18, TotalSinceStart: 30, Model: "lab/m", Kind: callwright.KindAuth},
	{Severity: health.Degraded, Subject: "state", Cause: hostile, Remedy: hostile},
	{Severity: health.Degraded, Subject: "x" + hostile, Cause: "asked 3 times, answered 0", Remedy: hostile, Count: 3, Total: 3, CountSinceStart: 3, TotalSinceStart: 3, Model: "x" + hostile, AnsweredBy: "lab/n" + hostile},
	{Severity: health.Degraded, Subject: "lab/o", Cause: "skipped for 7 s: rate limit reached", Remedy: "wait", Model: "lab/o", Kind: callwright.KindRateLimited},
}}

// A browser keeps cookies, follows no redirects and sends what browsers send.
type browser struct {
	t       testing.TB
	handler http.Handler
	host    string
	cookies map[string]*http.Cookie
	header  http.Header // in place of what it would send
}

func newBrowser(t testing.TB, cfg dashboard.Config) *browser {
	return &browser{t: t, handler: dashboard.New(cfg), host: "localhost:8787", cookies: map[string]*http.Cookie{}, header: http.Header{}}
}

// An answer is what a browser got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (b *browser) do(method, path string, form url.Values) answer {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, path, strings.NewReader(form.Encode()))
	r.Host = b.host
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://"+b.host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for name, values := range b.header {
		if r.Header.Del(name); values[0] != "" {
			r.Header[name] = values
		}
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c
	}
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{w.Code, w.Header(), string(body)}
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil)
}

// token is that of the forms on a page.
func (b *browser) token(path string) string {
	b.t.Helper()
	_, rest, ok := strings.Cut(b.get(path).body, `name="token" value="`)
	token, _, _ := strings.Cut(rest, `"`)
	if !ok {
		b.t.Fatalf("%s has no form with a token", path)
	}
	return token
}
