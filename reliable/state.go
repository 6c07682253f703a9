package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/vault"
)

// A handingBack is a Body whose clients send opaque state back in members of their own API: none has to be kept for them.
type handingBack interface {
	HandsBack() bool
}

// keepsState reports whether opaque state is kept in a store for the client of a request.
func keepsState(v vault.Store, policy callwright.Policy, req *callwright.Request) bool {
	if v == nil || changesNothing(policy) {
		return false
	}
	b, ok := req.Body.(handingBack)
	return !ok || !b.HandsBack()
}

// restoring returns what puts kept state back into a request to a receiver, nil where none is kept.
func restoring(ctx context.Context, v vault.Store, req *callwright.Request, to outbound.Receiver, l *judge.Ledger) func(*callwright.Request, []callwright.Summary) error {
	if !keepsState(v, l.Policy, req) || !l.May(vault.RuleRestored) {
		return nil
	}
	return func(out *callwright.Request, turns []callwright.Summary) error {
		notes, err := vault.Restore(ctx, v, out, turns, to.ID, to.Caps.History)
		for _, n := range notes {
			l.Add(n)
		}
		return err
	}
}
