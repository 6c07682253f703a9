package dashboard_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/dashboard"
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
