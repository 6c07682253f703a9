package provider

import (
	"io"
	"net/http"
	"sync/atomic"

	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider/internal/http1"
)

// An encoded is a request's body in memory that is used again for a further one, once whoever made it and every try
// that sends it has released it: a transport may still be sending when the answer is there.
type encoded struct {
	bytes  []byte
	memory *memory // nil for memory of somebody else
	users  atomic.Int32
	// renewed says that the provider refused the credentials of a try, and that it was made again with others. Only who
	// sends it uses this.
	renewed bool
}

// A memory is the memory that a body is encoded into.
type memory struct{ b []byte }

var bodies = pool.New(func(m *memory) [][]byte { return [][]byte{m.b} })

// newEncoded makes an encoded with one user, the caller.
func newEncoded(b []byte, m *memory) *encoded {
	e := &encoded{bytes: b, memory: m}
	e.users.Store(1)
	return e
}

// acquire keeps the memory until release. It reports false when the memory was given back already.
func (e *encoded) acquire() bool {
	for {
		n := e.users.Load()
		if n == 0 {
			return false
		}
		if e.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release undoes one acquire. With the last one the memory is used for the next body.
func (e *encoded) release() {
	if e.users.Add(-1) > 0 || e.memory == nil {
		return
	}
	if cap(e.bytes) <= maxScratch {
		e.memory.b = e.bytes[:0]
		bodies.Put(e.memory)
	}
}

// A requestBody reads an encoded for one try, and holds it until it is closed. Close may be called during a Read, as
// HTTP/2 does.
type requestBody struct {
	of     *encoded
	at     int
	closed atomic.Bool
}

var _ http1.Body = (*requestBody)(nil)

// reader is the body for one try.
func (e *encoded) reader() (io.ReadCloser, error) {
	if !e.acquire() {
		return nil, http.ErrBodyReadAfterClose
	}
	return &requestBody{of: e}, nil
}

// Use calls f with the unread bytes, which keep their place in memory until f returns. f returns how many of them were
// read.
func (b *requestBody) Use(f func(rest []byte) (int, error)) (int, error) {
	if b.closed.Load() || !b.of.acquire() {
		return 0, http.ErrBodyReadAfterClose
	}
	defer b.of.release()
	n, err := f(b.of.bytes[b.at:])
	b.at += n
	return n, err
}

// Read reads the next bytes.
func (b *requestBody) Read(p []byte) (int, error) {
	return b.Use(func(rest []byte) (int, error) {
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
