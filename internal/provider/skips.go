package provider

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
)

// Skips returns the models that are not asked now: those with an open breaker, and those that are skipped after a failure.
func Skips(breakers []Breaker, cooldowns *Cooldowns) []health.Skip {
	var out []health.Skip
	for _, b := range breakers {
		if b.State == BreakerOpen {
			out = append(out, health.Skip{Model: b.Model, Kind: callwright.KindUnavailable, Left: b.Left, Breaker: true, Last: b.Last})
		}
	}
	for name, s := range cooldowns.Active() {
		out = append(out, health.Skip{Model: callwright.ModelID(name), Kind: s.Kind, Left: s.Left})
	}
	return out
}
