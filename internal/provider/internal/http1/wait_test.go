package http1_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWait: whoever waits before each read gets the same as one who does not, the end and a reset of the connection included.
func TestWait(t *testing.T) {
	long := strings.Repeat("long ", 20_000)
	for name, tt := range map[string]struct {
		head   string
		pieces []string
		reset  bool
	}{
		"length":                {"Content-Length: 10\r\n", []string{"hello", "world"}, false},
		"chunks":                {"Transfer-Encoding: chunked\r\n", []string{"5\r\nhello\r\n", "5\r\nwor", "ld\r\n0\r\n", "\r\n"}, false},
		"until the end":         {"", []string{"hello", long, "world"}, false},
		"a reset without end":   {"", []string{"hello", "world"}, true},
		"a reset among chunks":  {"Transfer-Encoding: chunked\r\n", []string{"5\r\nhello\r\n"}, true},
		"a reset before length": {"Content-Length: 100\r\n", []string{"hello"}, true},
	} {
		for _, size := range []int{5, 16 << 10} {
			t.Run(name, func(t *testing.T) {
				read := make(chan bool)
				url := listen(t, func(c net.Conn, r *bufio.Reader) {
					req, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n"+tt.head+"\r\n")
					for _, piece := range tt.pieces {
						_, _ = io.WriteString(c, piece)
						select {
						case <-read:
						case <-time.After(5 * time.Millisecond):
						}
					}
					if tt.reset {
						_ = c.(*net.TCPConn).SetLinger(0)
					}
				})
				tr, _, _ := newTransport(t, time.Minute)
				resp, err := tr.RoundTrip(ask(t.Context(), url, "{}"))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = resp.Body.Close() }()
				body := resp.Body.(interface {
					io.Reader
					Wait()
				})
				var got strings.Builder
				buf := make([]byte, size)
				for err == nil {
					body.Wait()
					var n int
					n, err = body.Read(buf)
					got.Write(buf[:n])
					select {
					case read <- true:
					default:
					}
				}
				if tt.reset != errors.Is(err, syscall.ECONNRESET) || !tt.reset && err != io.EOF {
					t.Errorf("the error is %v", err)
				}
				if text := strings.ReplaceAll(got.String(), "long ", ""); !strings.HasPrefix(text, "hello") || !tt.reset && text != "helloworld" {
					t.Errorf("got %.100q", text)
				}
			})
		}
	}
}
