package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/vault"
)

// keepsState reports whether opaque state is kept in a store. It is kept for the clients of every wire: what their API has a member
// for, some drop all the same.
func keepsState(v vault.Store, policy callwright.Policy) bool {
	return v != nil && !changesNothing(policy)
}

// restoring returns what puts kept state back into a request to a model, nil where none is kept.
func restoring(ctx context.Context, v vault.Store, to callwright.ModelID, l *judge.Ledger) func(*callwright.Request, []callwright.Summary) error {
	if !keepsState(v, l.Policy) || !l.May(vault.RuleRestored) {
		return nil
	}
	return func(out *callwright.Request, turns []callwright.Summary) error {
		notes, err := vault.Restore(ctx, v, out, turns, to)
		for _, n := range notes {
			l.Add(n)
		}
		return err
	}
}
