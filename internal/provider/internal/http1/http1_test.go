package http1_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/callwright/callwright/internal/provider/internal/http1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A memory is a body that a Transport takes.
type memory struct {
	rest   []byte
	closed atomic.Bool
}

func (m *memory) Read(p []byte) (int, error) {
	return m.Use(func(rest []byte) (int, error) {
		n := copy(p, rest)
		if n == len(rest) {
			return n, io.EOF
		}
		return n, nil
	})
}

func (m *memory) Use(f func(rest []byte) (int, error)) (int, error) {
	if m.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := f(m.rest)
	m.rest = m.rest[n:]
	return n, err
}

func (m *memory) Close() error {
	m.closed.Store(true)
	return nil
}

// next counts the requests that are not taken.
type next struct {
	*http.Transport
	n atomic.Int64
}

func (n *next) RoundTrip(req *http.Request) (*http.Response, error) {
	n.n.Add(1)
	return n.Transport.RoundTrip(req)
}

// newTransport returns a Transport, what stands behind it, and the number of connections that it has made.
func newTransport(t *testing.T, idle time.Duration) (*http1.Transport, *next, *atomic.Int64) {
	t.Helper()
	var dialed atomic.Int64
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		dialed.Add(1)
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	n := &next{Transport: &http.Transport{DisableCompression: true}}
	tr := http1.New(http1.Config{Dial: dial, Next: n, MaxIdlePerHost: 64, IdleTimeout: idle})
	t.Cleanup(tr.CloseIdleConnections)
	return tr, n, &dialed
}

func ask(ctx context.Context, url, body string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		panic(err)
	}
	if body != "" {
		req.Body, req.ContentLength = &memory{rest: []byte(body)}, int64(len(body))
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer key"}, "User-Agent": {"test"}}
	return req
}

// listen serves each connection by a function, and returns the address as a URL.
func listen(t *testing.T, serve func(c net.Conn, r *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		_ = l.Close()
		cancel()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { _ = c.Close() })
			wg.Go(func() {
				defer func() { _ = c.Close() }()
				serve(c, bufio.NewReader(c))
			})
		}
	})
	return "http://" + l.Addr().String()
}

const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// answerAll answers each request of a connection.
func answerAll(c net.Conn, r *bufio.Reader) {
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = io.WriteString(c, hello)
	}
}

// An outcome is what became of a request.
type outcome struct {
	Status      int
	Header      http.Header
	Length      int64
	Body        string
	Trailer     http.Header
	Refused, In bool // an error in place of an answer, and in the middle of it
}

func outcomeOf(resp *http.Response, err error) outcome {
	if err != nil {
		return outcome{Refused: true}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return outcome{Status: resp.StatusCode, Header: resp.Header, Length: resp.ContentLength, Body: string(body), Trailer: resp.Trailer, In: err != nil}
}

// answers are what servers write, and whether they close the connection behind it.
var answers = []struct {
	name, bytes string
	close       bool
}{
	{"length", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello", false},
	{"no body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false},
	{"no content", "HTTP/1.1 204 No Content\r\n\r\n", false},
	{"not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n", false},
	{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n there\r\n0\r\n\r\n", false},
	{"trailer", "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n", false},
	{"until the end", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello", true},
	{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", false},
	{"HTTP/1.0 that stays", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello", false},
	{"last one", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", false},
	{"refusal", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nlate", false},
	{"redirect", "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", false},
	{"continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false},
	{"early hints", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false},
	{"many signs of life", strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 30) + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false},
	{"another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", true},
	{"too much", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nworld", false},
	{"cut body", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", true},
	{"cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello", true},
	{"cut between chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", true},
	{"bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", true},
	{"cut head", "HTTP/1.1 200 OK\r\nContent-Le", true},
	{"nothing", "", true},
	{"no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", true},
	{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", true},
	{"length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", true},
	{"bad header", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", true},
	{"long", "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + strings.Repeat("long ", 60_000), false},
	{"long line", "HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\nContent-Length: 5\r\n\r\nhello", false},
}

// TestAsNetHTTP: whatever a server answers, also byte by byte, is understood as net/http's Transport does, and so is a second request.
func TestAsNetHTTP(t *testing.T) {
	for _, tt := range answers {
		for _, pieces := range []bool{false, true} {
			if pieces && (len(tt.bytes) > 1000 || tt.name == "too much") { // what comes late is taken for the next answer by every client
				continue
			}
			t.Run(tt.name, func(t *testing.T) {
				url := listen(t, func(c net.Conn, r *bufio.Reader) {
					for {
						req, err := http.ReadRequest(r)
						if err != nil {
							return
						}
						if _, err := io.Copy(io.Discard, req.Body); err != nil {
							return
						}
						step := len(tt.bytes) + 1
						if pieces {
							step = 1
						}
						for at := 0; at < len(tt.bytes); at += step {
							if _, err := io.WriteString(c, tt.bytes[at:min(at+step, len(tt.bytes))]); err != nil {
								return
							}
						}
						if tt.close {
							return
						}
					}
				})
				tr, n, dialed := newTransport(t, time.Minute)
				for range 3 {
					if tt.close { // or a connection may be taken that the server is about to close
						tr.CloseIdleConnections()
					}
					got := outcomeOf(tr.RoundTrip(ask(t.Context(), url, `{"model":"m"}`)))
					oracle := &http.Transport{DisableCompression: true}
					want := outcomeOf(oracle.RoundTrip(ask(t.Context(), url, `{"model":"m"}`)))
					oracle.CloseIdleConnections()
					if tt.name == "another protocol" {
						want = outcome{Refused: true} // nobody here asks for one
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("in place of what net/http makes of it (-) came (+):\n%s", diff)
					}
				}
				if n.n.Load() > 0 {
					t.Error("a request was not taken")
				}
				stays := !tt.close && tt.name != "HTTP/1.0" && tt.name != "last one" && tt.name != "too much"
				if stays != (dialed.Load() == 1) {
					t.Errorf("%d connections for three requests", dialed.Load())
				}
			})
		}
	}
}

// TestHead: a request comes as net/http would write it, but for the order of its headers.
func TestHead(t *testing.T) {
	heads := make(chan string, 1)
	url := listen(t, func(c net.Conn, r *bufio.Reader) {
		req, err := http.ReadRequest(r)
		if err != nil {
			heads <- err.Error()
			return
		}
		body, _ := io.ReadAll(req.Body)
		var b bytes.Buffer
		b.WriteString(req.Method + " " + req.RequestURI + " " + req.Proto + " " + req.Host + "\n")
		_ = req.Header.Write(&b)
		heads <- b.String() + string(body)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
	})
	tr, n, _ := newTransport(t, time.Minute)
	for _, tt := range []struct {
		name   string
		change func(req *http.Request)
	}{
		{"as it is", func(*http.Request) {}},
		{"no body", func(req *http.Request) { req.Body, req.ContentLength = nil, 0 }},
		{"GET", func(req *http.Request) { req.Method, req.Body, req.ContentLength = http.MethodGet, nil, 0 }},
		{"GET with a body", func(req *http.Request) { req.Method = http.MethodGet }},
		{"query", func(req *http.Request) { req.URL.RawQuery = "alt=sse&key=a%20b" }},
		{"escaped path", func(req *http.Request) { req.URL.Path, req.URL.RawPath = "/models/a/b:gen", "/models/a%2Fb:gen" }},
		{"host", func(req *http.Request) { req.Host = "models.example:8080" }},
		{"values", func(req *http.Request) { req.Header["X-Beta"] = []string{"a", "b, c", "tab\there", "caf\u00e9", ""} }},
		{"long", func(req *http.Request) {
			body := strings.Repeat("word ", 100_000)
			req.Body, req.ContentLength = &memory{rest: []byte(body)}, int64(len(body))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var came []string
			for _, via := range []http.RoundTripper{n.Transport, tr} {
				req := ask(t.Context(), url+"/v1/chat", `{"model":"m"}`)
				tt.change(req)
				outcomeOf(via.RoundTrip(req))
				came = append(came, <-heads)
			}
			if came[0] != came[1] {
				t.Errorf("got %.1000q, want %.1000q", came[1], came[0])
			}
		})
	}
	if n.n.Load() > 0 {
		t.Error("a request was not taken")
	}
}

// TestLeftToNext: what is not for this package goes on, and ends as it does there.
func TestLeftToNext(t *testing.T) {
	url := listen(t, answerAll)
	for name, change := range map[string]func(req *http.Request){
		"another body":              func(req *http.Request) { req.Body = io.NopCloser(strings.NewReader("{}")); req.ContentLength = 2 },
		"no body of unknown length": func(req *http.Request) { req.Body, req.ContentLength = nil, -1 },
		"unknown length":            func(req *http.Request) { req.ContentLength = -1 },
		"TLS":                       func(req *http.Request) { req.URL.Scheme = "https" },
		"another method":            func(req *http.Request) { req.Method = http.MethodPut },
		"header of hops":            func(req *http.Request) { req.Header.Set("Connection", "close") },
		"closing":                   func(req *http.Request) { req.Close = true },
		"a line in a value":         func(req *http.Request) { req.Header["X-A"] = []string{"a\r\nX-B: b"} },
		"a line in a name":          func(req *http.Request) { req.Header["X-A: b\r\nX-B"] = []string{"b"} },
		"a space in the host":       func(req *http.Request) { req.Host = "a b\r\nX-B: b" },
		"a zone":                    func(req *http.Request) { req.URL.Host = "[fe80::1%25lo]:1" },
		"no host":                   func(req *http.Request) { req.URL.Host = "" },
		"a line in the query":       func(req *http.Request) { req.URL.RawQuery = "a\r\nX-B: b" },
	} {
		t.Run(name, func(t *testing.T) {
			tr, n, dialed := newTransport(t, time.Minute)
			req := ask(t.Context(), url+"/", "{}")
			change(req)
			outcomeOf(tr.RoundTrip(req))
			if n.n.Load() != 1 || dialed.Load() != 0 {
				t.Errorf("%d requests went on, %d connections were made", n.n.Load(), dialed.Load())
			}
		})
	}
}

var errGone = errors.New("the client is gone")
