package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// An askFunc asks a model and feeds its answer.
type askFunc func(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error

// askWhole asks for a whole answer.
func askWhole(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	resp, err := m.Generate(ctx, req)
	if err != nil {
		a.Tries = 1
		a.AddErrorNotes(err, false)
		return err
	}
	a.Tries = inbound.TriesOf(resp.Report)
	for _, ev := range resp.Events() {
		if !a.Take(ev) {
			break
		}
	}
	return nil
}

// askStream asks for a streamed answer.
func askStream(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	a.Tries = 1
	noted := false // the notes of the request came before the first event
	for ev, err := range m.Stream(ctx, req) {
		if err != nil {
			a.AddErrorNotes(err, noted)
			return err
		}
		noted = true
		if n, ok := ev.(callwright.Noted); ok && n.Note.Rule == "transport.retry" {
			a.Tries++
		}
		if !a.Take(ev) {
			break
		}
	}
	return nil
}
