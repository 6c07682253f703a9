package provider

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/callwright/callwright/internal/pool"
)

// An encoded is a request's body in memory that is used again for a further one, once whoever made it and every try that sends it has
// released it: a transport may still be sending when the answer is there.
type encoded struct {
	bytes  []byte
	memory *memory // nil for memory of somebody else
	held   atomic.Int32
}

// A memory is what a body is encoded into.
type memory struct{ b []byte }

var bodies = pool.New(func(m *memory) [][]byte { return [][]byte{m.b} })

// newEncoded makes an encoded that is held by the caller.
func newEncoded(b []byte, m *memory) *encoded {
	e := &encoded{bytes: b, memory: m}
	e.held.Store(1)
	return e
}

// hold keeps the memory until release. It fails where it was given back already.
func (e *encoded) hold() bool {
	for {
		n := e.held.Load()
		if n == 0 {
			return false
		}
		if e.held.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release gives up one hold. With the last one the memory is used for the next body.
func (e *encoded) release() {
	if e.held.Add(-1) > 0 || e.memory == nil {
		return
	}
	if cap(e.bytes) <= maxScratch {
		e.memory.b = e.bytes[:0]
		bodies.Put(e.memory)
	}
}

// A requestBody reads an encoded for one try, and holds it until it is closed. Close may be called during a Read, as HTTP/2 does.
type requestBody struct {
	of     *encoded
	at     int
	closed atomic.Bool
}

// reader is the body for one try.
func (e *encoded) reader() (io.ReadCloser, error) {
	if !e.hold() {
		return nil, http.ErrBodyReadAfterClose
	}
	return &requestBody{of: e}, nil
}

// use calls f with what is left, which keeps its place in memory until f returns. f returns how much of it was read.
func (b *requestBody) use(f func(rest []byte) (int, error)) (int, error) {
	if b.closed.Load() || !b.of.hold() {
		return 0, http.ErrBodyReadAfterClose
	}
	defer b.of.release()
	n, err := f(b.of.bytes[b.at:])
	b.at += n
	return n, err
}

// Read reads the next bytes.
func (b *requestBody) Read(p []byte) (int, error) {
	return b.use(func(rest []byte) (int, error) {
		n := copy(p, rest)
		if n == len(rest) {
			return n, io.EOF
		}
		return n, nil
	})
}

// Close ends the reading.
func (b *requestBody) Close() error {
	if !b.closed.Swap(true) {
		b.of.release()
	}
	return nil
}

// A bodyConn writes a request's head and its requestBody at once, from where they lie. Any other connection gets the head first, since net/http
// does not know that the body is in memory (transfer.go, isKnownInMemoryReader), and then the body copied, in pieces of 32 KB with a
// system call each: it limits a body to its length, by an io.LimitedReader that hides what the body can do (transferWriter.writeBody).
type bodyConn struct {
	*net.TCPConn
	head []byte // what waits for the body
}

var (
	headStart = []byte("POST ")
	headEnd   = []byte("\r\n\r\n")
)

// Write writes p, or keeps it where it is the whole head of a request with a body: that is written next, by ReadFrom.
func (c *bodyConn) Write(p []byte) (int, error) {
	switch {
	case len(c.head) > 0:
		return c.writeBoth(p)
	case bytes.HasPrefix(p, headStart) && bytes.HasSuffix(p, headEnd) && saysLength(p):
		c.head = append(c.head, p...)
		return len(p), nil
	}
	return c.TCPConn.Write(p)
}

// saysLength reports whether a head says that a body follows. One without a body is not written in two parts.
func saysLength(head []byte) bool {
	_, value, ok := bytes.Cut(head, []byte("\r\nContent-Length: "))
	return ok && value[0] != '0' && !bytes.Contains(head, []byte("\r\nExpect: "))
}

// ReadFrom writes what is left of r.
func (c *bodyConn) ReadFrom(r io.Reader) (int64, error) {
	l, ok := r.(*io.LimitedReader)
	if !ok {
		return c.copyFrom(r)
	}
	body, ok := l.R.(*requestBody)
	if !ok {
		return c.copyFrom(r)
	}
	n, err := body.use(func(rest []byte) (int, error) { return c.Write(rest[:min(int64(len(rest)), l.N)]) })
	l.N -= int64(n)
	return int64(n), err
}

// copyFrom writes what waits, and then what is left of any reader.
func (c *bodyConn) copyFrom(r io.Reader) (int64, error) {
	if len(c.head) > 0 {
		if _, err := c.writeBoth(nil); err != nil {
			return 0, err
		}
	}
	return c.TCPConn.ReadFrom(r)
}

// writeBoth writes what waits and p, and returns how much of p was written.
func (c *bodyConn) writeBoth(p []byte) (int, error) {
	defer func() { c.head = c.head[:0] }()
	if pool.Poisons { // the race detector takes a write for the cause of the read at its other end, but not one of several buffers (internal/poll)
		if _, err := c.TCPConn.Write(c.head); err != nil {
			return 0, err
		}
		return c.TCPConn.Write(p)
	}
	n, err := (&net.Buffers{c.head, p}).WriteTo(c.TCPConn)
	return max(int(n)-len(c.head), 0), err
}
