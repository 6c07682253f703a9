package alert_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/health"
)

// The page shows a message as it is sent, but for its time, and every family and type of events.
func TestPage(t *testing.T) {
	raw, err := os.ReadFile("../../docs/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, name := range append(alert.Families(), alert.Types()...) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page lacks %s", name)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.start(t)
		defer s.end()
		s.set(time.Minute, health.Problem{Severity: health.Broken, Subject: "lab/m", Model: "lab/m", Kind: "authentication", Cause: "3 of 3 refused: key not accepted", Remedy: "set a valid key for the provider"})
		got := s.all()
		if len(got) != 1 {
			t.Fatalf("%d messages", len(got))
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(strings.Replace(got[0].body, "2000-01-01T00:00:01Z", "2026-03-04T12:00:00Z", 1)), "", "  "); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, "```json\n"+pretty.String()+"\n```\n") {
			t.Errorf("the page does not show the message:\n%s", pretty.String())
		}
	})
}
