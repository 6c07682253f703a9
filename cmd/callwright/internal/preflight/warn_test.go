package preflight_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/preflight"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// TestWarn: a start warns of a provider that cannot be asked, and asks none that is not to be asked beside requests.
func TestWarn(t *testing.T) {
	for _, c := range []struct {
		name           string
		file, provider provider.Discovery
		asked          bool
	}{
		{"nothing said", "", "", true},
		{"off in the file", provider.DiscoverOff, "", false},
		{"off for the provider", provider.DiscoverOn, provider.DiscoverOff, false},
		{"on for the provider", provider.DiscoverOff, provider.DiscoverOn, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				http.Error(w, `{"error":{"message":"wrong key"}}`, http.StatusUnauthorized)
			}))
			defer server.Close()
			conf := &config.Config{Discover: c.file, Providers: []config.Provider{{Name: "lab", BaseURL: server.URL + "/v1", Discover: c.provider}}}
			env := func(string) (string, bool) { return "", false }
			checker, done, err := preflight.Open(conf, env)
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			var log bytes.Buffer
			checker.Warn(t.Context(), slog.New(slog.NewTextHandler(&log, nil)))
			if got := asked.Load() > 0; got != c.asked || strings.Contains(log.String(), "provider=lab") != c.asked {
				t.Errorf("asked %d times, logged %q", asked.Load(), log.String())
			}
		})
	}
}
