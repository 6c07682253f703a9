package dashboard_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard"
)

// Every page answers with all sources and without any, and shows no text of theirs as anything but text.
func TestPages(t *testing.T) {
	for _, tc := range []struct {
		name string
		cfg  dashboard.Config
		gone []string // pages that are not found
	}{{"full", full(t), nil}, {"empty", dashboard.Config{Now: clock}, []string{"/ui/traces/rep_1", "/ui/runs/" + waitingRun, "/ui/evals/nightly", "/ui/trials/nightly/secret.jsonl", "/ui/trials/nightly/secret.jsonl?request=2"}}} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBrowser(t, tc.cfg)
			for _, path := range pages {
				got := b.get(path)
				want := 200
				for _, gone := range tc.gone {
					if gone == path {
						want = 404
					}
				}
				if got.status != want || !strings.Contains(got.body, "</html>") || !strings.Contains(got.body, "<h1>") || !strings.Contains(got.body, "– Callwright</title>") {
					t.Errorf("%s: got %d, want %d: %s", path, got.status, want, callwright.Excerpt(got.body))
				}
				if n := strings.Count(got.body, "<script"); n != strings.Count(got.body, `<script src="/ui/static/`) || n == 0 {
					t.Errorf("%s has %d scripts, and some are not of this server", path, n)
				}
				for _, bad := range []string{"<img", " style=", "onerror=alert(2)>", "ZgotmplZ", "<style"} {
					if strings.Contains(got.body, bad) {
						t.Errorf("%s has %s", path, bad)
					}
				}
			}
		})
	}
}
