package access

import (
	"cmp"
	"context"
	"slices"
)

// Busiest returns the usage of the keys with the most requests at this gateway, in descending order, and the total of
// all other keys. The list has at most as many keys as the parameter most. Limits are read only for these keys.
func (g *Gate) Busiest(ctx context.Context, most int) (list []Usage, others Total) {
	if g.Open() {
		return []Usage{g.anybody.Usage(ctx)}, Total{}
	}
	type used struct {
		at       int32
		account  *account
		requests int64
	}
	r := g.ring.Load()
	var all []used
	g.mu.Lock()
	for i := range r.keys {
		if a := g.accounts[r.keys[i].Name]; a != nil {
			all = append(all, used{int32(i), a, a.total.requests.Load()}) //nolint:gosec // of the keys, which are fewer
		}
	}
	g.mu.Unlock()
	slices.SortStableFunc(all, func(a, b used) int { return cmp.Compare(b.requests, a.requests) })
	for i, u := range all {
		if i < most {
			list = append(list, g.onlooker(r, u.at).Usage(ctx))
			continue
		}
		t := u.account.total.now()
		others.Requests += t.Requests
		others.InputTokens += t.InputTokens
		others.CachedTokens += t.CachedTokens
		others.OutputTokens += t.OutputTokens
		others.USD += t.USD
	}
	return list, others
}

// TotalLimits returns the limits of all keys together with their use. It is empty if there is no limit.
func (g *Gate) TotalLimits(ctx context.Context) []Limit { return g.total.budget.limits(ctx, nil) }
