package gateway

import (
	"context"
	"iter"
	"math"
	"net/http"
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/reliable"
)

// A meteredRequest is a request whose tokens count for the limits of a key. The methods of a nil one do nothing.
type meteredRequest struct {
	req             *callwright.Request
	model           callwright.ModelID // the first candidate
	responseProfile profile            // profile of the response
}

// countEvent adds the content of a stream event to the profile of the response.
func (m *meteredRequest) countEvent(ev callwright.Event) {
	if m == nil {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		addText(&m.responseProfile, ev.Text)
	case callwright.ReasoningDelta:
		addText(&m.responseProfile, ev.Text)
	case callwright.CallBegin:
		m.responseProfile.of[callsOf]++
		addText(&m.responseProfile, ev.Name)
	case callwright.CallDelta:
		addText(&m.responseProfile, ev.Text)
	case callwright.OpaquePart:
		addText(&m.responseProfile, ev.Extra.JSON)
	case callwright.MediaPart:
		m.responseProfile.parts([]callwright.Part{ev.Part})
	}
}

// countAnswer adds the parts of a whole response to its profile.
func (m *meteredRequest) countAnswer(parts []callwright.Part) {
	if m != nil {
		m.responseProfile.parts(parts)
	}
}

// usage returns the estimated tokens of the last attempt if the provider did not report the usage of every attempt, or
// if rep is nil, as when the client left during its stream. It returns zero if the provider reported everything or
// nothing was answered.
func (m *meteredRequest) usage(t *calibrations, rep *callwright.Report) callwright.Usage {
	if m == nil || rep == nil && m.responseProfile == (profile{}) || rep != nil &&
		!slices.ContainsFunc(rep.Attempts, func(a callwright.Attempt) bool { return !a.Usage.Known }) {
		return callwright.Usage{}
	}
	p, err := profileOf(m.req)
	if err != nil {
		return callwright.Usage{}
	}
	model := m.model
	if rep != nil {
		model = rep.Attempts[len(rep.Attempts)-1].Model
	}
	return callwright.Usage{Input: t.count(model, p), Output: t.count(model, &m.responseProfile),
		Known: m.responseProfile != (profile{})} // part of the last attempt was sent to the client, even if it then failed
}

// count returns the mean estimate of the tokens of a profile, calibrated by responses of the model. Unlike estimate, it
// adds no safety margin.
func (c *calibrations) count(model callwright.ModelID, p *profile) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	tokens := p.weightedSum(&usual)
	if k := c.byModel[model]; k != nil && len(k.samples) > 0 {
		tokens, _ = k.predict(p)
	}
	return int(math.Ceil(tokens + p.flat))
}

// chooses reports whether a model chooses one of several models for each request, as a group does.
func chooses(model *reliable.Client) bool {
	_, is := model.First().(interface {
		Choose(ctx context.Context, req *callwright.Request) (*reliable.Client, []callwright.Note, error)
	})
	return is
}

// countsTokens gives req a function that estimates its tokens for a model, calibrated by earlier responses or by known
// facts about the model. The function returns 0 if the request cannot be decoded.
func (s *Server) countsTokens(ctx context.Context, req *callwright.Request) {
	count := sync.OnceValues(func() (*profile, error) { return profileOf(req) })
	companion.Edit(req, func(c *companion.Companion) {
		c.Tokens = func(m callwright.ModelID) int {
			p, err := count()
			if err != nil {
				return 0
			}
			known := tokenMeasure{}
			if client, err := s.cfg.Models.Resolve(string(m)); err == nil {
				known = measureOf(ctx, client)
			}
			n, _ := s.tokens.estimate(m, p, known)
			return n
		}
	})
}

// reserve reserves the maximum expected use of a request in the limits of its key. settle ends the reservation.
func (s *Server) reserve(x *exchange, r *http.Request, model *reliable.Client, req *callwright.Request, body []byte) error {
	c := x.caller
	if req.Params.Stream {
		if err := c.OpenStream(); err != nil {
			return err
		}
		x.streaming = true
	}
	var ask access.PlannedRequest
	if c.IsMetered() {
		most, _ := req.Params.MaxTokens.Int64()
		ask = access.PlannedRequest{Name: string(req.Model), Models: model.Models(), Input: roughTokens(body), MaxOutput: int(most)}
		if most <= 0 && c.IsUnmeasured() {
			ask.MostOutput = mostOutput(r.Context(), model)
		}
		x.metered = &meteredRequest{req: req, model: model.ID()}
	}
	var err error
	x.use, err = c.Reserve(r.Context(), ask)
	return err
}

// mostOutput returns the maximum output tokens of the first model of a fallback chain, 0 if unknown.
func mostOutput(ctx context.Context, model *reliable.Client) int {
	for _, known := range model.KnownCaps(ctx) {
		return known.MaxOutput
	}
	return 0
}

// settle replaces the reservation of a request by its actual use.
func (s *Server) settle(ctx context.Context, x *exchange) {
	if x.streaming {
		x.caller.CloseStream()
	}
	rep := x.report
	if x.left {
		rep = nil // the client left: the attempts are unknown
	}
	x.use.Settle(ctx, rep, x.metered.usage(s.tokens, rep))
}

// withUsage requests token usage from the provider of a stream if limits need it and the client did not ask for it. The
// returned codec hides the usage from the client.
func (s *Server) withUsage(x *exchange, client wire.Codec, m callwright.Model, req *callwright.Request) (wire.Codec, callwright.Model) {
	hider, ok := client.(wire.UsageHider)
	if x.metered == nil || !ok || req.Params.StreamUsage {
		return client, m
	}
	return hider.HidesUsage(), usageAsker{m}
}

// A usageAsker wraps a model and requests token usage for each stream.
type usageAsker struct{ callwright.Model }

// Stream implements callwright.Model. It also requests token usage.
func (m usageAsker) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is like Stream but yields batches of events.
func (m usageAsker) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	asked := *req
	asked.Params.StreamUsage = true
	return callwright.Batches(ctx, m.Model, &asked)
}
