package transform

import (
	"bytes"
	"context"
	"iter"

	"github.com/callwright/callwright"
)

var (
	ofResponse = shape[callwright.Response]{at: Responses, stage: callwright.StageNormalise, copy: copyResponse,
		text: func(r callwright.Response) string { return callwright.TextOf(r.Parts) }, call: func(callwright.Response) string { return "" }}
	ofCall = shape[callwright.Call]{at: ToolCalls, stage: callwright.StageJudge, copy: copyCall,
		text: func(c callwright.Call) string { return string(c.Arguments) + c.Input }, call: func(c callwright.Call) string { return c.Name }}
)

// Calls is what makes the transforms of one call, nil where there are none. Without notes the call is the one that was given.
func (s *Set) Calls() func(callwright.Call) (callwright.Call, []callwright.Note, error) {
	if !s.Has(ToolCalls) {
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
	if !s.Has(Responses) {
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
	events := a.Model.Stream(ctx, req)
	if events == nil {
		return nil
	}
	return func(yield func(callwright.Event, error) bool) {
		var h heldAnswer
		for ev, err := range events {
			if err == nil {
				err = h.take(ev)
			}
			if pass := err != nil || passes(ev); pass && (!yield(ev, err) || err != nil) {
				return
			}
		}
		out, err := a.transformed(&h)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, ev := range out {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// passes reports whether an event is no part of the answer: it is not held.
func passes(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.Noted, callwright.KeepAlive, nil:
		return true
	}
	return false
}

// transformed are the events of a held answer: those that came where nothing is changed, and where it has no end.
func (a *answering) transformed(h *heldAnswer) ([]callwright.Event, error) {
	if h.end == nil {
		return h.events, nil
	}
	now, changed, err := run(a.set, &ofResponse, *h.whole.Response(), a.note)
	if err != nil || !changed {
		return h.events, err
	}
	now.Raw, now.Report = nil, nil
	out := now.Events()
	for i, ev := range out {
		if end, ok := ev.(callwright.End); ok {
			end.Extra = h.end.Extra
			out[i] = end
		}
	}
	return out, nil
}

// A heldAnswer is a streamed answer that waits for its end.
type heldAnswer struct {
	events []callwright.Event
	whole  callwright.Collector
	end    *callwright.End
	size   int
}

// maxHeld bounds a held answer, and eventCost is what each event counts beside its text.
const (
	maxHeld   = 64 << 20
	eventCost = 64
)

// take adds an event, unless it is no part of the answer. The error is of an answer that is too long.
func (h *heldAnswer) take(ev callwright.Event) error {
	h.size += eventCost
	switch e := ev.(type) {
	case callwright.Noted, callwright.KeepAlive, callwright.Flush, nil:
		return nil
	case callwright.Frame:
		e.Bytes = bytes.Clone(e.Bytes) // they are valid until the next event
		h.size += len(e.Bytes)
		ev = e
	case callwright.TextDelta:
		h.size += len(e.Text)
	case callwright.ReasoningDelta:
		h.size += len(e.Text)
	case callwright.CallDelta:
		h.size += len(e.Text)
	case callwright.End:
		h.end = &e
	}
	if h.size > maxHeld {
		return callwright.Errorf("transform", callwright.KindBadAnswer, "", "expected an answer of at most %d bytes, got more", maxHeld)
	}
	h.events = append(h.events, ev)
	h.whole.Add(ev)
	return nil
}
