package provider_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// A server that leaves the connection open, or goes on with comments, after the end of an answer holds nobody up.
func TestEndIsNotWaitedFor(t *testing.T) {
	for name, after := range map[string]func(w http.ResponseWriter, r *http.Request){
		"silence": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"chatter": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, chunks("Good day."))
				w.(http.Flusher).Flush()
				after(w, r)
			})
			if g := gather(context.Background(), m); g.err != nil {
				t.Errorf("got %v", g.err)
			}
		})
	}
}

// Of a page in place of a stream nothing is handed on.
func TestPageIsNoStream(t *testing.T) {
	m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html>welcome</html>")
	}, withRetries(0))
	for b, err := range m.Batches(context.Background(), ask()) {
		if err != nil {
			if k := callwright.KindOf(err); k != callwright.KindBadAnswer {
				t.Errorf("got %v", err)
			}
			break
		}
		if b.Raw != nil || len(b.Events) > 0 {
			t.Errorf("handed on %q", b.Raw)
		}
	}
}

// A server that leaves the connection open, or sends blank lines, after a line that says done holds nobody up. A call that follows at once
// belongs to the answer.
func TestLastLineIsNotWaitedFor(t *testing.T) {
	const done = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n"
	for name, c := range map[string]struct {
		after string
		blank bool
		calls int
	}{
		"silence": {}, "chatter": {blank: true}, "a call": {after: `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"n":1}}}]},"done":false}` + "\n", calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/x-ndjson")
				io.WriteString(w, `{"model":"m","message":{"role":"assistant","content":"Good day."},"done":false}`+"\n"+done+c.after)
				w.(http.Flusher).Flush()
				for c.blank && r.Context().Err() == nil {
					if _, err := io.WriteString(w, "\n"); err != nil {
						return
					}
					w.(http.Flusher).Flush()
				}
				if c.after == "" {
					<-r.Context().Done()
				}
			}))
			t.Cleanup(srv.Close)
			p, err := provider.New(provider.Config{Name: "local", Wire: callwright.WireOllama, BaseURL: srv.URL})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			resp, err := callwright.Collect(p.Model("m").Stream(t.Context(), ask()))
			if err != nil || resp.Text() != "Good day." || len(resp.Calls()) != c.calls {
				t.Errorf("got %v, %v", resp, err)
			}
		})
	}
}
