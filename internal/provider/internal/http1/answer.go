package http1

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// An answer is the body of an answer. Close may be called during a Read, which then fails.
type answer struct {
	c      *conn
	ctx    context.Context
	in     io.Reader
	last   bool        // the connection has no further answer
	ended  atomic.Bool // the connection was given up: it may have another request
	closed atomic.Bool
}

var _ io.ReadCloser = (*answer)(nil)

// Read reads on. The end of the answer leaves the connection to another request.
func (a *answer) Read(p []byte) (int, error) {
	if a.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := a.in.Read(p)
	switch {
	case err == io.EOF:
		a.end(true)
	case err != nil:
		a.end(false)
		if a.ctx.Err() != nil {
			err = context.Cause(a.ctx)
		}
	}
	return n, err
}

// Wait waits until there is something to read, or an error, without memory to read it into. A Read may have to wait all
// the same.
func (a *answer) Wait() {
	if !a.ended.Load() {
		a.c.wait()
	}
}

// Close closes the connection of an answer that was not read to its end.
func (a *answer) Close() error {
	a.closed.Store(true)
	a.end(false)
	return nil
}

// end gives the connection up, whole says that all of the answer was read.
func (a *answer) end(whole bool) {
	switch {
	case a.ended.Swap(true):
	case whole && !a.last:
		a.c.release()
	default:
		_ = a.c.close()
	}
}
