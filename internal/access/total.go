package access

import (
	"context"
	"sync/atomic"
)

// allKeys is the owner of the budget of all keys together. No key can have this name.
const allKeys = "all keys\x00"

// A total is the budget of all requests together, with and without a key.
type total struct {
	budget *budget
	limits atomic.Pointer[Limits] // with Spend.USD 0 for no limit
}

// set replaces the limit.
func (t *total) set(s Spend) {
	l := &Limits{Spend: s}
	t.budget.setLimits(*l)
	t.limits.Store(l)
}

// isMetered reports whether there is a limit.
func (t *total) isMetered() bool { return t.limits.Load().Spend.USD > 0 }

// reserve reserves the possible cost of a request. beyond is the number of tokens beyond its estimated input.
func (t *total) reserve(ctx context.Context, u *Use, beyond amount) error {
	if !t.isMetered() {
		return nil
	}
	return u.reserve(ctx, &u.total, t.budget, t.limits.Load(), beyond)
}
