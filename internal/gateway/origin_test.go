package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// A gateway without keys answers this machine's programs alone, at every path; one with keys goes by these.
func TestOnlyThisMachine(t *testing.T) {
	up := models(t, simulate.New(simulate.Weather()))
	keyless := gateway.New(gateway.Config{Models: up, Hosts: []string{"Box.lan"}, Origins: []string{"https://app.example.com", "chrome-extension://*"}})
	keyed := gateway.New(gateway.Config{Models: up, Keys: []string{"sesame"}})
	own, _ := os.Hostname()
	for _, c := range []struct {
		host, origin, site string
		want               bool
	}{
		{"127.0.0.1:8787", "", "", true},
		{"localhost", "", "none", true},
		{"LOCALHOST.:8787", "", "", true},
		{"[::1]:8787", "", "", true},
		{"127.9.9.9", "", "", true},
		{"gate.localhost:8787", "", "", true},
		{own + ":8787", "", "", true},
		{"box.lan:8787", "", "", true},
		{"evil.example:8787", "", "", false},
		{"evil.example", "", "same-origin", false},
		{"localhost.evil.example", "", "", false},
		{"127.0.0.1.evil.example:8787", "", "", false},
		{"10.0.0.1:8787", "", "", false},
		{"0.0.0.0:8787", "", "", false},
		{"localhost:8787", "http://localhost:8787", "same-origin", true},
		{"localhost:8787", "http://localhost:3000", "same-site", false},
		{"localhost:8787", "http://evil.example", "cross-site", false},
		{"localhost:8787", "http://evil.example", "same-origin", false},
		{"localhost:8787", "null", "cross-site", false},
		{"localhost:8787", "", "cross-site", false},
		{"localhost:8787", "", "same-site", false},
		{"localhost:8787", "https://app.example.com", "cross-site", true},
		{"localhost:8787", "https://app.example.com.evil.example", "cross-site", false},
		{"localhost:8787", "http://app.example.com", "cross-site", false},
		{"localhost:8787", "chrome-extension://abc", "cross-site", true},
		{"localhost:8787", "vscode-webview://abc", "cross-site", true},
		{"evil.example", "vscode-webview://abc", "cross-site", false},
	} {
		for _, path := range []string{"GET /", "GET /healthz", "GET /v1/models", "GET /nowhere", "POST /v1/chat/completions", "POST /api/show", "GET /callwright/reports/x"} {
			method, path, _ := strings.Cut(path, " ")
			r := httptest.NewRequest(method, path, strings.NewReader(`{}`))
			r.Host = c.host
			for name, v := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
				if v != "" {
					r.Header.Set(name, v)
				}
			}
			w := httptest.NewRecorder()
			keyless.ServeHTTP(w, r)
			if got := w.Code != http.StatusForbidden; got != c.want {
				t.Errorf("%+v %s %s: got %d %s", c, method, path, w.Code, w.Body)
			}
			w = httptest.NewRecorder()
			if keyed.ServeHTTP(w, r); w.Code == http.StatusForbidden {
				t.Errorf("%+v %s: refused though there are keys", c, path)
			}
		}
	}
}

// The refusal has the shape of the client's API.
func TestForeignPageShape(t *testing.T) {
	srv := simulated(t)
	for _, c := range codecs.All() {
		path := map[callwright.WireName]string{"openai": chat, "anthropic": messages, "responses": "/v1/responses",
			"gemini": "/v1beta/models/x:generateContent", "ollama": "/api/chat"}[c.Name()]
		_, _, want := c.EncodeError(&callwright.Error{Kind: callwright.KindPermission, Message: "SPLIT"})
		head, _, _ := strings.Cut(string(want), "SPLIT")
		if got := post(t, srv.URL+path, `{}`, "Origin", "http://evil.example"); got.status != http.StatusForbidden || !strings.HasPrefix(got.body, head) {
			t.Errorf("%s: got %d %s, want it to begin with %s", path, got.status, got.body, head)
		}
	}
}

// A page of a named origin may ask whether it may, and is told so; others are not, with keys and without.
func TestPreflight(t *testing.T) {
	up := models(t, simulate.New(simulate.Weather()))
	for _, keys := range [][]string{nil, {"sesame"}} {
		srv := gateway.New(gateway.Config{Models: up, Keys: keys, Origins: []string{"https://app.example.com"}})
		for origin, want := range map[string]bool{"https://app.example.com": true, "https://evil.example": false} {
			r := httptest.NewRequest(http.MethodOptions, chat, nil)
			r.Host = "localhost:8787"
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", "POST")
			r.Header.Set("Access-Control-Request-Headers", "authorization, content-type")
			w := httptest.NewRecorder()
			srv.ServeHTTP(w, r)
			may := w.Header().Get("Access-Control-Allow-Origin") == origin && w.Header().Get("Access-Control-Allow-Headers") == "authorization, content-type"
			if may != want || (w.Code == http.StatusNoContent) != want {
				t.Errorf("keys %d, %s: got %d %v", len(keys), origin, w.Code, w.Header())
			}
		}
	}
}
