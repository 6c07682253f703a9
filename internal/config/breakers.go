package config

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factfile"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/provider"
)

// Breakers returns the circuit breakers of all models that were requested since the start, sorted by model. A model
// that is requested with different settings may have several.
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

// Skips returns the models that requests skip at present: models with an open circuit breaker, and models that are in a
// cooldown after a failure.
func (r *Registry) Skips() (out []health.Skip) {
	for _, b := range r.Breakers() {
		if b.State == provider.BreakerOpen {
			out = append(out, health.Skip{Model: b.Model, Kind: callwright.KindUnavailable, Left: b.Left, Breaker: true, Last: b.Last})
		}
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	listed := map[callwright.ModelID]bool{}
	for _, e := range r.endpoints {
		if e.p == nil {
			continue
		}
		for _, s := range e.p.Skips() {
			if !listed[s.Model] { // endpoints of one provider share the cooldowns
				listed[s.Model] = true
				out = append(out, health.Skip{Model: s.Model, Kind: s.Kind, Left: s.Left})
			}
		}
	}
	return out
}

// Unusable returns the configured providers that cannot be used because of their configuration, such as a missing API
// key. It sends no request.
func (r *Registry) Unusable() []Endpoint {
	var out []Endpoint
	for i := range r.c.Providers {
		p := &r.c.Providers[i]
		if _, err := r.provider(*p, &p.Settings); err != nil {
			out = append(out, Endpoint{Name: p.Name, Problem: plain(err), NoCredentials: callwright.KindOf(err) == callwright.KindAuth})
		}
	}
	return out
}

// WithoutCredentials returns the providers whose last request was not sent because its credentials could not be
// obtained.
func (r *Registry) WithoutCredentials() (out []Endpoint) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for key, e := range r.endpoints {
		if e.p == nil || slices.ContainsFunc(out, func(o Endpoint) bool { return o.Name == key.name }) {
			continue
		}
		if why := e.p.MissingCredentials(); why != "" {
			out = append(out, Endpoint{Name: key.name, Problem: why, NoCredentials: true})
		}
	}
	slices.SortFunc(out, func(a, b Endpoint) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Unread returns the errors of files with learned model facts that could not be read, by path.
func (r *Registry) Unread() map[string]error { return factfile.Unread(r.capsStore) }
