package config

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright/internal/provider"
)

// Breakers returns the breakers of all models that were asked, by name. A model that is asked with several settings may have several.
func (r *Registry) Breakers() []provider.Breaker {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []provider.Breaker
	for _, e := range r.endpoints {
		if e.p != nil {
			out = append(out, e.p.Breakers()...)
		}
	}
	slices.SortFunc(out, func(a, b provider.Breaker) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.State, b.State))
	})
	return out
}
