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

// DefaultPassthrough names the passages that are open where nothing is said of them.
var DefaultPassthrough = []string{"embeddings"}

// A passer is a model whose provider takes requests of other kinds than those for an answer.
type passer interface {
	Passes(p *provider.Passage) bool
	Pass(ctx context.Context, p *provider.Passage, contentType string, body []byte) (*provider.Passed, error)
}

// Where a client may name the model that the body does not name: a header, and a parameter of the query.
const (
	modelHeader = "Callwright-Model"
	modelParam  = "model"
)

// passageHandler returns the handler of a passage.
func passageHandler(p *provider.Passage) handler {
	return func(s *Server, _ wire.Codec, x *exchange, r *http.Request) error {
		if !x.settings.opens(p) {
			return notOpen(p)
		}
		return s.readAndPass(x, r, p, "")
	}
}

// opens reports whether requests of a passage go on to providers.
func (n *settings) opens(p *provider.Passage) bool { return slices.Contains(n.passthrough, p.Name) }

func notOpen(p *provider.Passage) error {
	return &callwright.Error{Kind: callwright.KindNotServed,
		Message: "requests for " + p.Name + " are not passed on here: name " + p.Name + " under passthrough in the configuration"}
}

// readAndPass sends a request on to the provider of the model that it names, and the answer back, byte for byte but for
// the model's name. said is the model that the path names, "" for none.
func (s *Server) readAndPass(x *exchange, r *http.Request, p *provider.Passage, said string) error {
	kind := r.Header.Get("Content-Type")
	read, err := s.borrowBody(x, r)
	if err != nil {
		return err
	}
	body := read.Bytes
	name := cmp.Or(said, r.Header.Get(modelHeader), r.URL.Query().Get(modelParam))
	inside, err := modelOf(kind, body)
	if err != nil {
		return err
	}
	if name = cmp.Or(name, inside); name == "" {
		return &callwright.Error{Kind: callwright.KindInvalid, Path: "/model",
			Message: "expected the model's name as model in the body, in the query or in the header " + modelHeader + ", got none"}
	}
	return s.passBody(x, r, p, name, kind, body)
}

// passBody sends a body that was read to the provider of a model.
func (s *Server) passBody(x *exchange, r *http.Request, p *provider.Passage, name, kind string, body []byte) error {
	x.asked = callwright.ModelID(name)
	client, err := s.resolve(x, name)
	if err != nil {
		return err
	}
	model, ok := client.First().(passer)
	if !ok || !model.Passes(p) {
		return &callwright.Error{Kind: callwright.KindNotServed,
			Message: "the provider of " + strconv.Quote(callwright.Excerpt(name)) + " takes no requests for " + p.Name +
				" in the form of the wire " + string(p.Wire) + ": name a model of a provider that speaks it"}
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

// copyAnswer sends an answer on as it comes. One that breaks off ends the connection, so that it does not pass for a
// whole one.
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
				panic(http.ErrAbortHandler) // the client has gone
			}
		}
		switch {
		case err == io.EOF:
			return
		case err != nil:
			x.failed = x.withoutCredentials(asError(err))
			if r.Context().Err() == nil {
				s.cfg.Logger.Warn("an answer that was passed on broke off", "path", callwright.Excerpt(r.URL.Path), "error", x.failed)
			}
			panic(http.ErrAbortHandler)
		}
	}
}

// modelOf returns the model that a body names: as a member of a JSON object, or as a field of a form in parts.
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
