package http1

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// A Body is the body of a request in memory. A request with any other body is not taken.
type Body interface {
	io.ReadCloser
	// Use calls f with what was not read yet, which stays as it is until f returns. f returns how much of it was used.
	Use(f func(rest []byte) (int, error)) (int, error)
}

// Config has the dependencies of a Transport. All but Proxy is required.
type Config struct {
	// Dial makes TCP connections, as a net.Dialer does.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Next sends the requests that are not taken.
	Next interface {
		http.RoundTripper
		CloseIdleConnections()
	}
	// Proxy is that of http.Transport. A request that goes to a proxy is not taken. Nil is none.
	Proxy func(*http.Request) (*url.URL, error)
	// MaxIdlePerHost bounds the connections to one host that wait for a request, 0 keeps none; IdleTimeout bounds how
	// long one waits.
	MaxIdlePerHost int
	IdleTimeout    time.Duration
}

// A Transport is an http.RoundTripper that keeps connections for further requests. It is safe for concurrent use.
type Transport struct {
	cfg Config

	mu      sync.Mutex
	idle    map[string][]*conn // by host, the one that was used last at the end
	sweeper *time.Timer        // closes what waited too long, or was closed by its server; nil before the first connection waits
	armed   bool               // the sweeper is going to run
	closing bool               // CloseIdleConnections was called, and no request came since
}

// sweepTime is how often connections that wait are looked at.
const sweepTime = 5 * time.Second

// New makes a Transport.
func New(cfg Config) *Transport {
	return &Transport{cfg: cfg, idle: map[string][]*conn{}}
}

// RoundTrip sends a request and returns its answer when the head of it is there. The request's body is closed, perhaps
// after RoundTrip has returned: a server may answer early. Reading the answer's body to the end leaves the connection
// to the next request; closing it before, or ending the request's context, closes the connection. Of the answer's body,
// Close alone may be called beside Read.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !t.takes(req) {
		return t.cfg.Next.RoundTrip(req)
	}
	body, _ := req.Body.(Body)
	c, err := t.ask(req, body)
	if err != nil {
		if body != nil {
			_ = body.Close()
		}
		return nil, err
	}
	return c.answer(req)
}

// CloseIdleConnections closes the connections that wait for a request. Those of requests under way are closed when
// these have ended, unless a further request came since.
func (t *Transport) CloseIdleConnections() {
	t.mu.Lock()
	idle := t.idle
	t.idle, t.closing = map[string][]*conn{}, true
	t.mu.Unlock()
	for _, list := range idle {
		for _, c := range list {
			_ = c.net.Close()
		}
	}
	t.cfg.Next.CloseIdleConnections()
}

// ask sends a request over a connection to its host: one that waits and that the server has not closed, or a new one.
// With an error, nothing was sent.
func (t *Transport) ask(req *http.Request, body Body) (*conn, error) {
	host := req.URL.Host
	for {
		if err := context.Cause(req.Context()); err != nil {
			return nil, err
		}
		c := t.pop(host)
		if c == nil {
			break
		}
		if c.ask(req, body) {
			return c, nil
		}
	}
	address := host
	if req.URL.Port() == "" {
		address = net.JoinHostPort(req.URL.Hostname(), "80")
	}
	nc, err := t.cfg.Dial(req.Context(), "tcp", address)
	if err != nil {
		return nil, err
	}
	c, err := newConn(t, host, nc)
	if err != nil {
		return nil, err
	}
	c.stop = afterFunc(req.Context(), c.abort)
	c.send(req, body)
	return c, nil
}

// pop returns the connection to a host that was used last, nil where none waits.
func (t *Transport) pop(host string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closing = false
	list := t.idle[host]
	if len(list) == 0 {
		return nil
	}
	c := list[len(list)-1]
	list[len(list)-1] = nil
	t.idle[host] = list[:len(list)-1]
	return c
}

// put keeps a connection for the next request.
func (t *Transport) put(c *conn) {
	c.since = time.Now()
	t.mu.Lock()
	list := t.idle[c.host]
	if t.closing || len(list) >= t.cfg.MaxIdlePerHost {
		t.mu.Unlock()
		_ = c.net.Close()
		return
	}
	t.idle[c.host] = append(list, c)
	if !t.armed {
		t.arm()
	}
	t.mu.Unlock()
}

// arm has the sweeper run after a while. t.mu is held.
func (t *Transport) arm() {
	t.armed = true
	after := min(t.cfg.IdleTimeout, sweepTime)
	if t.sweeper == nil {
		t.sweeper = time.AfterFunc(after, t.sweep)
		return
	}
	t.sweeper.Reset(after)
}

// sweep closes the connections that waited too long, and those that their servers have closed, and runs again while
// others wait.
func (t *Transport) sweep() {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.armed = false
	for host, list := range t.idle {
		list = slices.DeleteFunc(list, func(c *conn) bool {
			over := now.Sub(c.since) >= t.cfg.IdleTimeout || !c.ahead.silent()
			if over {
				_ = c.net.Close()
			}
			return over
		})
		if t.idle[host] = list; len(list) == 0 {
			delete(t.idle, host)
		}
	}
	if len(t.idle) > 0 {
		t.arm()
	}
}
