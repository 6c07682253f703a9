package simulate

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// NewTransport returns an http.RoundTripper that passes every request to a handler in this process, such as a [Server],
// whatever its URL. It needs no port. Responses are streamed: each write of the handler blocks until it is read. A
// handler that panics with [http.ErrAbortHandler] breaks the response body off.
func NewTransport(h http.Handler) http.RoundTripper { return inProcess{h} }

// inProcess is an http.RoundTripper that passes requests to a handler in this process.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		req = req.Clone(req.Context())
		req.Body = http.NoBody
	}
	ctx, cancel := context.WithCancel(req.Context())
	out, in := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: in, ready: make(chan struct{})}
	body := &pipeBody{PipeReader: out, cancel: cancel, done: make(chan struct{})}
	context.AfterFunc(ctx, func() { _ = out.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer close(body.done)
		w.play(t.handler, req.WithContext(ctx))
	}()
	select {
	case <-w.ready:
	case <-ctx.Done():
		_ = body.Close()
		return nil, context.Cause(ctx)
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.head, Body: body, ContentLength: -1, Request: req,
	}, nil
}

// A pipeBody is a response body. Close cancels the handler and waits until it returns.
type pipeBody struct {
	*io.PipeReader
	cancel context.CancelFunc
	done   chan struct{}
}

func (b *pipeBody) Close() error {
	_ = b.PipeReader.Close()
	b.cancel()
	<-b.done
	return nil
}

// A pipeWriter is the http.ResponseWriter of the handler. Its body is a pipe to the client.
type pipeWriter struct {
	header http.Header
	head   http.Header // copy of header at WriteHeader
	status int
	body   *io.PipeWriter
	ready  chan struct{}
}

func (w *pipeWriter) play(h http.Handler, req *http.Request) {
	defer func() {
		broken := recover()
		w.WriteHeader(http.StatusOK)
		switch err, _ := broken.(error); {
		case broken == nil && req.Context().Err() != nil:
			_ = w.body.CloseWithError(context.Cause(req.Context())) // canceled: the body is incomplete
		case broken == nil:
			_ = w.body.Close()
		case errors.Is(err, http.ErrAbortHandler):
			_ = w.body.CloseWithError(io.ErrUnexpectedEOF)
		default:
			panic(broken)
		}
	}()
	defer req.Body.Close()
	h.ServeHTTP(w, req)
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	if w.head == nil {
		w.status, w.head = status, w.header.Clone()
		close(w.ready)
	}
}

func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// Flush does nothing, because written bytes are read at once.
func (w *pipeWriter) Flush() {}

var _ http.Flusher = (*pipeWriter)(nil)
