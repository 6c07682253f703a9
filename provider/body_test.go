package provider_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/provider"
)

// Each body that is sent is the body of its own request, whole, whatever became of the answers and of the tries before: a server that answers before it has read,
// one that ends the connection in the middle, a client that has gone. Built with the race detector memory of a body is overwritten as soon as it is
// free.
func TestBodiesSent(t *testing.T) {
	for _, tt := range []struct {
		name  string
		start func(srv *httptest.Server)
	}{
		{"HTTP/1.1", (*httptest.Server).Start},
		{"HTTP/1.1 over TLS", (*httptest.Server).StartTLS},
		{"HTTP/2", func(srv *httptest.Server) { srv.EnableHTTP2 = true; srv.StartTLS() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var whole atomic.Int64
			srv := httptest.NewUnstartedServer(readsBodies(t, &whole))
			tt.start(srv)
			t.Cleanup(srv.Close)
			opts := []provider.Option{provider.WithBaseURL(srv.URL + "/v1"), provider.WithRetries(1)}
			if srv.TLS != nil {
				opts = append(opts, provider.WithTransport(srv.Client().Transport))
			}
			m := open(t, "lab/m-1", opts...)
			t.Cleanup(m.Provider().Close)
			var wg sync.WaitGroup
			for i := range many {
				wg.Go(func() {
					for n := range 4 {
						req := ask()
						req.Messages[0].Parts = []callwright.Part{callwright.Text{Text: strings.Repeat(wordOf(i)+" ", 20_000)}}
						ctx, cancel := context.WithCancel(context.Background())
						if n == 3 {
							ctx, cancel = context.WithTimeout(ctx, time.Duration(i)*time.Millisecond/4)
						}
						_, _ = m.Generate(ctx, req)
						cancel()
					}
				})
			}
			wg.Wait()
			if whole.Load() < many {
				t.Errorf("only %d bodies were read", whole.Load())
			}
		})
	}
}

// readsBodies is a provider that counts the bodies it could read whole, and answers some requests before that, or not at all.
func readsBodies(t *testing.T, whole *atomic.Int64) http.HandlerFunc {
	var requests atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		rc := http.NewResponseController(w)
		switch n % 12 {
		case 1: // answers, and reads on
			_ = rc.EnableFullDuplex()
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, wholeAnswer)
			_ = rc.Flush()
		case 2: // another try is made
			_, _ = io.CopyN(io.Discard, r.Body, 10_000)
			panic(http.ErrAbortHandler)
		case 3:
			_, _ = io.CopyN(io.Discard, r.Body, 10_000)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, err := io.ReadAll(r.Body)
		if n%12 != 1 {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, wholeAnswer)
		}
		if err != nil {
			return
		}
		whole.Add(1)
		_, text, _ := strings.Cut(string(body), `"content":"`)
		if word, _, _ := strings.Cut(text, " "); !strings.HasPrefix(text, strings.Repeat(word+" ", 20_000)+`"`) {
			t.Errorf("the body of %q has other text too", word)
		}
	}
}
