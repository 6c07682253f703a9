package config

import (
	"github.com/callwright/callwright/internal/config/internal/targetlist"
	"github.com/callwright/callwright/internal/health"
)

// Targets returns the keys and hosts of the providers that have several of either and were used, by name.
func (r *Registry) Targets() []health.Target {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []health.Target
	for key, e := range r.endpoints {
		if e.p != nil {
			out = targetlist.Add(out, key.name, e.p.Targets())
		}
	}
	targetlist.Sort(out)
	return out
}
