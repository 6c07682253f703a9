package reliable

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/signature"
)

// A Client is a Model whose responses have only calls that name declared tools and satisfy their schemas. If the
// wrapped model makes no such call after self-corrections and fallbacks, the Client returns an *Error. Every response
// and every error has a Report. A Client is safe for concurrent use.
type Client struct {
	model  callwright.Model
	o      *options
	digest []byte // hash of model and options
}

var (
	_ callwright.Model      = (*Client)(nil)
	_ callwright.Batcher    = (*Client)(nil)
	_ callwright.Describer  = (*Client)(nil)
	_ callwright.Identifier = (*Client)(nil)
)

// New returns a Client that wraps the model m. An invalid option makes every request fail with KindInvalid.
func New(m callwright.Model, opts ...Option) *Client {
	o := newOptions(opts)
	o.wrong = o.check()
	if o.capsStore == nil {
		o.capsStore = caps.NewMemory(o.now)
	}
	if o.signatures == nil {
		o.signatures = signature.NewMemory(o.now, signature.Limits{})
	}
	o.optionalInterfaces = findOptionalInterfaces(append([]callwright.Model{m}, o.fallbacks...))
	return &Client{model: m, o: o, digest: o.digest(m)}
}

// First returns the wrapped model, without fallbacks. It can be used for optional interfaces such as Previewer.
func (c *Client) First() callwright.Model { return c.model }

// ID returns the ID of the wrapped model.
func (c *Client) ID() callwright.ModelID { return idOf(c.model) }

// Models returns the IDs of the wrapped model and its fallbacks, in the order in which they are tried.
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

// Facts returns the unexpired learned and probed facts about the wrapped model. An error is that of the capability
// store.
func (c *Client) Facts(ctx context.Context) ([]caps.Fact, error) {
	return c.o.capsStore.Facts(ctx, string(c.ID()))
}

// KnownCaps yields the ID and capabilities of each model of the fallback chain. Configured facts override learned
// facts, which override the model's own.
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

// Caps returns the known capabilities of the wrapped model: its own, learned and configured facts.
func (c *Client) Caps(ctx context.Context) caps.Caps {
	for _, known := range c.KnownCaps(ctx) {
		return known
	}
	return caps.Caps{}
}

// TokenMeasure returns the learned token estimate for the wrapped model in the format of
// caps.Caps.Counted.TokenMeasure, such as "40+125%". It is "" if unknown.
func (c *Client) TokenMeasure(ctx context.Context) string {
	return c.Caps(ctx).Counted.TokenMeasure
}

// RunsHostedTools reports whether the provider of the wrapped model runs hosted tools, such as web search.
func (c *Client) RunsHostedTools(ctx context.Context) bool {
	return c.Caps(ctx).HostedTools == caps.Yes
}

// Learn stores a fact about the wrapped model. An error is that of the capability store.
func (c *Client) Learn(ctx context.Context, f caps.Fact) error {
	return c.o.capsStore.Learn(ctx, string(c.ID()), f)
}

// Forget removes the facts about the wrapped model with the given key, or all facts if key is "". An error is that of
// the capability store.
func (c *Client) Forget(ctx context.Context, key string) error {
	return c.o.capsStore.Forget(ctx, string(c.ID()), key)
}

// Generate returns a complete response. An error is an *Error with a Report.
func (c *Client) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return c.generate(ctx, req, askWhole)
}

func (c *Client) generate(ctx context.Context, req *callwright.Request, ask askFunc) (*callwright.Response, error) {
	r, err := c.start(ctx, req)
	if err != nil {
		return nil, err
	}
	r.ask = ask
	if err := r.tryWithinTimeout(); err != nil {
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

// Stream yields the events of a response. A yielded event is final, even if a later attempt fails. An error ends the
// stream. A complete response ends with End and then Done, which has the Report.
func (c *Client) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(c.Batches(ctx, req))
}

// Batches yields the events of Stream in batches. A batch with unchanged events of the model has the provider's bytes
// in Raw.
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
		err = r.tryWithinTimeout()
		switch {
		case stopped:
		case err != nil:
			yield(callwright.Batch{}, r.withReport(err))
		default:
			yield(callwright.Batch{Events: []callwright.Event{callwright.Done{Report: r.finishReport(), NeedsMoreWork: r.moreWork}}}, nil)
		}
	}
}
