package dashboard_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/probe"
)

// probes has the card of one model, and one that is damaged.
type probes struct{}

func (probes) Card(_ context.Context, model callwright.ModelID) (*probe.StoredCard, error) {
	switch {
	case model == "damaged":
		return nil, errors.New("the file is not a card " + hostile)
	case !strings.HasPrefix(string(model), "m"):
		return nil, nil
	}
	return &probe.StoredCard{Probed: noon.Add(-time.Hour), Card: &probe.Card{
		Model: model, Score: 67, Calls: 7, Sent: 12, Counts: probe.Counts{InvalidJSON: 2}, Facts: map[string]string{"tools": "yes", "dialect": hostile},
		Checks: []probe.Check{{Name: "call", Result: probe.Pass, Why: "a call came " + hostile, MS: 120, About: "makes a call"},
			{Name: "json", Result: probe.Fail, Why: hostile, MS: 80, About: "writes arguments as JSON"}, {Name: "stream" + hostile, Result: probe.Skip, Why: hostile}},
	}}, nil
}

// A model's page leads to the card of its probe; without a card there are the facts that a probe found, and without those it is said how one is made.
func TestProbe(t *testing.T) {
	cfg := full(t)
	models := cfg.Models.(*fakeModels)
	models.list = append(models.list, dashboard.Model{Name: "lab/n", Found: []caps.Fact{
		{Key: "images", Value: "no", Source: caps.Probed, Seen: noon.Add(-time.Hour), Evidence: "it did not see " + hostile}, {Key: "tools", Value: "no", Source: caps.Learned},
	}})
	b := newBrowser(t, cfg)
	if page := b.get("/ui/models/lab/m").body; !strings.Contains(page, `href="/ui/probes/lab/m"`) {
		t.Error("the model's page does not lead to its probe")
	}
	for path, wants := range map[string][]string{
		"/ui/probes/lab/m": {`<div class="probed">`, "67<small> of 100", "writes arguments as JSON", "1 h ago", "InvalidJson"},
		"/ui/probes/lab/n": {"The card of the probe, with its score and checks, is not kept here", "<code>images</code>", "it did not see"},
		"/ui/probes/other": {"callwright probe other"},
	} {
		page := b.get(path)
		for _, want := range wants {
			if page.status != 200 || !strings.Contains(page.body, want) {
				t.Errorf("%s: got %d without %q: %s", path, page.status, want, page.body)
			}
		}
	}
	if page := b.get("/ui/probes/lab/n").body; strings.Contains(page, "<code>tools</code>") {
		t.Error("what was learned is shown as found by a probe")
	}
	if got := b.get("/ui/probes/damaged"); got.status != 500 || !strings.Contains(got.body, "not a card") {
		t.Errorf("a damaged card: %d", got.status)
	}
	if got := b.get("/ui/probe.css"); got.status != 200 || got.body != probe.FragmentStyle() || strings.Contains(got.body, ":root") {
		t.Errorf("the style: %d", got.status)
	}
}
