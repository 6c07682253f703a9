package transformset

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/transform"
)

var (
	ofResponse = pointFuncs[callwright.Response]{at: transform.Responses, stage: callwright.StageNormalise, copy: copyResponse,
		text: func(r callwright.Response) string { return callwright.TextOf(r.Parts) }, call: func(callwright.Response) string { return "" }}
	ofCall = pointFuncs[callwright.Call]{at: transform.ToolCalls, stage: callwright.StageValidate, copy: copyCall,
		text: func(c callwright.Call) string { return string(c.Arguments) + c.Input }, call: func(c callwright.Call) string { return c.Name }}
)

// Calls returns a function that applies the tool call transforms to one call. It returns nil if there are no such
// transforms. Without notes the returned call is unchanged.
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

// Around returns a model that wraps m and applies the response transforms to its answers. It returns m if there are
// none. note is called for each note.
func (s *Set) Around(m callwright.Model, note func(callwright.Note)) callwright.Model {
	if !s.Has(transform.Responses) {
		return m
	}
	return &transformedModel{Model: m, set: s, note: note}
}

// A transformedModel wraps a model and transforms its answers.
type transformedModel struct {
	callwright.Model
	set  *Set
	note func(callwright.Note)
}

// Generate implements callwright.Model.
func (a *transformedModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
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

// Stream implements callwright.Model. It yields the events of an answer only after the complete answer was received and
// transformed. If the answer fails, it yields only the error.
func (a *transformedModel) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	batches := a.Batches(ctx, req)
	if batches == nil {
		return nil
	}
	return callwright.FlattenBatches(batches)
}

// Batches is like Stream but yields batches. Notes are yielded immediately.
func (a *transformedModel) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
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

// transformAnswer transforms a buffered answer and returns its batches. If no transform changes the answer, or the
// answer has no end, it returns the received batches.
func (a *transformedModel) transformAnswer(h *heldAnswer) ([]callwright.Batch, error) {
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

// A heldAnswer buffers a streamed answer until its end.
type heldAnswer struct {
	batches []callwright.Batch
	whole   callwright.Collector
	end     *callwright.End // its End event, nil before it was received
	size    int             // counted size in bytes, at most maxHeld
}

// Limits of a heldAnswer: maxHeld is its maximum size in bytes. eventCost is the size counted for each event in
// addition to its text.
const (
	maxHeld   = 64 << 20
	eventCost = 64
)

// take appends a copy of a batch. It returns an error if the answer exceeds maxHeld.
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
