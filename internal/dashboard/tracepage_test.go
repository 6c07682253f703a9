package dashboard_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
)

// The page of a trace begins with what happened, in which names are code and nothing breaks out.
func TestTraceStory(t *testing.T) {
	b := newBrowser(t, dashboard.Config{Traces: &fakeTraces{entries: recorded(t)}, Now: clock})
	got := b.get("/ui/traces/rep_1")
	_, told, _ := strings.Cut(got.body, `<p class="story">`)
	told, _, _ = strings.Cut(told, "</p>")
	if want := `The model called <code>&#34;&#39;&gt;&lt;script&gt;alert(1)`; !strings.HasPrefix(told, want) || !strings.Contains(told, "</code>. In the answer, broken JSON was mended.") {
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
		`<code>User-Agent</code></dt><dd><code>demo&#34;&#39;&gt;&lt;script&gt;`, "<summary>From lab</summary>", "Credentials, cookies and all other fields are not recorded.",
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
