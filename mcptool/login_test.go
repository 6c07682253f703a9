package mcptool_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestLogin: a server that wants a login is told apart from one that is broken, whichever request it asks for one at, and takes the token.
func TestLogin(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "shut", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}}, echo)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	for _, method := range []string{"initialize", "notifications/initialized", "tools/list", "tools/call"} {
		initialized := 0
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if bytes.Contains(body, []byte(`"method":"initialize"`)) {
				initialized++
			}
			if bytes.Contains(body, []byte(`"method":"`+method+`"`)) && r.Header.Get("Authorization") != "Bearer token" {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			inner.ServeHTTP(w, r)
		}))
		t.Cleanup(srv.Close)
		run := func(token string) error {
			s, err := mcptool.Open(t.Context(), mcptool.Config{URL: srv.URL, Header: http.Header{"Authorization": {token}}})
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = s.Close() })
			_, err = call(t.Context(), t, s, "echo", `{}`)
			return err
		}
		for _, token := range []string{"", "Bearer other"} {
			initialized = 0
			err := run(token)
			if err == nil || !strings.Contains(err.Error(), "401 Unauthorized: set a header") || strings.Contains(err.Error(), "tried the protocol versions") || initialized > 1 {
				t.Errorf("%s with %q: %v after %d beginnings", method, token, err, initialized)
			}
			var e *callwright.Error
			if method != "tools/call" && (!errors.As(err, &e) || e.Kind != callwright.KindAuth) {
				t.Errorf("%s with %q: want an error of authentication, got %v", method, token, err)
			}
		}
		if err := run("Bearer token"); err != nil {
			t.Errorf("%s with the token: %v", method, err)
		}
	}
}
