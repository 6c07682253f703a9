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

// Record returns a model that behaves like m and records each request and its answer with w. Answers, events and errors
// are passed on unchanged and without delay. Entries are written when a request begins, when a body is sent, when its
// response was received (see [Writer.Transport]), and when the request ends or the loop over its stream stops. If the
// context has an [outcome.Ending], the last entry is written when that is decided. All entries of a request have its
// ReportID, which is created if it has none. A failed write is returned by w.Err and does not affect the answer.
//
// The model has the ID and Caps of m, counts tokens if m does, and is a [callwright.Previewer] if m is one. Other
// optional interfaces of m are not available. To record a configured model with transforms, record the reliable client
// around it.
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

// A RecordOption is an option of Record.
type RecordOption func(*recorder)

// WithModelName sets the recorded model name of requests that do not name a model.
func WithModelName(name callwright.ModelID) RecordOption { return func(r *recorder) { r.name = name } }

// A recorder is a model that records another one.
type recorder struct {
	model callwright.Model
	w     *Writer
	name  callwright.ModelID // recorded model name of requests without one
}

// A previewer is a recorder of a model that implements callwright.Previewer.
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

// ID returns the ID of the recorded model, "" if it has none.
func (r *recorder) ID() callwright.ModelID {
	if n, ok := r.model.(callwright.Identifier); ok {
		return n.ID()
	}
	return ""
}

// Caps returns the capabilities of the recorded model.
func (r *recorder) Caps(ctx context.Context) caps.Caps {
	if d, ok := r.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// CountTokens calls CountTokens of the recorded model. It is not recorded.
func (r *recorder) CountTokens(ctx context.Context, wire callwright.WireName, body []byte) ([]byte, error) {
	if c, ok := r.model.(callwright.Counter); ok {
		return c.CountTokens(ctx, wire, body)
	}
	return nil, callwright.Errorf("trace.count", callwright.KindUnsupported, "", "the model does not count tokens")
}

// AddTo adds the settings of the recorded model to a fingerprint.
func (r *recorder) AddTo(h hash.Hash) {
	if m, ok := r.model.(interface{ AddTo(h hash.Hash) }); ok {
		m.AddTo(h)
	}
}

// Generate calls and records Generate of the model.
func (r *recorder) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	a := r.begin(ctx, req)
	resp, err := r.model.Generate(a.within(ctx), a.req)
	a.whole(resp, err)
	return resp, err
}

// Stream calls and records Stream of the model.
func (r *recorder) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(r.Batches(ctx, req))
}

// Batches is like Stream but yields batches of events.
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

// begin records a request and returns its recording.
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
		r.w.keep(err) // the model will return its own error for the request
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

// form sets the encoded request and its fingerprint in e, without the secrets of the request.
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

// A chain is a model with a fallback chain of several models.
type chain interface {
	KnownCaps(ctx context.Context) iter.Seq2[callwright.ModelID, caps.Caps]
}

// describe records the id and the facts of the model, before the request id.
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
