package trace

import (
	"cmp"
	"context"
	"hash"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/session"
	"github.com/callwright/callwright/internal/wire/credential"
)

// Record makes a model that behaves like m, and has w record each request and its answer. Answers, events and errors
// pass unchanged, an event as soon as it comes. The entries of a request are written when it begins, when a body is
// sent, when the answer to it has come (see [Writer.Transport]), and when it has ended or the loop over its stream was
// stopped. The last one waits for the outcome where the context has an [outcome.Ending], which must then be decided.
// They are joined by the request's ReportID, which it is given where it has none. A failed write is in the Err of w and
// does not keep an answer back.
//
// The model has the ID and the Caps of m, where m has some, counts tokens where m does, and is a [callwright.Previewer]
// where m is one. Other powers of m, such as transforms of a configured model, are not passed on: a reliable client
// around it is recorded in its place.
func Record(m callwright.Model, w *Writer, opts ...RecordOption) callwright.Model {
	r := &recorder{model: m, w: w}
	for _, o := range opts {
		o(r)
	}
	if p, ok := m.(callwright.Previewer); ok {
		return &previewer{r, p}
	}
	return r
}

// A RecordOption changes the record of a model.
type RecordOption func(*recorder)

// WithModelName sets the name of the model in requests that do not name one, such as by an alias.
func WithModelName(name callwright.ModelID) RecordOption { return func(r *recorder) { r.name = name } }

// A recorder is a model that is recorded.
type recorder struct {
	model callwright.Model
	w     *Writer
	name  callwright.ModelID
}

// A previewer is a recorder whose model shows the request that it would send.
type previewer struct {
	*recorder
	callwright.Previewer
}

var (
	_ callwright.Model      = (*recorder)(nil)
	_ callwright.Describer  = (*recorder)(nil)
	_ callwright.Identifier = (*recorder)(nil)
	_ callwright.Counter    = (*recorder)(nil)
	_ callwright.Previewer  = (*previewer)(nil)
)

// ID is the name of the model that is recorded, empty where it has none.
func (r *recorder) ID() callwright.ModelID {
	if n, ok := r.model.(callwright.Identifier); ok {
		return n.ID()
	}
	return ""
}

// Caps returns the capabilities that the recorded model states.
func (r *recorder) Caps(ctx context.Context) caps.Caps {
	if d, ok := r.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// CountTokens has the model count. Counts are not recorded.
func (r *recorder) CountTokens(ctx context.Context, wire callwright.WireName, body []byte) ([]byte, error) {
	if c, ok := r.model.(callwright.Counter); ok {
		return c.CountTokens(ctx, wire, body)
	}
	return nil, callwright.Errorf("trace.count", callwright.KindUnsupported, "", "the model does not count tokens")
}

// AddTo adds the settings of the model to the fingerprint of a request.
func (r *recorder) AddTo(h hash.Hash) {
	if m, ok := r.model.(interface{ AddTo(h hash.Hash) }); ok {
		m.AddTo(h)
	}
}

// Generate answers whole.
func (r *recorder) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	a := r.begin(ctx, req)
	resp, err := r.model.Generate(a.within(ctx), a.req)
	a.whole(resp, err)
	return resp, err
}

// Stream answers piece by piece.
func (r *recorder) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(r.Batches(ctx, req))
}

// Batches is Stream in batches.
func (r *recorder) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		s := stream{recording: r.begin(ctx, req)}
		defer s.end()
		for b, err := range callwright.Batches(s.within(ctx), r.model, s.req) {
			s.take(&b, err)
			if !yield(b, err) {
				return
			}
		}
	}
}

// begin records a request.
func (r *recorder) begin(ctx context.Context, req *callwright.Request) *recording {
	came := companion.Of(req)
	a := &recording{w: r.w, id: came.ReportID, secrets: credential.Secrets(came.Bytes()), ending: outcome.From(ctx)}
	if a.ending != nil {
		a.ending.Continue()
	}
	if a.id == "" {
		a.id = r.w.newID()
	}
	name := cmp.Or(req.Model, r.name, r.ID())
	e := Entry{Kind: KindRequest, ID: a.id, Model: name, Redacted: r.w.redacted, Key: came.Key, Group: came.Group,
		Session: session.OfRequest(came.Header, req), Header: clientHeader(came.Header, a.secrets)}
	if err := r.form(&e, req, a.secrets); err != nil {
		r.w.keep(err) // the model says what is wrong with the request
	}
	if came.Body != nil && !r.w.redacted {
		e.Wire, e.Body = came.Wire(), credential.Hide(came.Bytes())
	}
	r.describe(ctx, a.id, name)
	_ = r.w.put(e)
	a.req = companion.With(req, func(c *companion.Companion) {
		c.ReportID = a.id
		c.OnSend = func(body []byte) {
			_ = r.w.Append(Entry{Kind: KindSent, ID: a.id, Data: a.hideCredentials(body)})
			if came.OnSend != nil {
				came.OnSend(body)
			}
		}
	})
	a.began = r.w.now()
	return a
}

// form fills in the request as it is written down, with its fingerprint. Neither has its secrets.
func (r *recorder) form(e *Entry, req *callwright.Request, secrets redact.Secrets) error {
	tools, err := r.w.tools.of(req)
	if err != nil {
		return err
	}
	decisive, err := decisiveWith(req, tools)
	if err != nil {
		return err
	}
	e.Fingerprint = fingerprintOf(secrets.Stream(decisive))
	if r.w.redacted {
		if req, err = requestSizes(req); err != nil {
			return err
		}
	}
	form, err := conversation.MarshalRequestWith(req, tools)
	e.Data = secrets.Stream(form)
	return err
}

// A fallback chain is a model that is several, one of which is asked after the other.
type chain interface {
	KnownCaps(ctx context.Context) iter.Seq2[callwright.ModelID, caps.Caps]
}

// describe records the name and the facts of the model, before the request with an id.
func (r *recorder) describe(ctx context.Context, id string, name callwright.ModelID) {
	r.w.begin()
	now := identity{known: known{ID: r.ID(), Caps: r.Caps(ctx).KnownFacts()}}
	if l, ok := r.model.(chain); ok {
		for id, c := range l.KnownCaps(ctx) {
			now.Chain = append(now.Chain, known{ID: id, Caps: c.KnownFacts()})
		}
	}
	if now.ID != "" || len(now.Caps) > 0 || len(now.Chain) > 0 {
		r.w.describe(id, name, now.append())
	}
}
