package gateway

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// DefaultPassthrough names the forwarded endpoints if Config.Passthrough is nil.
var DefaultPassthrough = []string{"embeddings"}

// A passer is a model whose provider accepts forwarded requests, such as for embeddings. Passes reports whether it has
// the endpoint p. Pass forwards a body to p and returns the provider's response.
type passer interface {
	Passes(p *provider.Passage) bool
	Pass(ctx context.Context, p *provider.Passage, contentType string, body []byte) (*provider.Passed, error)
}

// The header and the query parameter in which a client may name the model if the body does not.
const (
	modelHeader = "Callwright-Model"
	modelParam  = "model"
)

// passageHandler returns a handler that forwards requests to the endpoint p of a provider.
func passageHandler(p *provider.Passage) handler {
	return func(s *Server, _ wire.Codec, x *exchange, r *http.Request) error {
		if !x.settings.canForward(p) {
			return notOpen(p)
		}
		return s.readAndPass(x, r, p, "")
	}
}

// canForward reports whether requests for the endpoint p are forwarded to providers.
func (n *settings) canForward(p *provider.Passage) bool {
	return slices.Contains(n.passthrough, p.Name)
}

func notOpen(p *provider.Passage) error {
	return &callwright.Error{Kind: callwright.KindNotServed,
		Message: "requests for " + p.Name + " are not passed through: add " + p.Name + " to passthrough in the configuration"}
}

// readAndPass forwards a request to the provider of its model, and the response to the client. Only the model name in
// the body changes. pathModel is the model named by the path, "" for none.
func (s *Server) readAndPass(x *exchange, r *http.Request, p *provider.Passage, pathModel string) error {
	kind := r.Header.Get("Content-Type")
	read, err := s.borrowBody(x, r)
	if err != nil {
		return err
	}
	body := read.Bytes
	name := cmp.Or(pathModel, r.Header.Get(modelHeader), r.URL.Query().Get(modelParam))
	inside, err := modelOf(kind, body)
	if err != nil {
		return err
	}
	if name = cmp.Or(name, inside); name == "" {
		return &callwright.Error{Kind: callwright.KindInvalid, Path: "/model",
			Message: "expected the model in the member model of the body, in the query parameter model or in the header " +
				modelHeader + ", got none"}
	}
	return s.passBody(x, r, p, name, kind, body)
}

// passBody forwards a body of content type kind to the endpoint p of the provider of the model name.
func (s *Server) passBody(x *exchange, r *http.Request, p *provider.Passage, name, kind string, body []byte) error {
	x.asked = callwright.ModelID(name)
	client, err := s.resolve(x, name)
	if err != nil {
		return err
	}
	model, ok := client.First().(passer)
	if !ok || !model.Passes(p) {
		return &callwright.Error{Kind: callwright.KindNotServed,
			Message: "the provider of " + strconv.Quote(callwright.Excerpt(name)) + " does not support requests for " + p.Name +
				" of the API " + string(p.Wire) + ": use a model of a provider with this API"}
	}
	if err := s.reserve(x, r, client, &callwright.Request{}, body); err != nil {
		return err
	}
	answer, err := model.Pass(s.withNotices(provider.Forward(r.Context(), r.Header), ""), p, kind, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	x.passed = client.ID()
	h := x.Header()
	h.Set(reportHeader, "passed="+string(client.ID()))
	if answer.ContentType != "" {
		h.Set("Content-Type", answer.ContentType)
	}
	if answer.Length >= 0 {
		h.Set("Content-Length", strconv.FormatInt(answer.Length, 10))
	}
	x.WriteHeader(http.StatusOK)
	s.copyAnswer(x, r, answer.Body)
	return nil
}

// copyAnswer copies a response to the client as it arrives. If it breaks off, copyAnswer resets the connection, so that
// the client does not take it for complete.
func (s *Server) copyAnswer(x *exchange, r *http.Request, from io.Reader) {
	rc := http.NewResponseController(x)
	loan := pool.Borrow(leastPending)
	defer loan.Return()
	buf := loan.Bytes[:cap(loan.Bytes)]
	for {
		n, err := from.Read(buf)
		if n > 0 {
			_ = rc.SetWriteDeadline(time.Now().Add(s.cfg.Patience))
			if _, failed := x.Write(buf[:n]); failed != nil || rc.Flush() != nil {
				panic(http.ErrAbortHandler) // the client has left
			}
		}
		switch {
		case err == io.EOF:
			return
		case err != nil:
			x.failed = x.withoutCredentials(asError(err))
			if r.Context().Err() == nil {
				s.cfg.Logger.Warn("passed-through answer ended early", "path", callwright.Excerpt(r.URL.Path), "error", x.failed)
			}
			panic(http.ErrAbortHandler)
		}
	}
}

// modelOf returns the model named in a body of content type kind: the member model of a JSON object, or the field model
// of a multipart form. It returns "" if there is none.
func modelOf(kind string, body []byte) (string, error) {
	value, form, failed := provider.FormField(kind, body, "model")
	switch {
	case failed != nil:
		return "", failed
	case form:
		return strings.TrimSpace(string(value)), nil
	case mediaType(kind) != mediaJSON && mediaType(kind) != mediaForm:
		return "", &callwright.Error{Kind: callwright.KindMediaType,
			Message: "expected content type application/json or multipart/form-data, got " + strconv.Quote(callwright.Excerpt(kind))}
	case !jsonx.ValidObject(body):
		return "", &callwright.Error{Kind: callwright.KindInvalid, Message: "expected a JSON object"}
	}
	name, n := "", 0
	for k, v := range jsonx.Members(body) {
		if k.Is("model") {
			name = jsonx.TextOf(v)
			n++
		}
	}
	if n > 1 {
		return "", &callwright.Error{Kind: callwright.KindInvalid, Path: "/model", Message: "expected each member once, got it twice"}
	}
	return name, nil
}
