package provider_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
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
			opts := []option{withBaseURL(srv.URL + "/v1"), withRetries(1)}
			if srv.TLS != nil {
				opts = append(opts, withTransport(srv.Client().Transport))
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

// TestOneWrite: the head of a request and its body arrive together, so that a server that reads wakes up once.
func TestOneWrite(t *testing.T) {
	if pool.Poisons {
		t.Skip("the race detector does not see such a write")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	const rounds = 50
	reads := make(chan string, rounds)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		buf := make([]byte, 64<<10)
		for range rounds {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			reads <- string(buf[:n])
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(wholeAnswer), wholeAnswer)
		}
	}()
	m := open(t, "lab/m-1", withBaseURL("http://"+l.Addr().String()+"/v1"), withRetries(0))
	t.Cleanup(m.Provider().Close)
	req := ask()
	req.Messages[0].Parts = []callwright.Part{callwright.Text{Text: strings.Repeat("word ", 2000)}}
	for range rounds {
		if _, err := m.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if got := <-reads; !strings.HasPrefix(got, "POST ") || strings.Count(got, "word ") != 2000 || !strings.HasSuffix(got, "}") {
			t.Fatalf("%d bytes came first: %.300q", len(got), got)
		}
	}
}
