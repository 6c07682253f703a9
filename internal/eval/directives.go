package eval

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
)

// A directiveModel is a model that returns directives in addition to text. It collects the directives. The agent that
// uses it only sees the text and the calls.
type directiveModel struct {
	client *directive.Client
	given  []directive.Directive
	lost   []directive.Problem
	notes  []callwright.Note
}

var _ callwright.Model = (*directiveModel)(nil)

// Generate calls the model for one turn.
func (d *directiveModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	turn, err := d.client.Generate(ctx, req)
	if err != nil {
		return nil, err
	}
	return d.take(turn), nil
}

// Stream calls the model for one turn as a stream. It yields the events only when the turn is complete.
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
			yield(nil, callwright.Errorf("eval.directives", callwright.KindBadAnswer, "", "the stream ended without a turn"))
			return
		}
		for _, ev := range d.take(turn).Events() {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// take adds the directives, dropped directives and notes of turn to d. It returns the turn's text and calls as a
// response.
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
