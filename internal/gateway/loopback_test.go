package gateway_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
)

// pacedPath has its answer come in 60 pieces, one millisecond apart.
var pacedPath = benchPath{"pass-through/paced/60", chat, "openai/m", `,"user":"paced","stream":true`, 0, 0, false}

// A loopback is a gateway and a bare proxy before one server.
type loopback struct{ gateway, proxy string } // their addresses

func newLoopback(b *testing.B) *loopback {
	b.Helper()
	server := &url.URL{Scheme: "http", Host: listenBench(b)}
	d := directory{}
	for _, c := range []provider.Config{
		{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: server.String() + "/v1"},
		{Name: "anthropic", Wire: callwright.WireAnthropic, BaseURL: server.String()},
	} {
		c.APIKey = provider.NewSecret("k")
		p, err := provider.New(c)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(p.Close)
		d[c.Name] = p
	}
	ours := httptest.NewServer(gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: cachedDirectory(d)}))
	b.Cleanup(ours.Close)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 100
	b.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(server) }}
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Otherwise the first flush closes the request, and an answer that comes while its end is looked for is lost.
		_ = http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, r)
	}))
	b.Cleanup(bare.Close)
	return &loopback{gateway: ours.Listener.Addr().String(), proxy: bare.Listener.Addr().String()}
}

// listenBench starts a server that answers as benchAnswers has it, and returns its address.
func listenBench(b *testing.B) string {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = ln.Close() })
	replies := map[string][2]string{}
	for path, bodies := range benchAnswers() {
		const head = "HTTP/1.1 200 OK\r\nContent-Type: "
		replies[path] = [2]string{
			fmt.Sprintf("%sapplication/json\r\nContent-Length: %d\r\n\r\n%s", head, len(bodies[0]), bodies[0]),
			fmt.Sprintf("%stext/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(bodies[1]), bodies[1]),
		}
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go serveBench(conn, replies)
		}
	}()
	return ln.Addr().String()
}

// serveBench answers the requests of a connection until it is closed.
func serveBench(conn net.Conn, replies map[string][2]string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	var asked bytes.Buffer
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		asked.Reset()
		if _, err := asked.ReadFrom(r.Body); err != nil {
			return
		}
		reply := replies[r.URL.Path]
		switch {
		case !bytes.Contains(asked.Bytes(), []byte(`"stream":true`)):
			_, err = io.WriteString(conn, reply[0])
		case bytes.Contains(asked.Bytes(), []byte(`"user":"paced"`)):
			err = writePaced(conn, reply[1])
		default:
			_, err = io.WriteString(conn, reply[1])
		}
		if err != nil {
			return
		}
	}
}

// writePaced writes the reply with its events in chunks of their own, a millisecond apart.
func writePaced(conn net.Conn, reply string) error {
	head, body, _ := strings.Cut(reply, "\r\n\r\n")
	_, body, _ = strings.Cut(body, "\r\n")
	body, _, _ = strings.Cut(body, "\r\n")
	if _, err := io.WriteString(conn, head+"\r\n\r\n"); err != nil {
		return err
	}
	for ev := range strings.SplitAfterSeq(body, "\n\n") {
		time.Sleep(time.Millisecond)
		if _, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(ev), ev); err != nil { // the last is empty and ends the reply
			return err
		}
	}
	return nil
}

// A crowd is the clients of one path, and what each of them asks.
type crowd struct {
	requests   []string                // asked one after the other, by each client
	clients, n int                     // n requests of each client
	asked      int                     // requests that every address got
	last       string                  // the address that is asked last in a round
	conns      map[string][]*benchConn // by address
}

type benchConn struct {
	net.Conn
	in     *bufio.Reader
	answer bytes.Buffer
}

// crowd returns clients for a path: one, or for paced answers several at once.
func (l *loopback) crowd(b *testing.B, p benchPath) *crowd {
	b.Helper()
	c := &crowd{clients: 1, conns: map[string][]*benchConn{}}
	bodies := 1
	if p.grows {
		bodies = 40
	}
	for i := range bodies {
		body := benchBodyOf(&p, p.history+4*i)
		c.requests = append(c.requests, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", p.path, len(body), body))
	}
	c.n = max(3, 16*(15<<10)/len(c.requests[0]))
	if p == pacedPath {
		c.clients, c.n = 16, 1
	}
	c.last = l.proxy
	for _, addr := range []string{l.gateway, l.proxy} {
		for range c.clients {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = conn.Close() })
			c.conns[addr] = append(c.conns[addr], &benchConn{Conn: conn, in: bufio.NewReader(conn)})
		}
	}
	return c
}

// ask has every client send its requests, and returns the CPU time that one of them takes.
func (c *crowd) ask(b *testing.B, addr string) time.Duration {
	b.Helper()
	start := cpuTime()
	var wg sync.WaitGroup
	for _, conn := range c.conns[addr] {
		wg.Go(func() {
			for i := range c.n {
				if err := conn.ask(c.requests[(c.asked+i)%len(c.requests)]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if addr == c.last {
		c.asked += c.n
	}
	return (cpuTime() - start) / time.Duration(c.clients*c.n)
}

func (c *benchConn) ask(request string) error {
	if _, err := io.WriteString(c, request); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	c.answer.Reset()
	_, err = c.answer.ReadFrom(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !bytes.Contains(c.answer.Bytes(), []byte("call_1"))) {
		err = fmt.Errorf("got %d %s", resp.StatusCode, c.answer.Bytes())
	}
	return err
}
