package gateway

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/anthropic"
	"github.com/callwright/callwright/wire/openai"
)

// A handler answers a request or says in an error why not.
type handler func(w http.ResponseWriter, r *http.Request) error

// guard lets a request through to h when it has a key and the server is not draining. Errors and panics of h become an
// error in the wire's shape.
func (s *Server) guard(front wire.Front, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.caught(front, w, r)
		err := s.admit(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			s.fail(front, w, r, err)
		}
	})
}

// guardAny is guard for paths that clients of every wire use.
func (s *Server) guardAny(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.guard(frontOf(r), h).ServeHTTP(w, r) })
}

// frontOf tells a client's wire by what only its wire sends.
func frontOf(r *http.Request) wire.Codec {
	if r.Header.Get("anthropic-version") != "" || r.URL.Query().Get("wire") == "anthropic" || strings.HasPrefix(r.URL.Path, "/v1/messages") {
		return anthropic.Codec{}
	}
	return openai.Codec{}
}

func (s *Server) admit(r *http.Request) error {
	if s.draining.Load() {
		return &callwright.Error{Kind: callwright.KindDraining, Message: "the gateway is shutting down"}
	}
	if len(s.keys) == 0 {
		return nil
	}
	given := [][]byte{[]byte(r.Header.Get("x-api-key")), []byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))}
	known := 0
	for _, k := range s.keys {
		for _, g := range given { // clients with a key for their vendor send that one too
			known |= subtle.ConstantTimeCompare(k, g)
		}
	}
	if known == 0 {
		return &callwright.Error{Kind: callwright.KindAuth, Message: "this gateway asks for a key: send it as a bearer token or in x-api-key"}
	}
	return nil
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

func wrongMethod(allowed string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Allow", allowed)
		return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed,
			Message: "expected " + allowed + ", got " + r.Method}
	}
}

func (s *Server) nowhere(_ http.ResponseWriter, r *http.Request) error {
	return &callwright.Error{Kind: callwright.KindNotFound, Message: "nothing is served at " + r.Method + " " + r.URL.Path}
}
