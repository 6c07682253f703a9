package eval

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
)

// A directiveModel is a model that is asked for directives beside its text. Those that it gave are kept; the agent
// around it sees the text and the calls.
type directiveModel struct {
	client *directive.Client
	given  []directive.Directive
	lost   []directive.Problem
	notes  []callwright.Note
}

var _ callwright.Model = (*directiveModel)(nil)

// Generate asks for one turn.
func (d *directiveModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	turn, err := d.client.Generate(ctx, req)
	if err != nil {
		return nil, err
	}
	return d.take(turn), nil
}

// Stream asks for one turn as it is streamed. It gives the turn when it is whole: who reads it here does not wait for
// text.
func (d *directiveModel) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		var turn *directive.Turn
		for ev, err := range d.client.Stream(ctx, req) {
			if err != nil {
				yield(nil, err)
				return
			}
			turn = ev.Turn
		}
		if turn == nil {
			yield(nil, callwright.Errorf("eval.directives", callwright.KindBadAnswer, "", "the model gave no turn"))
			return
		}
		for _, ev := range d.take(turn).Events() {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// take keeps the directives of a turn, and makes an answer of the user's text and of the calls.
func (d *directiveModel) take(turn *directive.Turn) *callwright.Response {
	d.given = append(d.given, turn.Directives...)
	d.lost = append(d.lost, turn.Dropped...)
	d.notes = append(d.notes, turn.Notes...)
	out := callwright.Response{Finish: callwright.FinishStop, Confidence: 1}
	if turn.Response != nil {
		out = *turn.Response
	}
	out.Raw, out.Report, out.Parts = nil, nil, nil
	if turn.Text != "" {
		out.Parts = append(out.Parts, callwright.Text{Text: turn.Text})
	}
	for _, c := range turn.Calls {
		out.Parts = append(out.Parts, c)
	}
	return &out
}
