package provider

import (
	"io"
	"net/http"
	"sync/atomic"

	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider/internal/http1"
)

// An encoded is an encoded request body in pooled memory. The memory returns to the pool when the encoder and all tries
// that send the body have released it. A transport may still send the body after the response has arrived.
type encoded struct {
	bytes  []byte
	memory *memory // nil if the memory is not pooled
	users  atomic.Int32
	// renewed reports whether the provider refused the credentials of a try, which was then repeated with new ones. Only
	// the goroutine that sends the body uses it.
	renewed bool
}

// A memory is a buffer for an encoded request body.
type memory struct{ b []byte }

var bodies = pool.New(func(m *memory) [][]byte { return [][]byte{m.b} })

// newEncoded returns an encoded for the bytes b in the buffer m. The caller is its first user and must release it.
func newEncoded(b []byte, m *memory) *encoded {
	e := &encoded{bytes: b, memory: m}
	e.users.Store(1)
	return e
}

// acquire adds a user of the memory, which must call release. It returns false if the memory was returned to the pool
// already.
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

// release removes a user. After the last release the memory returns to the pool, except a buffer larger than
// maxScratch.
func (e *encoded) release() {
	if e.users.Add(-1) > 0 || e.memory == nil {
		return
	}
	if cap(e.bytes) <= maxScratch {
		e.memory.b = e.bytes[:0]
		bodies.Put(e.memory)
	}
}

// A requestBody reads an encoded for one try. It is a user of the memory until Close. Close may be called during Read,
// as HTTP/2 does.
type requestBody struct {
	of     *encoded
	at     int
	closed atomic.Bool
}

var _ http1.Body = (*requestBody)(nil)

// reader returns the body for one try. The caller must close it.
func (e *encoded) reader() (io.ReadCloser, error) {
	if !e.acquire() {
		return nil, http.ErrBodyReadAfterClose
	}
	return &requestBody{of: e}, nil
}

// Use calls f with the unread bytes, which remain valid until f returns. f returns the number of bytes that it
// consumed.
func (b *requestBody) Use(f func(rest []byte) (int, error)) (int, error) {
	if b.closed.Load() || !b.of.acquire() {
		return 0, http.ErrBodyReadAfterClose
	}
	defer b.of.release()
	n, err := f(b.of.bytes[b.at:])
	b.at += n
	return n, err
}

// Read reads the next bytes. It returns io.EOF together with the last bytes.
func (b *requestBody) Read(p []byte) (int, error) {
	return b.Use(func(rest []byte) (int, error) {
		n := copy(p, rest)
		if n == len(rest) {
			return n, io.EOF
		}
		return n, nil
	})
}

// Close releases the memory. Further reads fail.
func (b *requestBody) Close() error {
	if !b.closed.Swap(true) {
		b.of.release()
	}
	return nil
}
