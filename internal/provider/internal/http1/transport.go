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

// A Body is a request body in memory. Requests with any other body are passed to Config.Next.
type Body interface {
	io.ReadCloser
	// Use calls f with the unread bytes, which remain valid until f returns. f returns the number of bytes that it
	// consumed.
	Use(f func(rest []byte) (int, error)) (int, error)
}

// Config is the configuration of a Transport. All fields except Proxy are required.
type Config struct {
	// Dial opens TCP connections, as the method of net.Dialer does.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Next sends the requests that this package does not support.
	Next interface {
		http.RoundTripper
		CloseIdleConnections()
	}
	// Proxy is like Proxy of http.Transport. Requests to a proxy are passed to Next. Nil means no proxy.
	Proxy func(*http.Request) (*url.URL, error)
	// MaxIdlePerHost is the maximum number of idle connections to one host. IdleTimeout is the time after which an idle
	// connection is closed.
	MaxIdlePerHost int
	IdleTimeout    time.Duration
}

// A Transport is an http.RoundTripper that reuses connections. It is safe for concurrent use.
type Transport struct {
	cfg Config

	mu      sync.Mutex
	idle    map[string][]*conn // idle connections by host, in the order of their last use
	sweeper *time.Timer        // closes old idle connections and those that the server has closed; nil before the first idle connection
	armed   bool               // whether the timer of sweeper is set
	closing bool               // whether CloseIdleConnections was called after the last request
}

// sweepTime is the interval of checks of idle connections.
const sweepTime = 5 * time.Second

// New creates a Transport.
func New(cfg Config) *Transport {
	return &Transport{cfg: cfg, idle: map[string][]*conn{}}
}

// RoundTrip sends a request and returns the response when its header has arrived. It closes the request's body,
// possibly after it has returned, since a server may respond early. Reading the response body to its end makes the
// connection reusable. Closing the body earlier, or cancelling the request's context, closes the connection. Close of
// the response body may be called concurrently with Read.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !t.canSend(req) {
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
	return c.readResponse(req)
}

// CloseIdleConnections closes idle connections. Connections of requests in flight are closed at their end, unless a
// further request was sent.
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

// ask sends a request on an idle connection to its host that the server has not closed, or on a new one. If it returns
// an error, nothing was sent.
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

// pop returns the idle connection to a host that was used last, or nil if there is none.
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

// put makes a connection idle for another request. It closes the connection if the host has MaxIdlePerHost idle ones,
// or if CloseIdleConnections was called after the last request.
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

// arm sets the timer of the next sweep. The caller holds t.mu.
func (t *Transport) arm() {
	t.armed = true
	after := min(t.cfg.IdleTimeout, sweepTime)
	if t.sweeper == nil {
		t.sweeper = time.AfterFunc(after, t.sweep)
		return
	}
	t.sweeper.Reset(after)
}

// sweep closes idle connections that are too old or that their servers have closed. It sets the timer again if others
// remain.
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
