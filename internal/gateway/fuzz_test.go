package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
)

// No body makes a door panic, whether its wire's codec stands behind it or a pretended one.
func FuzzDoors(f *testing.F) {
	paths := []string{
		chat, messages, countTokens, answersPath, "/v1/responses/input_tokens", "/v1/responses/compact", "/api/chat", "/api/show", "/callwright/explain",
		"/v1beta/models/none/m:generateContent", "/v1beta/models/none/m:countTokens",
	}
	for i, body := range []string{
		hello, `{"model":"none/m","previous_response_id":"x","store":t`, `{"previous_response_id":"\u00`, `{"store":`, `{"conversation":{}}`, `{"previous_response_id":"`,
		`{"generateContentRequest":{"contents":[`, `{"generateContentRequest":1}`, `{"model":1,"name":[]}`, `[{"contents":1}]`, `{"messages":[{"content":[{"type":"tool_use`,
	} {
		f.Add(uint8(i), body)
	}
	servers := []*gateway.Server{
		gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: directory{}}), gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: directory{}, Codecs: pretended()}),
	}
	f.Fuzz(func(t *testing.T, at uint8, body string) {
		for _, s := range servers {
			r := httptest.NewRequest(http.MethodPost, paths[int(at)%len(paths)], strings.NewReader(body))
			r.Host = "localhost"
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code < 400 || w.Code >= 500 {
				t.Errorf("%s %q: got %d %s", r.URL.Path, body, w.Code, w.Body)
			}
		}
	})
}
