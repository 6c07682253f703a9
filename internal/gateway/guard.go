package gateway

import (
	"errors"
	"net/http"
	"runtime/debug"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/wire"
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
		x := exchangeOf(w)
		x.wire = client.Name()
		defer func() { s.settle(r.Context(), x) }()
		defer func() { s.caught(recover(), client, w, r) }()
		caller, err := s.admit(r)
		if err == nil {
			x.caller = caller
			r = s.withCaller(r, caller)
			err = allow(caller, r)
		}
		x.admitted = err == nil && ok && r.Method == http.MethodPost
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

// outside lets requests through to a handler of the program's own. A panic becomes an error for its client alone.
func (s *Server) outside(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, _ := s.codecOf(r)
		defer func() { s.caught(recover(), client, w, r) }()
		h.ServeHTTP(w, r)
	})
}

// keyed lets a request through to a handler of the program's own when it has a key that is for it, also while the server drains.
func (s *Server) keyed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, _ := s.codecOf(r)
		defer func() { s.caught(recover(), client, w, r) }()
		caller, err := s.authentic(r)
		if err == nil {
			exchangeOf(w).caller = caller
			r = s.withCaller(r, caller)
			err = allow(caller, r)
		}
		if err != nil {
			s.fail(client, w, r, err)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// caught turns a panic into an error for this client only. An aborted stream goes on to the server, which resets the
// connection.
func (s *Server) caught(p any, front wire.Front, w http.ResponseWriter, r *http.Request) {
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
	e, x := asError(err), exchangeOf(w)
	switch {
	case e.Report != nil || !x.admitted:
	case x.report != nil: // the answer is there, and could not be written
		told := *e
		told.Report = x.report
		e = &told
	default:
		e = withoutAttempts(e, x.asked)
	}
	x.failed = e
	if e.Report != nil {
		x.answered(e.Report)
		s.keepReport(x, r, e.Report)
	}
	if e.Kind == callwright.KindCanceled && r.Context().Err() != nil {
		return // nobody is there to read it
	}
	shown := presentable(e)
	status, header, body := front.EncodeError(shown)
	out := w.Header()
	for k, v := range header {
		out[http.CanonicalHeaderKey(k)] = v
	}
	if e.Report != nil {
		out.Set(reportHeader, headerOf(e.Report))
	}
	out.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// withoutAttempts returns an error with the report of a request that no model was asked for.
func withoutAttempts(e *callwright.Error, asked callwright.ModelID) *callwright.Error {
	out := *e
	out.Report = &callwright.Report{ID: mint.ID("rep_"), Model: asked, Attempts: []callwright.Attempt{},
		Notes: []callwright.Note{callwright.Note{Rule: "request.refused", Path: e.Path, Why: e.Error()}.Graded()}}
	return &out
}
