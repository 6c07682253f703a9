package gateway

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
)

// guard lets a request through to what is served at a path when it has a key and the server is not draining. Errors and
// panics become an error in the shape of the client's wire.
func (s *Server) guard(at pathRoutes) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		way, ok := at.pick(r.Method)
		client := way.codec
		if client == nil {
			client, _ = s.codecOf(r)
		}
		defer s.caught(client, w, r)
		err := s.admit(r)
		switch {
		case err != nil:
		case ok:
			err = way.serve(s, client, w, r)
		default:
			err = at.refuse(w, r)
		}
		if err != nil {
			s.fail(client, w, r, err)
		}
	})
}

// caught turns a panic into an error for this client only. An aborted stream goes on to the server, which resets the
// connection.
func (s *Server) caught(front wire.Front, w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	s.panicked(r, p)
	s.fail(front, w, r, &callwright.Error{Kind: callwright.KindInternal, Message: failedHere})
}

const failedHere = "the gateway failed on this request"

func (s *Server) panicked(r *http.Request, p any) {
	s.cfg.Logger.Error("panic", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
}

// fail answers with an error in the wire's shape.
func (s *Server) fail(front wire.Front, w http.ResponseWriter, r *http.Request, err error) {
	e := asError(err)
	if e.Kind == callwright.KindCanceled && r.Context().Err() != nil {
		return // nobody is there to read it
	}
	status, header, body := front.EncodeError(e)
	out := w.Header()
	for k, v := range header {
		out[http.CanonicalHeaderKey(k)] = v
	}
	if e.Report != nil {
		s.reports.keep(e.Report)
		out.Set(reportHeader, headerOf(e.Report))
	}
	out.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
	s.cfg.Logger.LogAttrs(context.Background(), levelOf(status), "failed", failedAttrs(r, e, status)...)
}
