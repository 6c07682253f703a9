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

// A meteredRequest is one whose tokens count for the limits of a key. A nil one counts nothing.
type meteredRequest struct {
	req   *callwright.Request
	model callwright.ModelID // that is asked first
	said  profile            // of the answer
}

// countEvent counts the usage and the content of an event of a stream.
func (m *meteredRequest) countEvent(ev callwright.Event) {
	if m == nil {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		addText(&m.said, ev.Text)
	case callwright.ReasoningDelta:
		addText(&m.said, ev.Text)
	case callwright.CallBegin:
		m.said.of[callsOf]++
		addText(&m.said, ev.Name)
	case callwright.CallDelta:
		addText(&m.said, ev.Text)
	case callwright.OpaquePart:
		addText(&m.said, ev.Extra.JSON)
	case callwright.MediaPart:
		m.said.parts([]callwright.Part{ev.Part})
	}
}

// countAnswer counts a whole answer.
func (m *meteredRequest) countAnswer(parts []callwright.Part) {
	if m != nil {
		m.said.parts(parts)
	}
}

// usage is the use of an attempt by our own count, where the provider did not report it: of the request, and of the
// answer. It is also used where there is no report, as when the client left in the middle of its stream. It is zero
// where all is reported, and where nothing was answered.
func (m *meteredRequest) usage(t *calibrations, rep *callwright.Report) callwright.Usage {
	if m == nil || rep == nil && m.said == (profile{}) || rep != nil &&
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
	return callwright.Usage{Input: t.count(model, p), Output: t.count(model, &m.said)}
}

// count returns about how many tokens a profile has: as many as the answers of the model tell, and not for sure no
// less.
func (c *calibrations) count(model callwright.ModelID, p *profile) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	tokens := p.weightedSum(&usual)
	if k := c.byModel[model]; k != nil && len(k.samples) > 0 {
		tokens, _ = k.predict(p)
	}
	return int(math.Ceil(tokens + p.flat))
}

// chooses reports whether a client chooses among models for each request.
func chooses(model *reliable.Client) bool {
	_, is := model.First().(interface {
		Choose(ctx context.Context, req *callwright.Request) (*reliable.Client, []callwright.Note, error)
	})
	return is
}

// countsTokens has the tokens of a request counted for the models that may answer it: by the learned relation of each,
// or by its known facts.
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

// reserve counts the possible use of a request against the limits of its key in advance. settle ends the reservation.
func (s *Server) reserve(x *exchange, r *http.Request, model *reliable.Client, req *callwright.Request, body []byte) error {
	c := x.caller
	if req.Params.Stream {
		if err := c.OpenStream(); err != nil {
			return err
		}
		x.streaming = true
	}
	var ask access.Ask
	if c.IsMetered() {
		most, _ := req.Params.MaxTokens.Int64()
		ask = access.Ask{Name: string(req.Model), Models: model.Models(), Input: roughTokens(body), MaxOutput: int(most)}
		if most <= 0 && c.IsUnmeasured() {
			ask.MostOutput = mostOutput(r.Context(), model)
		}
		x.metered = &meteredRequest{req: req, model: model.ID()}
	}
	var err error
	x.use, err = c.Reserve(r.Context(), ask)
	return err
}

// mostOutput is how many tokens the first of a client's models writes at most, 0 where that is not known.
func mostOutput(ctx context.Context, model *reliable.Client) int {
	for _, known := range model.KnownCaps(ctx) {
		return known.MaxOutput
	}
	return 0
}

// settle counts the use of a request, in place of its reservation.
func (s *Server) settle(ctx context.Context, x *exchange) {
	if x.streaming {
		x.caller.CloseStream()
	}
	rep := x.report
	if x.left {
		rep = nil // its attempts are not known
	}
	x.use.Settle(ctx, rep, x.metered.usage(s.tokens, rep))
}

// withUsage has the provider of a stream asked for its usage where limits need it and the client's API has streams
// without. The client is not shown it.
func (s *Server) withUsage(x *exchange, client wire.Codec, m callwright.Model, req *callwright.Request) (wire.Codec, callwright.Model) {
	hider, ok := client.(wire.UsageHider)
	if x.metered == nil || !ok || req.Params.StreamUsage {
		return client, m
	}
	return hider.HidesUsage(), usageAsker{m}
}

// A usageAsker is a model that is asked for the usage of its streams.
type usageAsker struct{ callwright.Model }

// Stream asks for usage too.
func (m usageAsker) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches asks for usage too.
func (m usageAsker) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	asked := *req
	asked.Params.StreamUsage = true
	return callwright.Batches(ctx, m.Model, &asked)
}
