package http1

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// A responseBody is the body of a response. Close may be called during a Read, which then fails.
type responseBody struct {
	c      *conn
	ctx    context.Context
	in     io.Reader
	last   bool        // whether the connection must be closed after this response
	ended  atomic.Bool // whether the connection was released or closed
	closed atomic.Bool
}

var _ io.ReadCloser = (*responseBody)(nil)

// Read reads from the body. At its end, the connection is released for another request.
func (a *responseBody) Read(p []byte) (int, error) {
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

// Wait waits until data or an error is available, without a buffer. A following Read may still block.
func (a *responseBody) Wait() {
	if !a.ended.Load() {
		a.c.wait()
	}
}

// Close closes the connection if the body was not read to its end.
func (a *responseBody) Close() error {
	a.closed.Store(true)
	a.end(false)
	return nil
}

// end gives up the connection. whole reports whether the body was read completely, so that the connection can be
// reused.
func (a *responseBody) end(whole bool) {
	switch {
	case a.ended.Swap(true):
	case whole && !a.last:
		a.c.release()
	default:
		_ = a.c.close()
	}
}
