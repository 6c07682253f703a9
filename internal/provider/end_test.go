package provider_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/callwright/callwright"
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
			if k := callwright.KindOf(err); k != callwright.KindTruncated {
				t.Errorf("got %v", err)
			}
			break
		}
		if b.Raw != nil || len(b.Events) > 0 {
			t.Errorf("handed on %q", b.Raw)
		}
	}
}
