package provider_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
)

// TestWrongBaseAddress: what answers in place of an API is told apart from a model's error, asked once, and the error says what may be wrong.
func TestWrongBaseAddress(t *testing.T) {
	for name, c := range map[string]struct {
		base       string
		status     int
		kind, body string
		want       string // in the error, "" for nothing about the address
		of         callwright.Kind
	}{
		"a page":                  {"", 200, "text/html; charset=utf-8", "<html>Welcome</html>", "got a page of HTML", callwright.KindBadAnswer},
		"a page in capitals":      {"/v1", 200, "TEXT/HTML", "<html>Welcome</html>", "got a page of HTML", callwright.KindBadAnswer},
		"no version":              {"", 404, "text/plain", "404 page not found", "does the base_url of the provider lack /v1?", callwright.KindNotFound},
		"no version, with a path": {"/openai", 404, "text/html", "<h1>Not Found</h1>", "does the base_url of the provider lack /v1?", callwright.KindNotFound},
		"another path":            {"/api/v1", 404, "text/plain", "404 page not found", "is the base_url of the provider right?", callwright.KindNotFound},
		"a model":                 {"", 404, "application/json", `{"error":{"message":"The model m-1 does not exist","code":"model_not_found"}}`, "", callwright.KindNotFound},
	} {
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		}))
		m := open(t, "lab/m-1", withBaseURL(server.URL+c.base), withWire(callwright.WireOpenAI), withRetries(2))
		_, whole := m.Generate(t.Context(), ask())
		streamed := gather(context.Background(), m).err
		server.Close()
		for way, err := range map[string]error{"whole": whole, "streamed": streamed} {
			switch {
			case callwright.KindOf(err) != c.of:
				t.Errorf("%s, %s: got kind %q of %v", name, way, callwright.KindOf(err), err)
			case c.want == "" && strings.Contains(err.Error(), "base_url"), !strings.Contains(err.Error(), c.want):
				t.Errorf("%s, %s: got %v", name, way, err)
			}
		}
		if n := asked.Load(); n != 2 {
			t.Errorf("%s: asked %d times for two answers", name, n)
		}
	}
}

// TestAnswersThatSayTheyArePages: JSON and events count as what they are where a framework for web sites says that they are HTML.
func TestAnswersThatSayTheyArePages(t *testing.T) {
	const whole = `{"id":"c","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`
	const events = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for _, blank := range []string{"", "\n "} {
		m := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			raw, _ := io.ReadAll(r.Body)
			if strings.Contains(string(raw), `"stream":true`) {
				io.WriteString(w, blank+events)
				return
			}
			io.WriteString(w, blank+whole)
		}, withRetries(0))
		resp, err := m.Generate(t.Context(), ask())
		if err != nil || callwright.TextOf(resp.Parts) != "Hi." {
			t.Errorf("whole behind %q: got %v, %v", blank, resp, err)
		}
		streamed, err := callwright.Collect(m.Stream(t.Context(), ask()))
		if err != nil || callwright.TextOf(streamed.Parts) != "Hi." {
			t.Errorf("streamed behind %q: got %v, %v", blank, streamed, err)
		}
	}
}
