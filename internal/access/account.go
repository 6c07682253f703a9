package access

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright"
)

// An account is what the keys of one name use together. It is safe for concurrent use.
type account struct {
	own *budget

	mu     sync.Mutex
	models map[string]*budget // for the models that a pattern fits

	streams atomic.Int64 // running now
	// beyond is how many tokens lately asked requests came to beyond what their input was taken for: the most, which fades. 0 before the first.
	beyond atomic.Int64

	total totals
}

// totals are what was used since the start.
type totals struct {
	requests, input, cached, output, nanos, unpriced atomic.Int64

	mu     sync.Mutex
	models []callwright.ModelID // whose price is not known
}

// unpricedNamed bounds the models without a price that are listed.
const unpricedNamed = 20

func newAccount(g *Gate, name string) *account {
	return &account{own: newBudget(g, name, ""), models: map[string]*budget{}}
}

// setLimits has the limits of a key hold from now on.
func (a *account) setLimits(g *Gate, k *Key) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.own.setLimits(k.Limits)
	for _, m := range k.PerModel {
		if a.models[m.Models] == nil {
			a.models[m.Models] = newBudget(g, k.Name, m.Models)
		}
		a.models[m.Models].setLimits(m.Limits)
	}
}

// budgets returns the meters of a key's limits for models, in their order.
func (a *account) budgets(k *Key) []*budget {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []*budget
	for _, m := range k.PerModel {
		out = append(out, a.models[m.Models])
	}
	return out
}

func (a *account) close(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.own.close(ctx)
	for _, b := range a.models {
		b.close(ctx)
	}
}

// What a request is taken for where nothing better is known.
const (
	firstBeyond = 1024 // beyond its input, before any of the key was answered
	mostAllowed = 4096 // of what the client lets the answer have: most let it have far more than it takes
)

// expected is how many tokens a request may come to beyond its input: what lately asked ones came to, and what the client lets it have.
func (a *account) expected(maxOutput int64) int64 {
	seen := a.beyond.Load()
	if seen == 0 && maxOutput <= 0 {
		return firstBeyond
	}
	return max(seen, min(maxOutput, mostAllowed), 1)
}

// learn takes in what a request came to. Of two at the same time one may be lost: it is an estimate.
func (a *account) learn(beyond int64) {
	faded := a.beyond.Load() * 7 / 8
	a.beyond.Store(max(beyond, faded, 1))
}

// add counts what a report says.
func (t *totals) add(u callwright.Usage, nanos int64) {
	t.input.Add(int64(u.Input))
	t.cached.Add(int64(u.CacheRead))
	t.output.Add(int64(u.Output))
	t.nanos.Add(nanos)
}

// addUnpriced counts tokens of a model without a price.
func (t *totals) addUnpriced(m callwright.ModelID, tokens int64) {
	t.unpriced.Add(tokens)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.models) < unpricedNamed && !slices.Contains(t.models, m) {
		t.models = append(t.models, m)
	}
}

func (t *totals) unpricedModels() []callwright.ModelID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.models)
}
