package provider_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/provider"
)

// TestReachPassing: a provider that was late, failed or broke the connection may answer the next request; one that refuses, is not found or is not there will not.
func TestReachPassing(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":{"message":"no"}}`, code) }
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc // nil: nothing listens
		late    bool             // the caller does not wait
		want    bool
	}{
		"late":       {status(http.StatusOK), true, true},
		"fails":      {status(http.StatusInternalServerError), false, true},
		"overloaded": {status(http.StatusServiceUnavailable), false, true},
		"breaks":     {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, true},
		"refuses":    {status(http.StatusUnauthorized), false, false},
		"no list":    {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, false, false},
		"closed":     {nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.handler)
			base := server.URL
			if c.handler == nil {
				base = "http://127.0.0.1:" + freePort(t)
			}
			defer server.Close()
			p, err := provider.New(provider.Config{Name: "lab", BaseURL: base + "/v1"})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			ctx := t.Context()
			if c.late {
				var cancel context.CancelFunc
				ctx, cancel = context.WithDeadline(ctx, time.Unix(0, 0))
				defer cancel()
			}
			if got, err := p.Reach(ctx); got.Passing != c.want || err == nil && !got.Unlisted {
				t.Errorf("got %+v, %v, want %t", got, err, c.want)
			}
		})
	}
}
