package config

import (
	"github.com/callwright/callwright/internal/config/internal/targetlist"
	"github.com/callwright/callwright/internal/health"
)

// Targets returns the state of the API keys and hosts of each provider that has several of either and that was used,
// sorted by provider.
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
