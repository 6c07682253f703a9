// Package clientconn has the connections of a server's clients.
package clientconn

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A conn is a connection that sets its deadlines when somebody waits. A server sets half a dozen for each request, and
// hardly ever waits for one: each of a net.Conn takes a timer of the poller, set and cleared again. One goroutine at a
// time may write, as http.Server does.
type conn struct {
	net.Conn
	reads, writes deadline
}

// New returns the connection with such deadlines. It is another one than c, but for one whose type http.Server asks
// for, as those of TLS.
func New(c net.Conn) net.Conn {
	switch c.(type) {
	case *net.TCPConn, *net.UnixConn:
	default:
		return c
	}
	return newConn(c)
}

func newConn(c net.Conn) *conn {
	began := time.Now()
	return &conn{Conn: c, reads: deadline{set: c.SetReadDeadline, began: began}, writes: deadline{set: c.SetWriteDeadline, began: began}}
}

// Read returns the available bytes, after waiting for some.
func (c *conn) Read(p []byte) (n int, err error) {
	for again := true; again; again = c.reads.endWait(err) {
		c.reads.wait()
		n, err = c.Conn.Read(p)
	}
	return n, err
}

// Write writes all of p, unless it fails before.
func (c *conn) Write(p []byte) (n int, err error) {
	for again := true; again; again = c.writes.endWait(err) {
		c.writes.wait()
		var m int
		m, err = c.Conn.Write(p[n:])
		n += m
	}
	return n, err
}

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(t time.Time) error { return errors.Join(c.reads.want(t), c.writes.want(t)) }

// SetReadDeadline sets when reads fail, also one that is waiting.
func (c *conn) SetReadDeadline(t time.Time) error { return c.reads.want(t) }

// SetWriteDeadline sets when writes fail, also one that is waiting.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.writes.want(t) }

// A deadline is one that a connection is told of where somebody waits who would miss it: an earlier one that the
// connection has is left to pass first. It is safe for concurrent use.
type deadline struct {
	set   func(time.Time) error // of the connection
	began time.Time             // of the connection: what is earlier has passed

	mu      sync.Mutex
	wanted  time.Time // zero is never
	armed   time.Time // the one that the connection has, zero for none
	waiting int
}

// want sets the deadline.
func (d *deadline) want(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.waiting > 0 {
		return d.arm()
	}
	return nil
}

// wait says that somebody is about to wait.
func (d *deadline) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting++
	missed := !d.wanted.IsZero() && (d.armed.IsZero() || d.wanted.Before(d.armed))
	// The second case is the time in the past by which http.Server ends a read: a wait would find it first, and begin
	// again.
	if missed || !d.armed.IsZero() && d.armed.Before(d.began) && !d.armed.Equal(d.wanted) {
		_ = d.arm() // it fails where the connection is closed, as the wait does then
	}
}

// endWait ends a wait with err. It reports whether an earlier time than the deadline ended it, so that it has to be
// repeated.
func (d *deadline) endWait(err error) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting--
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || !d.wanted.IsZero() && !time.Now().Before(d.wanted) {
		return false
	}
	return d.arm() == nil
}

func (d *deadline) arm() error {
	d.armed = d.wanted
	return d.set(d.wanted)
}
