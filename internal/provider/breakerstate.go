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

// The states.
const (
	BreakerClosed   BreakerState = "closed"    // all are let through
	BreakerHalfOpen BreakerState = "half_open" // one is, to see whether the provider has come back
	BreakerOpen     BreakerState = "open"      // none is
)

// BreakerStates lists the states.
func BreakerStates() []BreakerState {
	return []BreakerState{BreakerClosed, BreakerHalfOpen, BreakerOpen}
}

// A Breaker is the state of the breaker of a model.
type Breaker struct {
	Model callwright.ModelID
	State BreakerState
	// Last and Left are set for an open breaker: the end of the last failed try, and the time until the next try is
	// allowed.
	Last string
	Left time.Duration
}

// Breakers returns the breakers of the models that were asked, by name.
func (p *Provider) Breakers() []Breaker {
	p.mu.RLock()
	var out []Breaker
	for _, r := range p.models {
		if r.breaker.used.Load() { // else it is only listed
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

// A Skipped is a model that is not asked after a failure, if another one can be.
type Skipped struct {
	Model callwright.ModelID
	Kind  callwright.Kind // of the failure
	Left  time.Duration
}

// Skips returns the models that were asked and are skipped now: each of their targets cools down.
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

// Away returns the reason for which the model is not asked now, and the time: its breaker is open, or it is skipped
// after a failure. why is "" for a model that may be asked.
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
