package dashboard_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
)

// The page of a trace begins with what happened, in which names are code and nothing breaks out.
func TestTraceStory(t *testing.T) {
	b := newBrowser(t, dashboard.Config{Traces: &fakeTraces{entries: recorded(t)}, Now: clock})
	got := b.get("/ui/traces/rep_1")
	_, told, _ := strings.Cut(got.body, `<p class="story">`)
	told, _, _ = strings.Cut(told, "</p>")
	if want := `The model called <code>&#34;&#39;&gt;&lt;script&gt;alert(1)`; !strings.HasPrefix(told, want) || !strings.Contains(told, "</code>. In the answer, broken JSON was repaired.") {
		t.Errorf("got %d %q", got.status, told)
	}
}

// The page of a trace has the headers that were recorded, tokens with their cost, and the command that sends the request again, none of which
// breaks out of its place.
func TestTraceAround(t *testing.T) {
	gate, err := access.New(access.Config{Now: clock, Prices: access.NewPrices([]access.PriceRow{{Models: "lab/m", Price: access.Price{Input: 1, Output: 100}}})})
	if err != nil {
		t.Fatal(err)
	}
	entries := recorded(t)
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			e.Wire, e.Key, e.Session, e.Body = "openai", "ada"+hostile, "s 1"+hostile, []byte(`{"said":"`+hostile[3:20]+`"}`)
			e.Header = map[string]string{"User-Agent": "demo" + hostile}
		case trace.KindAnswer:
			e.Usage = []trace.ModelUsage{{Model: "lab/m", Input: 12345, CacheRead: 7, Output: 100}, {Model: "other", Input: 3}}
		}
	}
	b := newBrowser(t, dashboard.Config{Access: gate, Traces: &fakeTraces{entries: entries}, Now: clock})
	got := b.get("/ui/traces/rep_1").body
	for _, want := range []string{
		`<code>User-Agent</code></dt><dd><code>demo&#34;&#39;&gt;&lt;script&gt;`, "<summary>From lab</summary>", "Other headers, such as credentials and cookies, are not recorded.",
		"12\u202f345</td>", "$0.02</td>", "not known</td>", `<button type="button" data-copy="curl">`, `<pre id="curl" tabindex="0">curl -sS &#39;http://localhost:8787/v1/chat/completions&#39;`,
		"Bearer $CALLWRIGHT_KEY&#34;", `<a href="/ui/traces?key=ada%22%27%3e%3cscript`, `<a href="/ui/traces?session=s&#43;1%22%27%3E%3Cscript`, `<dd class="small">200</dd>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if strings.Contains(got, "<script>alert") {
		t.Error("a text breaks out")
	}
}

// noModels are models of which the first cannot be asked.
var noModels = &fakeModels{list: []dashboard.Model{{Name: "away/m", Problem: "no key"}, {Name: "lab/it's"}}}

// A list without requests says what to do: send one, with the command for this gateway and a model that may be asked, or drop the filter.
func TestEmptyLists(t *testing.T) {
	kept := archive.NewMemoryReports(clock, archive.Limits{})
	for _, tt := range []struct {
		name, path string
		cfg        dashboard.Config
		want, not  string
	}{
		{"traces", "/ui/traces", dashboard.Config{Traces: &fakeTraces{}, Models: noModels}, `There is no request yet. Send one:</p>
<pre id="try" tabindex="0">curl -sS &#39;http://localhost:8787/v1/chat/completions&#39;`, "no such requests"},
		{"its model", "/ui/traces", dashboard.Config{Traces: &fakeTraces{}, Models: noModels}, `&#34;model&#34;:&#34;lab/it&#39;\&#39;&#39;s&#34;`, "away/m"},
		{"reports", "/ui/traces", dashboard.Config{Reports: kept}, `&#34;model&#34;:&#34;MODEL&#34;`, "no such requests"},
		{"live", "/ui/traces?live=on&text=", dashboard.Config{Traces: &fakeTraces{}}, "There is no request yet", "no such requests"},
		{"a filter", "/ui/traces?key=ada", dashboard.Config{Traces: &fakeTraces{}, Models: noModels}, `No request fits the filters. <a href="/ui/traces">Show all requests</a>`, "curl"},
		{"an older page", "/ui/traces?before=2026-01-02T00:00:00Z", dashboard.Config{Traces: &fakeTraces{}}, "There are no older requests.", "curl"},
		{"nothing kept", "/ui/traces", dashboard.Config{}, "<code>callwright serve --trace traces/</code>", "curl"},
		{"runs", "/ui/runs", dashboard.Config{}, "callwright run", "Show all"},
	} {
		tt.cfg.Now = clock
		if got := newBrowser(t, tt.cfg).get(tt.path); got.status != 200 || !strings.Contains(got.body, tt.want) || strings.Contains(got.body, tt.not) {
			t.Errorf("%s: got %d %s", tt.name, got.status, got.body)
		}
	}
}

// A row has who asked, the models, what came of it in words and what it took, each under its name for a phone.
func TestTraceRows(t *testing.T) {
	now := noon
	log := openLog(t, func() time.Time { return now })
	for _, e := range []trace.Entry{
		{Kind: trace.KindRequest, Time: noon, Model: "fast", Key: "ada", Data: []byte(`{"messages":[]}`)},
		{Kind: trace.KindAnswer, Time: noon, Duration: time.Second, Outcome: "healed", Class: "F02", Usage: []trace.ModelUsage{{Model: "lab/m", Input: 1500, Output: 20}},
			Data: []byte(`{"parts":[{"type":"call","id":"c","name":"get_weather","arguments":{}}],"report":{"attempts":[{"model":"lab/z"},{"model":"lab/m"}]}}`)},
	} {
		e.ID = "rep_1"
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	gate, err := access.New(access.Config{Now: clock, Prices: access.NewPrices([]access.PriceRow{{Models: "lab/m", Price: access.Price{Input: 2, Output: 50}}})})
	if err != nil {
		t.Fatal(err)
	}
	got := newBrowser(t, dashboard.Config{Access: gate, Traces: log, Now: clock}).get("/ui/traces").body
	for _, want := range []string{
		"0 s ago, took 1 s", `data-label="Key">ada<`, `data-label="Model">fast<br><small>→ lab/m</small>`, `data-label="Status" class="n">200<`, "data-label=\"Tokens\" class=\"n\">1\u202f500 in <br>20 out<",
		`data-label="Cost" class="n">$0.0040<`, `data-label="Tools called"><code>get_weather</code>`, `<span class="tag healed">healed</span> <small>call in tags, 2 attempts</small>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %s: %s", want, got)
		}
	}
}
