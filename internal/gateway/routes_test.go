package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// A path that is found as it is leads where one leads that has to be looked at first.
func TestFixedPaths(t *testing.T) {
	srv := simulated(t)
	for _, path := range []string{
		chat, messages, "/v1/messages/count_tokens", "/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens", "/api/chat", "/api/generate", "/api/show", "/api/tags",
		"/v1/models", "/v1/embeddings", "/v1/files", "/callwright/explain", "/callwright/usage", "/healthz", "/nowhere", "/",
	} {
		fixed, other := post(t, srv.URL+path, `{}`), post(t, srv.URL+"/"+path, `{}`)
		fixed.body, _, _ = strings.Cut(fixed.body, `,"request_id"`)
		if fixed.status != other.status || !strings.HasPrefix(other.body, fixed.body) || fixed.header.Get("Allow") != other.header.Get("Allow") {
			t.Errorf("%s: got %d %s, want %d %s", path, fixed.status, fixed.body, other.status, other.body)
		}
	}
	if got := post(t, srv.URL+"/v1/chat%2Fcompletions", `{}`); got.status != http.StatusNotFound {
		t.Errorf("one part of a path with a slash in it: got %d %s", got.status, got.body)
	}
}

// Handlers of a program come before those of an API for what they say more of: a method, or a host.
func TestHandlersBeforeRoutes(t *testing.T) {
	own := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "own") })
	for _, pattern := range []string{"POST " + chat, "POST\tlocalhost" + chat, "localhost" + chat} {
		srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Handlers: map[string]http.Handler{pattern: own}})
		if got := post(t, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)+chat, `{}`); got.body != "own" {
			t.Errorf("%s: got %d %s", pattern, got.status, got.body)
		}
		if got := post(t, srv.URL+messages, `{}`); got.status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s at another path", pattern, got.status, got.body)
		}
	}
}
