package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
)

// The usage of a stream that fails at the provider is estimated from the content that was sent to the client.
func TestUsageOfBrokenStreams(t *testing.T) {
	for name, end := range map[string]func(w http.ResponseWriter){
		"cut": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"error": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, "data: {\"error\":{\"message\":\"overloaded\",\"type\":\"server_error\",\"code\":503}}\n\n")
		},
	} {
		upstream := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for range 20 {
				_, _ = io.WriteString(w, streamHead)
			}
			_ = http.NewResponseController(w).Flush()
			end(w)
		})
		srv := serve(t, gateway.Config{Models: models(t, upstream), Access: gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Tokens: 100_000}}}})})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+chat, strings.NewReader(`{"model":"openai/m","stream":true,"messages":[{"role":"user","content":"How old is the lighthouse?"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Api-Key", "-k")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body) // the gateway resets the connection
		_ = resp.Body.Close()
		if u := usage(t, srv.URL, "-k"); u.Total.OutputTokens < 150 || u.Total.OutputTokens > 400 || u.Limits[0].Used < 150 {
			t.Errorf("%s: got %+v", name, u)
		}
	}
}
