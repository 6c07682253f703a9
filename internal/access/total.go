package access

import (
	"context"
	"sync/atomic"
)

// allKeys stands in place of the name of a key for the use by all of them together. No key has such a name.
const allKeys = "all keys\x00"

// A total is the budget of all keys, and of requests without one, together.
type total struct {
	budget *budget
	limits atomic.Pointer[Limits] // without money for no bound
}

// set has another bound hold from now on.
func (t *total) set(s Spend) {
	l := &Limits{Spend: s}
	t.budget.setLimits(*l)
	t.limits.Store(l)
}

// isMetered reports whether there is a bound.
func (t *total) isMetered() bool { return t.limits.Load().Spend.USD > 0 }

// reserve counts the possible cost of a request in advance.
func (t *total) reserve(ctx context.Context, u *Use, beyond amount) error {
	if !t.isMetered() {
		return nil
	}
	return u.hold(ctx, &u.total, t.budget, t.limits.Load(), beyond)
}
