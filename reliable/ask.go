package reliable

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// An askFunc asks a model and feeds its answer.
type askFunc func(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error

// errNothing is the error of a model that gives neither an answer nor an error.
var errNothing = callwright.Errorf("answer", callwright.KindBadAnswer, "", "the model gave neither an answer nor an error")

// ofModel is an error of a model as an *Error. One that says nothing of itself may be gone the next time, and is no
// reason not to ask another model.
func ofModel(err error) error {
	if e := asError(err); e.Kind != callwright.KindInternal || e.Err != err {
		return e
	}
	return &callwright.Error{Op: "answer", Kind: callwright.KindServer, Err: err}
}

// askWhole asks for a whole answer.
func askWhole(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	resp, err := m.Generate(ctx, req)
	if err == nil && resp == nil {
		err = errNothing
	}
	if err != nil {
		a.Outcome.Tries = 1
		a.AddErrorNotes(err, false)
		return ofModel(err)
	}
	if a.Outcome.Tries = inbound.TriesOf(resp.Report); a.TakeWhole(resp) {
		return nil
	}
	a.Outcome.Collected = &callwright.Collector{}
	b := resp.Batch()
	a.Preview([]callwright.Batch{b})
	a.Take(b)
	return nil
}

// askStream asks for a streamed answer.
func askStream(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	a.Outcome.Tries, a.Outcome.Collected = 1, &callwright.Collector{}
	noted := false // the notes of the request came before the first event
	batches := callwright.Batches(ctx, m, req)
	if batches == nil {
		return errNothing
	}
	for b, err := range batches {
		if err == nil && slices.Contains(b.Events, nil) {
			err = errNothing
		}
		if err != nil {
			a.AddErrorNotes(err, noted)
			return ofModel(err)
		}
		noted = true
		for _, n := range b.Notes {
			if n.Rule == "transport.retry" || n.Rule == "transport.next_target" {
				a.Outcome.Tries++
			}
		}
		if !a.Take(b) {
			break
		}
	}
	return nil
}
