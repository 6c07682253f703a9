package gateway

import (
	"errors"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/wire"
)

// guard returns a function that serves the routes of a path. It rejects requests without a suitable key, and all
// requests while the server drains. Errors and panics become an error in the format of the client's API.
func (s *Server) guard(at pathRoutes) func(x *exchange, r *http.Request) {
	fixed, _, _ := strings.Cut(at[0].path, "{")
	return func(x *exchange, r *http.Request) {
		route, ok := at.forMethod(r.Method)
		client := route.codec
		if client == nil {
			client, _ = s.codecOf(r)
		}
		x.wire, x.id = client.Name(), strings.TrimPrefix(r.URL.Path, fixed)
		defer func() { s.settle(r.Context(), x) }()
		defer func() { s.answerPanic(recover(), client, x, r) }()
		caller, err := s.admit(r)
		if err == nil {
			x.caller = caller
			err = allowRequest(caller, r)
		}
		x.admitted = err == nil && ok && r.Method == http.MethodPost
		switch {
		case err != nil:
		case ok:
			err = route.serve(s, client, x, r)
		default:
			err = at.methodError(x, r)
		}
		if err != nil {
			s.fail(client, x, r, err)
		}
	}
}

// serveHandler serves a handler of Config.Handlers. It turns a panic into an error for this client.
func (s *Server) serveHandler(x *exchange, r *http.Request) {
	client, _ := s.codecOf(r)
	defer func() { s.answerPanic(recover(), client, x, r) }()
	s.mux.ServeHTTP(x, r)
}

// serveKeyedHandler serves a handler of Config.KeyedHandlers to requests with a suitable key, even while the server
// drains.
func (s *Server) serveKeyedHandler(x *exchange, r *http.Request) {
	client, _ := s.codecOf(r)
	defer func() { s.answerPanic(recover(), client, x, r) }()
	caller, err := s.authenticate(r)
	if err == nil {
		x.caller = caller
		err = allowRequest(caller, r)
	}
	if err != nil {
		s.fail(client, x, r, err)
		return
	}
	s.mux.ServeHTTP(x, r)
}

// answerPanic writes an error to the client if p, the result of recover, is not nil. If p is http.ErrAbortHandler, it
// panics with p again, so that net/http resets the connection of an aborted stream.
func (s *Server) answerPanic(p any, front wire.Front, x *exchange, r *http.Request) {
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	s.logPanic(r, p)
	s.fail(front, x, r, &callwright.Error{Kind: callwright.KindInternal, Message: failedHere})
}

const failedHere = "the gateway failed with an internal error"

func (s *Server) logPanic(r *http.Request, p any) {
	s.cfg.Logger.Error("panic", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
}

// fail writes an error in the format of the client's API and stores its report. If the request was admitted and has no
// report yet, fail creates one.
func (s *Server) fail(front wire.Front, x *exchange, r *http.Request, err error) {
	e := asError(err)
	switch {
	case e.Report != nil || !x.admitted:
	case x.report != nil: // the response exists but could not be written
		told := *e
		told.Report = x.report
		e = &told
	default:
		e = x.withRefusal(e)
	}
	e = x.withoutCredentials(e)
	s.keepFailure(x, r, e)
	if e.Kind == callwright.KindCanceled && r.Context().Err() != nil {
		return // the client has left
	}
	shown := presentable(e)
	status, header, body := front.EncodeError(shown)
	out := x.Header()
	for k, v := range header {
		out[http.CanonicalHeaderKey(k)] = v
	}
	if e.Report != nil {
		came, _ := x.ending.Outcome()
		out.Set(reportHeader, headerOf(e.Report, came))
	}
	out.Set("Content-Type", "application/json")
	x.WriteHeader(status)
	_, _ = x.Write(body)
}

// withRefusal returns e with a new report for a request that was rejected before any model was called.
func (x *exchange) withRefusal(e *callwright.Error) *callwright.Error {
	out := *e
	out.Report = x.emptyReport()
	out.Report.Notes = append(out.Report.Notes, callwright.Note{Rule: "request.refused", Path: e.Path, Why: e.Error()}.Classify())
	return &out
}

// emptyReport returns a report without attempts.
func (x *exchange) emptyReport() *callwright.Report {
	id := x.reportID
	if id == "" {
		id = mint.ID("rep_")
	}
	return &callwright.Report{ID: id, Model: x.asked, Attempts: []callwright.Attempt{}, Notes: []callwright.Note{}}
}

func asError(err error) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Kind: callwright.KindInternal, Err: err}
}
