package reliable

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/signature"
)

// A Client is a Model that is reliable: the calls in its answers name declared tools and satisfy their schemas, or it
// fails with an *Error that says why. Every answer and every error of it carries a Report. It is safe for concurrent
// use.
type Client struct {
	model  callwright.Model
	o      *options
	digest []byte // of both
}

var (
	_ callwright.Model      = (*Client)(nil)
	_ callwright.Batcher    = (*Client)(nil)
	_ callwright.Describer  = (*Client)(nil)
	_ callwright.Identifier = (*Client)(nil)
)

// New makes a reliable Client of a Model.
func New(m callwright.Model, opts ...Option) *Client {
	o := newOptions(opts)
	o.wrong = o.check()
	if o.capsStore == nil {
		o.capsStore = caps.NewMemory(o.now)
	}
	if o.signatures == nil {
		o.signatures = signature.NewMemory(o.now, signature.Limits{})
	}
	o.powers = powersOf(append([]callwright.Model{m}, o.fallbacks...))
	return &Client{model: m, o: o, digest: o.digest(m)}
}

// First is the model that is asked first, for its powers beside answering. It is not made reliable.
func (c *Client) First() callwright.Model { return c.model }

// ID is the model's name.
func (c *Client) ID() callwright.ModelID { return idOf(c.model) }

// Models are the models that may answer, in the order in which they are asked: its own, and its fallbacks.
func (c *Client) Models() []callwright.ModelID {
	out := make([]callwright.ModelID, 0, 1+len(c.o.fallbacks))
	for _, m := range append([]callwright.Model{c.model}, c.o.fallbacks...) {
		out = append(out, idOf(m))
	}
	return out
}

func idOf(m callwright.Model) callwright.ModelID {
	if n, ok := m.(callwright.Identifier); ok {
		return n.ID()
	}
	return ""
}

// Facts are the facts that were learned about the model, or found by a probe, and hold still. The error is that of the
// capability store.
func (c *Client) Facts(ctx context.Context) ([]caps.Fact, error) {
	return c.o.capsStore.Facts(ctx, string(c.ID()))
}

// KnownCaps returns the known facts of the models that are asked one after the other: those that each states itself,
// under the learned ones, under the configured ones.
func (c *Client) KnownCaps(ctx context.Context) iter.Seq2[callwright.ModelID, caps.Caps] {
	p := planner{ctx: ctx, o: c.o}
	return func(yield func(callwright.ModelID, caps.Caps) bool) {
		for _, m := range append([]callwright.Model{c.model}, c.o.fallbacks...) {
			id := idOf(m)
			if known, _ := p.resolveCaps(m, p.learnedFacts(id)); !yield(id, known) {
				return
			}
		}
	}
}

// Caps returns the known facts of the model that is asked first: its own, the learned and the configured ones.
func (c *Client) Caps(ctx context.Context) caps.Caps {
	for _, known := range c.KnownCaps(ctx) {
		return known
	}
	return caps.Caps{}
}

// TokenMeasure is the known measure of a request's tokens for the model that is asked first, as caps.Caps has it; ""
// for none.
func (c *Client) TokenMeasure(ctx context.Context) string {
	return c.Caps(ctx).Counted.TokenMeasure
}

// RunsHostedTools reports whether the provider of the model that is asked first is known to run the tools of its API
// that providers run.
func (c *Client) RunsHostedTools(ctx context.Context) bool {
	return c.Caps(ctx).HostedTools == caps.Yes
}

// Learn keeps a fact. The error is that of the capability store.
func (c *Client) Learn(ctx context.Context, f caps.Fact) error {
	return c.o.capsStore.Learn(ctx, string(c.ID()), f)
}

// Forget drops the facts of a key, or all of them where key is empty. The error is that of the capability store.
func (c *Client) Forget(ctx context.Context, key string) error {
	return c.o.capsStore.Forget(ctx, string(c.ID()), key)
}

// Generate answers whole. The error, if any, is an *Error with a Report.
func (c *Client) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return c.generate(ctx, req, askWhole)
}

func (c *Client) generate(ctx context.Context, req *callwright.Request, ask askFunc) (*callwright.Response, error) {
	r, err := c.start(ctx, req)
	if err != nil {
		return nil, err
	}
	r.ask = ask
	if err := r.climb(); err != nil {
		return nil, r.withReport(err)
	}
	resp := r.delivery.whole
	if resp == nil {
		resp = r.delivery.collector().Response()
	}
	resp.NeedsMoreWork = r.moreWork
	resp.Report = r.finishReport()
	resp.Confidence = resp.Report.Confidence
	return resp, nil
}

// Stream answers piece by piece. A yielded event is never taken back; an error ends the stream. The last event of a
// complete answer is End, and a Done event with the Report follows it.
func (c *Client) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(c.Batches(ctx, req))
}

// Batches is Stream in batches: those whose events are the model's own have the bytes that the model sent.
func (c *Client) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		r, err := c.start(ctx, req)
		if err != nil {
			yield(callwright.Batch{}, err)
			return
		}
		stopped := false
		r.ask = askStream
		r.delivery.yield = func(b callwright.Batch) bool {
			stopped = stopped || !yield(b, nil)
			return !stopped
		}
		err = r.climb()
		switch {
		case stopped:
		case err != nil:
			yield(callwright.Batch{}, r.withReport(err))
		default:
			yield(callwright.Batch{Events: []callwright.Event{callwright.Done{Report: r.finishReport(), NeedsMoreWork: r.moreWork}}}, nil)
		}
	}
}
