package dashboard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/outcome"
)

// older is the address behind the link to older requests.
func older(body string) string {
	before, _, _ := strings.Cut(body, `" rel="next"`)
	return html.UnescapeString(before[strings.LastIndex(before, `"`)+1:])
}

// A page of a hundred thousand requests asks for its own rows and no more, and the next one for those behind them.
func TestPaging(t *testing.T) {
	log := &fakeTraces{rows: 100_000}
	b := newBrowser(t, dashboard.Config{Traces: log, Now: clock})
	path, rows := "/ui/traces?rule=json.*&outcome=answered&age=24h", 0
	for page := range 4 {
		got := b.get(path)
		n := strings.Count(got.body, `href="/ui/traces/rep_`)
		if got.status != 200 || n != 50 || !strings.Contains(got.body, fmt.Sprintf(`"/ui/traces/rep_%d?`, rows)) {
			t.Fatalf("page %d: got %d with %d rows", page, got.status, n)
		}
		rows += n
		path = older(got.body)
		q := log.queries[len(log.queries)-1]
		if q.Limit != 51 || q.Rule != "json.*" || q.Outcome != outcome.Answered || !q.Since.Equal(noon.Add(-24*time.Hour)) || q.Before.IsZero() != (page == 0) {
			t.Errorf("page %d asked for %+v", page, q)
		}
	}
	if len(log.queries) != 4 {
		t.Errorf("4 pages asked %d times", len(log.queries))
	}
}

// manyReports lists as many reports as it is asked for and counts them.
type manyReports struct{ listed int }

func (m *manyReports) List(_ context.Context, q archive.Query) ([]*archive.Report, error) {
	out := make([]*archive.Report, q.Most())
	for i := range out {
		out[i] = &archive.Report{Time: noon.Add(-time.Second), Duration: time.Second, Report: &callwright.Report{ID: "rep", Untouched: true}}
	}
	m.listed += len(out)
	return out, nil
}

// The figures, and the search for a report without its time, read a bounded number of reports however many there are.
func TestBoundedReports(t *testing.T) {
	many := &manyReports{}
	b := newBrowser(t, dashboard.Config{Reports: many, Now: clock})
	for range 3 {
		if got := b.get("/ui/"); got.status != 200 || !strings.Contains(got.body, "requests are counted here") {
			t.Errorf("got %d", got.status)
		}
	}
	if many.listed != 5000 {
		t.Errorf("the figures of three visits were made of %d reports, want 5000", many.listed)
	}
	if got := b.get("/ui/traces/nowhere"); got.status != 404 || many.listed > 10_000 {
		t.Errorf("got %d, %d reports were looked at", got.status, many.listed)
	}
}

// brokenReports cannot be read.
type brokenReports struct{}

func (brokenReports) List(context.Context, archive.Query) ([]*archive.Report, error) {
	return nil, errors.New("the disk is gone")
}

// Where reports are kept and cannot be read, the overview says so, and not that there are none.
func TestBrokenReports(t *testing.T) {
	const none = "reports are not kept here"
	if got := newBrowser(t, dashboard.Config{Now: clock}).get("/ui/"); !strings.Contains(got.body, none) {
		t.Errorf("without reports: %s", got.body)
	}
	if got := newBrowser(t, dashboard.Config{Reports: brokenReports{}, Now: clock}).get("/ui/"); !strings.Contains(got.body, "the disk is gone") || strings.Contains(got.body, none) {
		t.Errorf("with reports that cannot be read: %s", got.body)
	}
}

// A request without a trace is shown by its report, whoever asked, with or without its time.
func TestReportPage(t *testing.T) {
	b := newBrowser(t, dashboard.Config{Reports: reports(t), Now: clock})
	list := b.get("/ui/traces?outcome=failed").body
	if n := strings.Count(list, `href="/ui/traces/rep_`); n != 12 {
		t.Errorf("%d failed requests are listed, want 12", n)
	}
	for _, path := range []string{"/ui/traces/rep_7", "/ui/traces/rep_7?at=" + url.QueryEscape(noon.Add(-8*time.Minute).Format(time.RFC3339Nano))} {
		got := b.get(path)
		if got.status != 200 || !strings.Contains(got.body, "json.trailing_comma") || !strings.Contains(got.body, "The content was not recorded") {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
	for _, path := range []string{"/ui/traces/rep_99", "/ui/traces/rep_7?at=" + url.QueryEscape(noon.Format(time.RFC3339Nano))} {
		if got := b.get(path); got.status != 404 {
			t.Errorf("%s: got %d", path, got.status)
		}
	}
}

// Overrides are set and dropped by forms, facts forgotten, and what is no fact is refused with what was expected.
func TestFacts(t *testing.T) {
	cfg := full(t)
	models := cfg.Facts.(*fakeModels)
	b := newBrowser(t, cfg)
	token := b.token("/ui/models/lab/m")
	for _, tc := range []struct {
		do, key, value, days string
		status               int
		learned              string
	}{
		{"set", "json_schema", "no", "", 303, "lab/m json_schema=no override until 0001-01-01"},
		{"set", "max_tools", " 64 ", "10", 303, "lab/m max_tools=64 override until 2026-03-14"},
		{"forget", "json_schema", "", "", 303, "lab/m forgets json_schema"},
		{"drop", "images", "", "", 303, "lab/m images=no override until 2026-03-04"},
		{"drop", "json_schema", "", "", 303, ""}, // which is no override
		{"set", "json_schema", "perhaps", "", 400, ""},
		{"set", hostile, "yes", "", 400, ""},
		{"set", "max_tools", "7", "-3", 400, ""},
		{"set", "max_tools", "7", "soon", 400, ""},
		{"explode", "json_schema", "no", "", 400, ""},
	} {
		models.learned = nil
		got := b.do(http.MethodPost, "/ui/facts", url.Values{"token": {token}, "do": {tc.do}, "model": {"lab/m"}, "key": {tc.key}, "value": {tc.value}, "days": {tc.days}})
		if got.status != tc.status || strings.Join(models.learned, "; ") != tc.learned || strings.Contains(got.body, "<script>") {
			t.Errorf("%s %.20s %q: got %d, %q", tc.do, tc.key, tc.value, got.status, models.learned)
		}
		if tc.status == 303 && got.header.Get("Location") != "/ui/models/lab/m" {
			t.Errorf("it leads to %q", got.header.Get("Location"))
		}
	}
	page := b.get("/ui/models/lab/m").body
	for _, want := range []string{`<span class="tag override">override</span>`, "overrides yes (configured)", `aria-label="Override tools"`, `aria-label="Drop the override of images"`, "set on the dashboard by ops"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q: %s", want, page)
		}
	}
	if strings.Contains(page, "Drop the override of tools") {
		t.Error("what is no override can be dropped")
	}
	models.err = &callwright.Error{Kind: callwright.KindUnavailable, Message: "the store is away"}
	got := b.do(http.MethodPost, "/ui/facts", url.Values{"token": {token}, "do": {"forget"}, "model": {"lab/m"}, "key": {"tools"}})
	if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "the store is away") {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

// The playground reads a text, shows each change where it stood and what every client would receive.
func TestPlayground(t *testing.T) {
	b := newBrowser(t, dashboard.Config{Now: clock})
	token := b.token("/ui/playground")
	tools, err := json.Marshal([]map[string]any{{"name": "ping", "parameters": map[string]any{"type": "object", "properties": map[string]any{"host": map[string]any{"type": "string"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, text, tools, policy string
		status                    int
		want                      []string
	}{
		{"a call", "<tool_call>\n{'name': 'ping', 'arguments': {'host': 'a<b>c',}}\n</tool_call>", string(tools), "heal", 200, []string{"call ping", "a&lt;b&gt;c", "<del>", "anthropic", "gemini", "ollama", "responses", "openai"}},
		{"hostile text", hostile, string(tools), "heal", 200, []string{"The answer has no valid call", "&lt;script&gt;"}},
		{"no tools", "x", "", "heal", 200, []string{"The answer has no valid call"}},
		{"bad tools", "x", "[" + hostile, "heal", 200, []string{`role="alert"`}},
		{"no such policy", "x", string(tools), hostile, 200, []string{`role="alert"`}},
		{"too large", strings.Repeat("x", 1<<20), string(tools), "heal", 413, []string{"1 MiB"}},
	} {
		got := b.do(http.MethodPost, "/ui/playground", url.Values{"token": {token}, "text": {tc.text}, "tools": {tc.tools}, "policy": {tc.policy}})
		if got.status != tc.status || strings.Contains(got.body, "<script>") {
			t.Errorf("%s: got %d", tc.name, got.status)
		}
		if i := slices.IndexFunc(tc.want, func(want string) bool { return !strings.Contains(got.body, want) }); i >= 0 {
			t.Errorf("%s: lacks %q: %s", tc.name, tc.want[i], got.body)
		}
	}
}

// A request is explained for keys that may, and what is wrong with it is said.
func TestExplain(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	open := newBrowser(t, full(t))
	for _, tc := range []struct {
		body, model string
		want        string
	}{
		{`{"model": "lab/m", "messages": [{"role": "user", "content": "Hello"}]}`, "", "https://lab.example/v1"},
		{`{"model": "other", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}`, "lab/m", "Then, if that fails: n, text"},
		{`{"model": "` + "<script>x" + `", "messages": [{"role": "user", "content": "Hello"}]}`, "", "no model &lt;script&gt;x"},
		{`{"messages": [`, "", `role="alert"`},
		{"", "", `role="alert"`},
	} {
		got := open.do(http.MethodPost, "/ui/explain", url.Values{"token": {open.token("/ui/explain")}, "body": {tc.body}, "model": {tc.model}})
		if got.status != 200 || !strings.Contains(got.body, tc.want) || strings.Contains(got.body, "<script>") {
			t.Errorf("%s: got %d without %q: %s", tc.body, got.status, tc.want, got.body)
		}
	}
	guest := newBrowser(t, cfg)
	guest.login("guest-key")
	got := guest.do(http.MethodPost, "/ui/explain", url.Values{"token": {guest.token("/ui/playground")}, "body": {`{"model": "lab/m", "messages": []}`}})
	if strings.Contains(got.body, "lab.example") || !strings.Contains(got.body, "the verb <code>explain</code>") {
		t.Errorf("a key without the verb: %d %s", got.status, got.body)
	}
}

// Equal calls and notes stand once on the playground, with their count.
func TestPlaygroundCounts(t *testing.T) {
	b := newBrowser(t, full(t))
	call := "<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}\n</tool_call>\n"
	form := url.Values{"token": {b.token("/ui/playground")}, "text": {strings.Repeat(call, 3)}, "policy": {"heal"},
		"tools": {`[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]`}}
	got := b.do(http.MethodPost, "/ui/playground", form).body
	calls, rest, _ := strings.Cut(got[strings.Index(got, `id="calls"`):], "<section")
	if n := strings.Count(calls, "<figcaption>call get_weather"); n != 1 || !strings.Contains(calls, "× 3") {
		t.Errorf("%d calls are listed: %s", n, calls)
	}
	notes, _, _ := strings.Cut(rest, "</section>")
	seen := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?s)<tr>.*?</tr>`).FindAllString(notes, -1) {
		if seen[row] {
			t.Errorf("a note is listed twice: %s", row)
		}
		seen[row] = true
	}
	if !strings.Contains(notes, "× 3") {
		t.Errorf("no note is counted: %s", notes)
	}
}
