package provider

import (
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/sony/gobreaker/v2"
)

// A BreakerState is the state of a model's circuit breaker.
type BreakerState string

// The states of a circuit breaker.
const (
	BreakerClosed   BreakerState = "closed"    // permits all tries
	BreakerHalfOpen BreakerState = "half_open" // permits one try, to test whether the provider has recovered
	BreakerOpen     BreakerState = "open"      // rejects all tries
)

// BreakerStates returns all states.
func BreakerStates() []BreakerState {
	return []BreakerState{BreakerClosed, BreakerHalfOpen, BreakerOpen}
}

// A Breaker is the state of the circuit breaker of a model.
type Breaker struct {
	Model callwright.ModelID
	State BreakerState
	// Last and Left are set for an open circuit breaker: the result of the last failed try, and the time until the next
	// permitted try.
	Last string
	Left time.Duration
}

// Breakers returns the circuit breakers of the models that were requested, sorted by model.
func (p *Provider) Breakers() []Breaker {
	p.mu.RLock()
	var out []Breaker
	for _, r := range p.models {
		if r.breaker.used.Load() { // else the model is only listed
			b := Breaker{Model: r.id, State: r.breaker.state()}
			if b.State == BreakerOpen {
				e := r.breaker.openError()
				b.Last, b.Left = e.last, e.left
			}
			out = append(out, b)
		}
	}
	p.mu.RUnlock()
	slices.SortFunc(out, func(a, b Breaker) int { return strings.Compare(string(a.Model), string(b.Model)) })
	return out
}

// A Skipped is a model in a cooldown: requests that have a fallback skip it for the time Left.
type Skipped struct {
	Model callwright.ModelID
	Kind  callwright.Kind // of the failure
	Left  time.Duration
}

// Skips returns the requested models for which all API keys and hosts are in a cooldown.
func (p *Provider) Skips() (out []Skipped) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, r := range p.models {
		if !r.breaker.used.Load() {
			continue
		}
		if s := p.targets.set.Away(r.limits); s.Left > 0 {
			out = append(out, Skipped{r.id, s.Kind, s.Left})
		}
	}
	return out
}

func (b *breaker) state() BreakerState {
	if b.gate == nil {
		return BreakerClosed
	}
	switch b.gate.State() {
	case gobreaker.StateOpen:
		return BreakerOpen
	case gobreaker.StateHalfOpen:
		return BreakerHalfOpen
	}
	return BreakerClosed
}

// Away returns the reason why the model is not requested at present, and for how long: its circuit breaker is open, or
// it is in a cooldown after a failure. why is "" if the model can be requested.
func (r *Remote) Away() (why string, left time.Duration) {
	if r.breaker.state() == BreakerOpen {
		e := r.breaker.openError()
		return "its circuit breaker is open", e.left
	}
	if s := r.p.targets.set.Away(r.limits); s.Left > 0 {
		return skipReason(s.Kind), s.Left
	}
	return "", 0
}
