package dashboard_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/progress"
)

// The page of running requests has the state, the tool and the bytes of each, escaped.
func TestRunningPage(t *testing.T) {
	for want, list := range map[string]progress.Listing{
		"No request is running.": {},
		"<code>write_&lt;b&gt;</code></td><td class=\"n\">18\u202f432</td><td class=\"n\">60</td>": {Running: []progress.Running{{Report: "rep_1", Began: time.Now(), Key: "ops", Model: "fast",
			Asked: "lab/m", Elapsed: 60, Attempts: 2, Now: progress.Snapshot{State: "holding", Tool: "write_<b>", Bytes: 18432, Seconds: 42}}}},
		"3 more are running.": {Running: []progress.Running{{Report: "rep_1"}}, More: 3},
	} {
		srv := newServer(t, dashboard.Config{Running: func() progress.Listing { return list }})
		r, err := http.Get(srv.URL + "/ui/running")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if !strings.Contains(string(text), want) {
			t.Errorf("expected %s in %s", want, text)
		}
	}
}
