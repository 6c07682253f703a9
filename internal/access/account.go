package access

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright"
)

// An account counts the use by the keys of one name. It is safe for concurrent use.
type account struct {
	own *budget

	mu     sync.Mutex
	models map[string]*budget // for the models that a pattern fits

	streams atomic.Int64 // running now
	// beyond is the number of tokens that recent requests used beyond their estimated input: a decaying maximum. It is 0
	// before the first answer.
	beyond atomic.Int64
	// excess is the number of input tokens of recent requests beyond the estimate: a decaying maximum.
	excess atomic.Int64

	total totals
}

// totals count the use since the start.
type totals struct {
	requests, input, cached, output, nanos, unpriced atomic.Int64

	mu     sync.Mutex
	models []callwright.ModelID // whose price is not known
}

// unpricedNamed bounds the models without a price that are listed.
const unpricedNamed = 20

// newAccount returns the account of a key, or of a group.
func newAccount(g *Gate, name string, grouped bool) *account {
	return &account{own: newBudget(g, name, grouped, ""), models: map[string]*budget{}}
}

// setLimits replaces the limits of the account.
func (a *account) setLimits(g *Gate, l *Limits, perModel []ModelLimits) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.own.setLimits(*l)
	for _, m := range perModel {
		if a.models[m.Models] == nil {
			a.models[m.Models] = newBudget(g, a.own.owner, a.own.grouped, m.Models)
		}
		a.models[m.Models].setLimits(m.Limits)
	}
}

// budgets returns the budgets of limits for models, in their order. A budget is created with these limits if it is
// missing, as when the account still has the limits of another ring.
func (a *account) budgets(g *Gate, perModel []ModelLimits) []*budget {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []*budget
	for _, m := range perModel {
		if a.models[m.Models] == nil {
			a.models[m.Models] = newBudget(g, a.own.owner, a.own.grouped, m.Models)
			a.models[m.Models].setLimits(m.Limits)
		}
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

// Tokens that a request is taken for beyond its input.
const (
	// firstBeyond is the estimate before the key was answered.
	firstBeyond = 1024
	// firstMost is the most before the key was answered, where neither the request nor the model has a bound for the
	// output.
	firstMost = 8192
	// mostAllowed bounds the weight of the request's own bound of the output in an estimate: most requests allow far
	// more than the answer takes.
	mostAllowed = 4096
	// inputFactor is how many times as many tokens as estimated the input of a request may have: the estimate is a
	// token for four bytes, and a token has one byte at least.
	inputFactor = 4
)

// estimateTokens returns the expected tokens of a request beyond its estimated input. The least is the estimate: the
// usage of the key's latest requests, and the request's own bound. The most is the same once the key was answered, and
// an upper bound before.
func (a *account) estimateTokens(ask *Ask) (out amount) {
	allowed := int64(ask.MaxOutput)
	if seen := a.beyond.Load(); seen > 0 {
		n := max(seen, Sum(min(allowed, mostAllowed), a.excess.Load()))
		return amount{n, n}
	}
	out = amount{firstBeyond, firstMost}
	switch {
	case allowed > 0:
		out = amount{min(allowed, mostAllowed), allowed}
	case ask.MostOutput > 0:
		out.most = int64(ask.MostOutput)
	}
	out.most = max(out.least, Sum(out.most, (inputFactor-1)*int64(ask.Input)))
	return out
}

// learn updates the estimate by the use of a request: the tokens beyond its estimated input, and the part of them that
// was input. Of two concurrent updates one may be lost.
func (a *account) learn(beyond, excess int64) {
	a.excess.Store(max(excess, a.excess.Load()*7/8, 0))
	a.beyond.Store(max(beyond, a.beyond.Load()*7/8, 1))
}

// add counts the usage of a report.
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
