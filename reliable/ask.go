package reliable

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// An askFunc sends a request to the model m and feeds the response to the inbound.Answer.
type askFunc func(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error

// errNothing is the error for a model that returned neither a response nor an error.
var errNothing = callwright.Errorf("answer", callwright.KindBadAnswer, "", "the model returned neither an answer nor an error")

// ofModel converts an error of a model to an *Error. An error of an unknown type becomes KindServer, so that other
// models are tried.
func ofModel(err error) error {
	if e := asError(err); e.Kind != callwright.KindInternal || e.Err != err {
		return e
	}
	return &callwright.Error{Op: "answer", Kind: callwright.KindServer, Err: err}
}

// askWhole requests a complete response with Generate.
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

// askStream requests a streamed response.
func askStream(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	a.Outcome.Tries, a.Outcome.Collected = 1, &callwright.Collector{}
	noted := false // the request's notes were taken; they precede the first event
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
