package access

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright"
)

// An account counts the use of the keys with one name, or of a group of keys. It is safe for concurrent use.
type account struct {
	own *budget

	mu     sync.Mutex
	models map[string]*budget // budgets for models, by the pattern of the models

	streams atomic.Int64 // number of running streams
	// beyond is an estimate of the tokens that a request uses beyond its estimated input: a decaying maximum of recent
	// requests. It is 0 before the first response.
	beyond atomic.Int64
	// excess is the part of beyond that was input, as a decaying maximum of recent requests.
	excess atomic.Int64

	total totals
}

// totals count the use of a key since the start of the process.
type totals struct {
	requests, input, cached, output, nanos, unpriced atomic.Int64

	mu     sync.Mutex
	models []callwright.ModelID // models without a known price, at most unpricedNamed
}

// unpricedNamed is the maximum number of models without a price that are listed.
const unpricedNamed = 20

// newAccount returns the account of a key, or of a group if grouped is set.
func newAccount(g *Gate, name string, grouped bool) *account {
	return &account{own: newBudget(g, name, grouped, ""), models: map[string]*budget{}}
}

// setLimits replaces the limits of the account. Budgets keep their counts.
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

// budgets returns the budgets for the limits perModel, in the same order. It creates missing budgets with these limits.
// A budget is missing if the account still has the limits of another ring, an earlier or later set of keys.
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

// Estimates of the tokens that a request uses beyond its estimated input.
const (
	// firstBeyond is the estimate before the first response to a request with the key.
	firstBeyond = 1024
	// firstMost is the upper bound before the first response, if neither the request nor the model limits the output.
	firstMost = 8192
	// mostAllowed is the maximum that the request's own output limit contributes to an estimate, since most requests
	// permit far more output than they get.
	mostAllowed = 4096
	// inputFactor is the maximum ratio of actual to estimated input tokens. The estimate is one token for four bytes, and
	// a token has at least one byte.
	inputFactor = 4
)

// estimateTokens returns the expected tokens of a request beyond its estimated input. Field least is the estimate by
// the recent requests of the key and the request's output limit. Field most is equal to least after the first response,
// and an upper bound before.
func (a *account) estimateTokens(ask *PlannedRequest) (out amount) {
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

// learn updates the estimates with a completed request. beyond is its total tokens minus its estimated input, excess is
// its input tokens minus its estimated input. A concurrent update may be lost.
func (a *account) learn(beyond, excess int64) {
	a.excess.Store(max(excess, a.excess.Load()*7/8, 0))
	a.beyond.Store(max(beyond, a.beyond.Load()*7/8, 1))
}

// add adds the token usage of a request and its cost in billionths of a US dollar.
func (t *totals) add(u callwright.Usage, nanos int64) {
	t.input.Add(int64(u.Input))
	t.cached.Add(int64(u.CacheRead))
	t.output.Add(int64(u.Output))
	t.nanos.Add(nanos)
}

// addUnpriced adds tokens of a model without a known price.
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
