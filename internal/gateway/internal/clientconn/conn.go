// Package clientconn wraps the network connections of an HTTP server to set deadlines at lower cost.
package clientconn

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A conn sets the deadlines of its connection only when a read or write may block. http.Server sets about six deadlines
// per request and rarely waits for one, while each deadline of a net.Conn costs a runtime timer. Only one goroutine may
// write at a time, as in http.Server.
type conn struct {
	net.Conn
	reads, writes deadline
}

// New returns c wrapped in a conn. It returns c itself if it is not a TCP or Unix connection, because http.Server
// checks for types such as *tls.Conn.
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

// Read reads from the connection. It blocks until data, an error or the deadline.
func (c *conn) Read(p []byte) (n int, err error) {
	for again := true; again; again = c.reads.endWait(err) {
		c.reads.wait()
		n, err = c.Conn.Read(p)
	}
	return n, err
}

// Write writes all of p unless an error occurs.
func (c *conn) Write(p []byte) (n int, err error) {
	for again := true; again; again = c.writes.endWait(err) {
		c.writes.wait()
		var m int
		m, err = c.Conn.Write(p[n:])
		n += m
	}
	return n, err
}

// SetDeadline sets the read and the write deadline.
func (c *conn) SetDeadline(t time.Time) error { return errors.Join(c.reads.want(t), c.writes.want(t)) }

// SetReadDeadline sets the deadline of reads, including a blocked one.
func (c *conn) SetReadDeadline(t time.Time) error { return c.reads.want(t) }

// SetWriteDeadline sets the deadline of writes, including a blocked one.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.writes.want(t) }

// A deadline is passed on to the connection only when a blocked goroutine would miss it. If the connection has an
// earlier deadline, that one expires first and the wait is repeated. It is safe for concurrent use.
type deadline struct {
	set   func(time.Time) error // the method of the connection
	began time.Time             // when the connection was wrapped; earlier times are in the past

	mu      sync.Mutex
	wanted  time.Time // requested deadline; zero for none
	armed   time.Time // deadline set on the connection; zero for none
	waiting int
}

// want sets the deadline that the user of the conn requested. If a read or write is blocked, it also sets the deadline
// of the underlying connection.
func (d *deadline) want(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.waiting > 0 {
		return d.arm()
	}
	return nil
}

// wait must be called before a read or write that may block. It sets the requested deadline on the connection if the
// blocked goroutine would miss it.
func (d *deadline) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting++
	missed := !d.wanted.IsZero() && (d.armed.IsZero() || d.wanted.Before(d.armed))
	// In the second case, the connection still has the past deadline by which http.Server ends a read. The wait would fail
	// at once and be repeated.
	if missed || !d.armed.IsZero() && d.armed.Before(d.began) && !d.armed.Equal(d.wanted) {
		_ = d.arm() // fails if the connection is closed, as will the wait
	}
}

// endWait must be called after a read or write that returned err. It returns true if the operation must be repeated,
// because the deadline of the underlying connection expired before the requested one.
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
