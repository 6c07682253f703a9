package dashboard_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/health"
)

// The health line says that all is well only where no request failed lately, and each problem leads to its requests or its model.
func TestHealth(t *testing.T) {
	some := health.Counted{Recent: health.Requests{Passed: 84, Failed: 12}}
	for name, tt := range map[string]struct {
		status    *health.Status
		has, lack []string
	}{
		"nobody knows": {nil, nil, []string{"All is well", "No problem"}},
		"well":         {&health.Status{}, []string{`<p class="good">All is well.</p>`}, nil},
		"failures": {&health.Status{Requests: some}, []string{"<p>No problem is known;", `<a href="/ui/traces?age=15m&amp;outcome=failed">12 of 96 requests</a> of the last 15 minutes failed.</p>`},
			[]string{"All is well"}},
		"problems": {unwell, []string{`<p class="broken">4 problems;`, `href="/ui/traces?age=15m&amp;error=authentication&amp;model=lab%2Fm&amp;outcome=failed">lab/m: 12 of 12 refused: key not accepted; skipped for 50 s</a>`,
			`<a href="/ui/models/lab/m">Model</a>`, "18 of 30 since the start", `href="/ui/models/lab/o">lab/o: skipped for 7 s`, "rule=plan.fallback"}, []string{"All is well"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := dashboard.Config{}
			if tt.status != nil {
				cfg.Health = func() *health.Status { return tt.status }
			}
			body := newBrowser(t, cfg).get("/ui/").body
			for _, want := range tt.has {
				if !strings.Contains(body, want) {
					t.Errorf("the page lacks %q: %s", want, body)
				}
			}
			_, main, _ := strings.Cut(body, "<main")
			for _, no := range tt.lack {
				if strings.Contains(main, no) {
					t.Errorf("the page has %q", no)
				}
			}
		})
	}
}
