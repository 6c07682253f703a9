package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/dashboard"
)

// waitingRun is the run of full that waits.
const waitingRun = "run_2"

// A heardJournal counts what is loaded.
type heardJournal struct {
	*agent.MemoryJournal
	loads atomic.Int32
}

func (j *heardJournal) Load(ctx context.Context, id agent.RunID) ([]agent.Entry, uint64, error) {
	j.loads.Add(1)
	return j.MemoryJournal.Load(ctx, id)
}

// record adds an entry to a run.
func (j *heardJournal) record(t testing.TB, id agent.RunID, kind, call string, data map[string]any) {
	t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	_, last, err := j.MemoryJournal.Load(t.Context(), id)
	if err == nil {
		_, err = j.Append(t.Context(), id, last, agent.Entry{Kind: agent.EntryKind(kind), Call: call, Data: text, Time: noon})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// begin adds a run with an answer that makes calls.
func (j *heardJournal) begin(t testing.TB, id agent.RunID, calls ...string) {
	t.Helper()
	said := func(role, text string) map[string]any {
		return map[string]any{"role": role, "parts": []any{map[string]any{"type": "text", "text": text}}}
	}
	j.record(t, id, "begun", "", map[string]any{"messages": []any{said("system", "Be kind. "+hostile), said("user", "Drop it. "+hostile)}})
	parts := []any{map[string]any{"type": "text", "text": "I will. " + hostile}}
	for _, call := range calls {
		parts = append(parts, map[string]any{"type": "call", "id": call, "name": "drop" + hostile, "arguments": map[string]any{"of": hostile}})
	}
	j.record(t, id, "answered", "", map[string]any{"response": map[string]any{"parts": parts, "finish": "calls", "usage": map[string]any{"input": 1200, "output": 30}}})
	for _, call := range calls {
		j.record(t, id, "asked", call, map[string]any{"why": "the tool may destroy something " + hostile})
	}
}

// end ends a run.
func (j *heardJournal) end(t testing.TB, id agent.RunID) {
	t.Helper()
	j.begin(t, id)
	j.record(t, id, "stopped", "", map[string]any{"stop": "answered"})
}

// runs has one run that waits for answers about two calls, one that has ended and one that is damaged.
func runs(t testing.TB) *heardJournal {
	t.Helper()
	j := &heardJournal{MemoryJournal: agent.NewMemory()}
	j.end(t, "run_1")
	j.begin(t, waitingRun, "a", "b")
	j.record(t, "run_3", "begun", "", map[string]any{"messages": 3})
	return j
}

// What waits is answered call by call, by whoever may; the page says who did and how the run goes on.
func TestAnswerRun(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	j := cfg.Runs.(*heardJournal)
	b := newBrowser(t, cfg)
	b.login("ops-key")
	path := "/ui/runs/" + waitingRun
	page := b.get(path)
	for _, want := range []string{"Waiting for a person", "the tool may destroy something", "callwright run --state /srv --resume " + waitingRun, "Drop it.", "2 of 3", `drop&#34;`, `\u202e&lt;/title&gt;`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	answer := func(form url.Values) answer {
		form.Set("token", b.token("/ui/playground"))
		return b.do(http.MethodPost, path, form)
	}
	entries := func() uint64 {
		_, last, err := j.MemoryJournal.Load(t.Context(), waitingRun)
		if err != nil {
			t.Fatal(err)
		}
		return last
	}
	before := entries()
	for _, tc := range []struct {
		name   string
		form   url.Values
		status int
	}{
		{"nothing is said", url.Values{"call": {"a", "b"}, "decision0": {"later"}}, 303},
		{"all, without having seen them", url.Values{"call": {""}, "decision0": {"yes"}}, 303},
		{"no such word", url.Values{"call": {"a", "b"}, "decision0": {"yes"}, "decision1": {"maybe"}}, 400},
		{"no such call", url.Values{"call": {"a", "z"}, "decision0": {"yes"}, "decision1": {"yes"}}, 400},
	} {
		if got := answer(tc.form); got.status != tc.status || entries() != before {
			t.Errorf("%s: got %d with %d entries, want %d with %d", tc.name, got.status, entries(), tc.status, before)
		}
	}
	if got := answer(url.Values{"call": {"a", "b"}, "decision0": {"no"}, "decision1": {"later"}}); got.status != 303 || got.header.Get("Location") != path {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	if page := b.get(path).body; !strings.Contains(page, "Waiting for a person") || !strings.Contains(page, "<td>no</td><td>ops</td>") {
		t.Error("one answer is not on the page, or the other is not asked for")
	}
	if got := answer(url.Values{"call": {"a", "b"}, "decision0": {"yes"}, "decision1": {"yes"}}); got.status != 400 {
		t.Errorf("what was answered is answered again: %d", got.status)
	}
	if got := answer(url.Values{"call": {"b"}, "decision0": {"always"}}); got.status != 303 {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if page := b.get(path).body; strings.Contains(page, "Waiting for a person") || !strings.Contains(page, "All questions are answered") {
		t.Error("the page does not say that all is answered")
	}
	if list := b.get("/ui/runs?show=waiting").body; strings.Contains(list, "/ui/runs/"+waitingRun) {
		t.Error("what is answered is among the runs that wait")
	}
}

// Who may only look sees what waits and cannot answer, and no page of others can; a run that is not there and one that is damaged are honest errors.
func TestRunsByScope(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	guest := newBrowser(t, cfg)
	guest.login("guest-key")
	path := "/ui/runs/" + waitingRun
	if page := guest.get(path).body; strings.Contains(page, `type="radio"`) || !strings.Contains(page, "the verb <code>admin</code> may answer") {
		t.Error("a guest is offered to answer")
	}
	form := url.Values{"token": {guest.token("/ui/playground")}, "call": {"a"}, "decision0": {"yes"}}
	if got := guest.do(http.MethodPost, path, form); got.status != http.StatusForbidden {
		t.Errorf("a guest has answered: %d", got.status)
	}
	ops := newBrowser(t, cfg)
	ops.login("ops-key")
	form.Set("token", ops.token("/ui/playground"))
	for name, forged := range map[string]func(){
		"no token":             func() { form.Del("token") },
		"of another session":   func() { form.Set("token", guest.token("/ui/playground")) },
		"from another site":    func() { ops.header = http.Header{"Origin": {"https://evil.example"}, "Sec-Fetch-Site": {"cross-site"}} },
		"from nobody knows":    func() { ops.header = http.Header{"Origin": {""}, "Sec-Fetch-Site": {""}} },
		"from beside the port": func() { ops.header = http.Header{"Origin": {"http://localhost:3000"}, "Sec-Fetch-Site": {"same-site"}} },
	} {
		was := form.Get("token")
		forged()
		if got := ops.do(http.MethodPost, path, form); got.status != http.StatusForbidden {
			t.Errorf("an answer %s: %d", name, got.status)
		}
		form.Set("token", was)
		ops.header = http.Header{}
	}
	if s, err := agent.Status(t.Context(), cfg.Runs, waitingRun); err != nil || len(s.Waiting) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	for path, want := range map[string]int{"/ui/runs/run_9": 404, "/ui/runs/nonsense": 400, "/ui/runs/run_3": 400} {
		if got := guest.get(path); got.status != want {
			t.Errorf("%s: got %d, want %d", path, got.status, want)
		}
	}
	nobody := newBrowser(t, dashboard.Config{Now: clock})
	if got := nobody.do(http.MethodPost, path, url.Values{"token": {nobody.token("/ui/playground")}}); got.status != 404 {
		t.Errorf("without runs: %d", got.status)
	}
}

// Of a thousand runs a page reads its own, and of those that have ended none again.
func TestManyRuns(t *testing.T) {
	j := &heardJournal{MemoryJournal: agent.NewMemory()}
	for i := range 1000 {
		if id := agent.RunID(fmt.Sprintf("run_%04d", i)); i%100 == 7 {
			j.begin(t, id, "a")
		} else {
			j.end(t, id)
		}
	}
	b := newBrowser(t, dashboard.Config{Now: clock, Runs: j})
	seen := map[string]bool{}
	for path, pages := "/ui/runs", 0; path != ""; pages++ {
		j.loads.Store(0)
		body := b.get(path).body
		if n := j.loads.Load(); n > 25 || pages > 40 {
			t.Fatalf("page %d has read %d runs", pages, n)
		}
		for _, part := range strings.Split(body, `<a href="/ui/runs/`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			seen[id] = true
		}
		path = after(body)
	}
	if len(seen) != 1000 {
		t.Errorf("%d runs are listed", len(seen))
	}
	j.loads.Store(0)
	if b.get("/ui/runs"); j.loads.Load() != 0 {
		t.Errorf("runs that have ended were read again, %d times", j.loads.Load())
	}
	waiting := 0
	for path := "/ui/runs?show=waiting"; path != ""; {
		j.loads.Store(0)
		body := b.get(path).body
		waiting += strings.Count(body, `<a href="/ui/runs/run_`)
		if path = after(body); j.loads.Load() > 10 {
			t.Errorf("%d runs were read to find those that wait", j.loads.Load())
		}
	}
	if waiting != 10 {
		t.Errorf("%d runs are listed as waiting", waiting)
	}
}

// after is the address of the next page, empty where there is none.
func after(body string) string {
	before, _, ok := strings.Cut(body, `" rel="next">`)
	if !ok {
		return ""
	}
	return strings.ReplaceAll(before[strings.LastIndex(before, `"`)+1:], "&amp;", "&")
}

// A long run is shown from its end, page by page.
func TestLongRun(t *testing.T) {
	j := &heardJournal{MemoryJournal: agent.NewMemory()}
	var messages []any
	for i := range 250 {
		messages = append(messages, map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "text": fmt.Sprintf("message %d.", i+1)}}})
	}
	j.record(t, "run_1", "begun", "", map[string]any{"messages": messages})
	b := newBrowser(t, dashboard.Config{Now: clock, Runs: j})
	shown := 0
	for path := "/ui/runs/run_1"; path != ""; {
		body := b.get(path).body
		shown += strings.Count(body, "<summary>user")
		path = ""
		if before, _, ok := strings.Cut(body, `" rel="prev">`); ok {
			path = before[strings.LastIndex(before, `"`)+1:]
		}
		if !strings.Contains(body, fmt.Sprintf("message %d.", 250-shown+1)) {
			t.Errorf("message %d is not shown", 250-shown+1)
		}
	}
	if shown != 250 {
		t.Errorf("%d messages were shown", shown)
	}
}
