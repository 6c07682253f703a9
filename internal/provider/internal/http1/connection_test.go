package http1_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/longtest"
)

// TestClosedWhileIdle: a connection that the server has closed is not used again.
func TestClosedWhileIdle(t *testing.T) {
	closed := make(chan bool, 100)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = io.WriteString(c, hello)
		_ = c.Close()
		closed <- true
	})
	tr, _, dialed := newTransport(t, time.Minute)
	for range 50 {
		if got := outcomeOf(tr.RoundTrip(ask(t.Context(), url, "{}"))); got.Body != "hello" {
			t.Fatalf("got %+v", got)
		}
		<-closed
	}
	if dialed.Load() != 50 {
		t.Errorf("%d connections, want 50", dialed.Load())
	}
}

// TestIdleTimeout: a connection that waits too long is closed, and not before.
func TestIdleTimeout(t *testing.T) {
	ended := make(chan bool, 8)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		answerAll(c, r)
		ended <- true
	})
	const idle = 200 * time.Millisecond
	tr, _, dialed := newTransport(t, idle)
	for range 2 {
		var open []*http.Response
		for range 4 {
			resp, err := tr.RoundTrip(ask(t.Context(), url, "{}"))
			if err != nil {
				t.Fatal(err)
			}
			open = append(open, resp)
		}
		began := time.Now()
		for _, resp := range open {
			outcomeOf(resp, nil)
		}
		for range 4 {
			<-ended
		}
		if took := time.Since(began); took < idle {
			t.Errorf("connections were closed after %s", took)
		}
	}
	if dialed.Load() != 8 {
		t.Errorf("%d connections, want 8", dialed.Load())
	}
}

// TestCloseIdle: connections that wait are closed at once, one with a request under way when that has ended.
func TestCloseIdle(t *testing.T) {
	ended := make(chan bool, 2)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		answerAll(c, r)
		ended <- true
	})
	tr, _, _ := newTransport(t, time.Minute)
	under, err := tr.RoundTrip(ask(t.Context(), url, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	outcomeOf(tr.RoundTrip(ask(t.Context(), url, "{}")))
	tr.CloseIdleConnections()
	<-ended
	if got := outcomeOf(under, nil); got.Body != "hello" {
		t.Errorf("got %+v", got)
	}
	<-ended
}

// TestCanceled: the end of a context ends the waiting for the head, for more of the body, and for a server that reads nothing; the connection is closed and the
// error is the cause.
func TestCanceled(t *testing.T) {
	for name, answered := range map[string]string{
		"before the head": "", "in the head": "HTTP/1.1 200 OK\r\nCont", "in the body": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
		"between chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
	} {
		for _, size := range []int{2, 30_000_000} {
			t.Run(fmt.Sprint(name, " ", size), func(t *testing.T) {
				answering, gone := make(chan bool, 1), make(chan bool, 1)
				url := listen(t, func(c net.Conn, r *bufio.Reader) {
					if req, err := http.ReadRequest(r); err == nil && size < 100 {
						_, _ = io.Copy(io.Discard, req.Body)
					}
					_, _ = io.WriteString(c, answered)
					answering <- true
					_, _ = io.Copy(io.Discard, r)
					gone <- true
				})
				tr, _, _ := newTransport(t, time.Minute)
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() {
					<-answering
					time.Sleep(5 * time.Millisecond)
					cancel(errGone)
				}()
				resp, err := tr.RoundTrip(ask(ctx, url, strings.Repeat("x", size)))
				if err == nil {
					_, err = io.ReadAll(resp.Body)
					_ = resp.Body.Close()
				}
				if !errors.Is(err, errGone) {
					t.Errorf("got the error %v", err)
				}
				<-gone
			})
		}
	}
}

// TestCanceledBefore: nothing is sent for a request whose context has ended.
func TestCanceledBefore(t *testing.T) {
	url := listen(t, answerAll)
	tr, _, _ := newTransport(t, time.Minute)
	outcomeOf(tr.RoundTrip(ask(t.Context(), url, "{}")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := &memory{rest: []byte("{}")}
	req := ask(ctx, url, "{}")
	req.Body = body
	if got := outcomeOf(tr.RoundTrip(req)); !got.Refused || !body.closed.Load() || len(body.rest) != 2 {
		t.Errorf("got %+v, %d bytes left", got, len(body.rest))
	}
}

// TestClosedEarly: closing a body that was not read to its end closes the connection at once, also during a Read.
func TestClosedEarly(t *testing.T) {
	gone := make(chan bool, 1)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		if req, err := http.ReadRequest(r); err == nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
		_, _ = io.Copy(io.Discard, r)
		gone <- true
	})
	tr, _, dialed := newTransport(t, time.Minute)
	for i := range 20 {
		resp, err := tr.RoundTrip(ask(t.Context(), url, "{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(resp.Body, make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			time.AfterFunc(time.Millisecond, func() { _ = resp.Body.Close() })
			if _, err := resp.Body.Read(make([]byte, 5)); err == nil {
				t.Error("a read of a closed body succeeded")
			}
		}
		_ = resp.Body.Close()
		if n, err := resp.Body.Read(make([]byte, 5)); n > 0 || !errors.Is(err, http.ErrBodyReadAfterClose) {
			t.Errorf("got %d bytes and %v", n, err)
		}
		<-gone
	}
	if dialed.Load() != 20 {
		t.Errorf("%d connections, want 20", dialed.Load())
	}
}

// TestAnsweredEarly: a server that answers before it has read a body, and closes or reads on, is heard, and the body ends.
func TestAnsweredEarly(t *testing.T) {
	for _, reads := range []bool{false, true} {
		for _, size := range []int{1000, 60_000, 20_000_000} {
			t.Run(fmt.Sprint(reads, size), func(t *testing.T) {
				answered := make(chan bool)
				url := listen(t, func(c net.Conn, r *bufio.Reader) {
					if _, err := r.ReadString('\n'); err != nil {
						return
					}
					_, _ = io.WriteString(c, "HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 5\r\n\r\nlarge")
					if reads {
						_, _ = io.Copy(io.Discard, r)
						return
					}
					_ = c.(*net.TCPConn).CloseWrite()
					<-answered // or the answer may be overtaken by the reset
				})
				tr, _, _ := newTransport(t, time.Minute)
				body := &memory{rest: make([]byte, size)}
				req := ask(t.Context(), url, "x")
				req.Body, req.ContentLength = body, int64(size)
				resp, err := tr.RoundTrip(req)
				close(answered)
				if got := outcomeOf(resp, err); got.Status != 413 || got.Body != "large" {
					t.Errorf("got %+v", got)
				}
				for !body.closed.Load() {
					time.Sleep(time.Millisecond)
				}
			})
		}
	}
}

// TestLongHead: a head without end is an error, and so are informational answers without end.
func TestLongHead(t *testing.T) {
	for name, piece := range map[string]string{
		"headers": "X-Long: " + strings.Repeat("x", 1000) + "\r\n", "a line": strings.Repeat("x", 1000), "informational": "\r\nHTTP/1.1 103 Early Hints\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			url := listen(t, func(c net.Conn, r *bufio.Reader) {
				if _, err := http.ReadRequest(r); err != nil {
					return
				}
				_, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\n")
				for err == nil {
					_, err = io.WriteString(c, piece)
				}
			})
			tr, _, _ := newTransport(t, time.Minute)
			if got := outcomeOf(tr.RoundTrip(ask(t.Context(), url, "{}"))); !got.Refused {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestTogether: requests at once, long and short, get each its own answer, some of them closed early or canceled.
func TestTogether(t *testing.T) {
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				return
			}
			if len(body)%2 == 0 {
				_, err = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			} else {
				_, err = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
			}
			if err != nil {
				return
			}
		}
	})
	tr, n, dialed := newTransport(t, time.Minute)
	const workers, each = 16, 60
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				ctx, cancel := context.WithCancel(t.Context())
				body := strings.Repeat(fmt.Sprintf("<%d-%d>", w, i), 1+(w*each+i)*7%3000*(1+i%10/9*10))
				switch i % 12 {
				case 5:
					time.AfterFunc(time.Duration(w*20)*time.Microsecond, cancel)
				case 7:
					if resp, err := tr.RoundTrip(ask(ctx, url, body)); err == nil {
						_, _ = resp.Body.Read(make([]byte, 1))
						_ = resp.Body.Close()
					}
				}
				got := outcomeOf(tr.RoundTrip(ask(ctx, url, body)))
				if i%12 != 5 && (got.Refused || got.In) || !got.Refused && !got.In && got.Body != body {
					t.Errorf("%d bytes in place of %d: %+.200v", len(got.Body), len(body), got)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if n.n.Load() > 0 {
		t.Error("a request was not taken")
	}
	if d := dialed.Load(); d > workers*(1+each/12*2+2) {
		t.Errorf("%d connections for %d requests", d, workers*each)
	}
}

// TestClosedByServer: a connection that the server has closed does not stay open until it would be closed as idle.
func TestClosedByServer(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("takes some seconds")
	}
	gone := make(chan bool, 1)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		if req, err := http.ReadRequest(r); err == nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		_, _ = io.WriteString(c, hello)
		_ = c.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, r)
		gone <- true
	})
	tr, _, _ := newTransport(t, time.Hour)
	outcomeOf(tr.RoundTrip(ask(t.Context(), url, "{}")))
	select {
	case <-gone:
	case <-time.After(30 * time.Second):
		t.Error("the connection is still open")
	}
}

// TestLength: a body that is shorter or longer than it is said to be is not sent.
func TestLength(t *testing.T) {
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		if b, err := r.ReadByte(); err == nil {
			t.Errorf("got %q", b)
		}
	})
	tr, _, _ := newTransport(t, time.Minute)
	for _, length := range []int64{1, 3, 100_000} {
		req := ask(t.Context(), url, "{}")
		req.ContentLength = length
		if got := outcomeOf(tr.RoundTrip(req)); !got.Refused {
			t.Errorf("length %d: got %+v", length, got)
		}
	}
}
