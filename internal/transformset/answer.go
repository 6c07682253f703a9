package transformset

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/transform"
)

var (
	ofResponse = shape[callwright.Response]{at: transform.Responses, stage: callwright.StageNormalise, copy: copyResponse,
		text: func(r callwright.Response) string { return callwright.TextOf(r.Parts) }, call: func(callwright.Response) string { return "" }}
	ofCall = shape[callwright.Call]{at: transform.ToolCalls, stage: callwright.StageValidate, copy: copyCall,
		text: func(c callwright.Call) string { return string(c.Arguments) + c.Input }, call: func(c callwright.Call) string { return c.Name }}
)

// Calls returns the function that makes the transforms of one call, nil where there are none. Without notes the call is
// the given one.
func (s *Set) Calls() func(callwright.Call) (callwright.Call, []callwright.Note, error) {
	if !s.Has(transform.ToolCalls) {
		return nil
	}
	return func(c callwright.Call) (callwright.Call, []callwright.Note, error) {
		var notes []callwright.Note
		out, _, err := run(s, &ofCall, c, func(n callwright.Note) { notes = append(notes, n) })
		return out, notes, err
	}
}

// Around is m with the transforms of answers made of its own, m itself where there are none.
func (s *Set) Around(m callwright.Model, note func(callwright.Note)) callwright.Model {
	if !s.Has(transform.Responses) {
		return m
	}
	return &answering{Model: m, set: s, note: note}
}

// An answering is a model whose answers are transformed.
type answering struct {
	callwright.Model
	set  *Set
	note func(callwright.Note)
}

// Generate answers whole.
func (a *answering) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	resp, err := a.Model.Generate(ctx, req)
	if err != nil || resp == nil {
		return resp, err
	}
	now, changed, err := run(a.set, &ofResponse, *resp, a.note)
	if err != nil || !changed {
		return resp, err
	}
	now.Report, now.Raw = resp.Report, nil
	return &now, nil
}

// Stream answers by the events of the whole answer, once it is complete. One that breaks off has its error alone.
func (a *answering) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	batches := a.Batches(ctx, req)
	if batches == nil {
		return nil
	}
	return callwright.FlattenBatches(batches)
}

// Batches answers as Stream does. Notes and pauses are handed on as they come.
func (a *answering) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	batches := callwright.Batches(ctx, a.Model, req)
	if batches == nil {
		return nil
	}
	return func(yield func(callwright.Batch, error) bool) {
		var h heldAnswer
		for b, err := range batches {
			if err == nil {
				err = h.take(b)
			}
			if err != nil {
				yield(callwright.Batch{}, err)
				return
			}
			if len(b.Notes) > 0 && !yield(callwright.Batch{Notes: b.Notes, More: true}, nil) {
				return
			}
		}
		out, err := a.transformAnswer(&h)
		if err != nil {
			yield(callwright.Batch{}, err)
			return
		}
		for _, b := range out {
			if !yield(b, nil) {
				return
			}
		}
	}
}

// transformAnswer returns the batches of a held answer: those that came where nothing is changed, and where it has no
// end.
func (a *answering) transformAnswer(h *heldAnswer) ([]callwright.Batch, error) {
	if h.end == nil {
		return h.batches, nil
	}
	now, changed, err := run(a.set, &ofResponse, *h.whole.Response(), a.note)
	if err != nil || !changed {
		return h.batches, err
	}
	now.Raw, now.Report = nil, nil
	out := now.Batch()
	for i, ev := range out.Events {
		if end, ok := ev.(callwright.End); ok {
			end.Extra = h.end.Extra
			out.Events[i] = end
		}
	}
	return []callwright.Batch{out}, nil
}

// A heldAnswer is a streamed answer that waits for its end.
type heldAnswer struct {
	batches []callwright.Batch
	whole   callwright.Collector
	end     *callwright.End
	size    int
}

// maxHeld bounds a held answer, and eventCost is the cost of each event beside its text.
const (
	maxHeld   = 64 << 20
	eventCost = 64
)

// take adds a copy of a batch. The error is of an answer that is too long.
func (h *heldAnswer) take(b callwright.Batch) error {
	h.size += len(b.Raw)
	for _, ev := range b.Events {
		h.size += eventCost
		switch e := ev.(type) {
		case callwright.TextDelta:
			h.size += len(e.Text)
		case callwright.ReasoningDelta:
			h.size += len(e.Text)
		case callwright.CallDelta:
			h.size += len(e.Text)
		case callwright.End:
			h.end = &e
		}
	}
	if h.size > maxHeld {
		return callwright.Errorf("transform", callwright.KindBadAnswer, "", "expected an answer of at most %d bytes, got more", maxHeld)
	}
	h.whole.AddBatch(b)
	if kept := b.Clone(); kept.Raw != nil || len(kept.Events) > 0 {
		kept.Notes = nil
		h.batches = append(h.batches, kept)
	}
	return nil
}
