// Package reduce makes cases smaller by delta debugging: it removes parts as long as a replay of the case has the same
// finding.
//
// The method is that of Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002, applied to the
// levels of a tree as in Misherghi and Su, HDD: Hierarchical Delta Debugging, 2006.
package reduce

import (
	"context"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
)

// Limits limit the search for a smaller case. Zero fields mean the defaults.
type Limits struct {
	Replays int           // maximum number of replays; 0: DefaultReplays
	Time    time.Duration // maximum duration; 0: DefaultTime
}

// The default limits. A replay takes about a millisecond, so the time only limits a search on a very slow machine.
const (
	DefaultReplays = 600
	DefaultTime    = 20 * time.Second
)

// Stats describe the reduction of a case.
type Stats struct {
	Replays int `json:"replays"`
	Before  int `json:"bytes_before"` // size of the case file before the reduction
	After   int `json:"bytes_after"`
	// Stopped reports whether a limit ended the search.
	Stopped bool `json:"stopped,omitempty"`
}

// Case returns the smallest case found for which keeps returns true, nil if none is smaller than whole. keeps must
// return true for whole. It is not called concurrently. The result is deterministic unless the time limit ends the
// search.
func Case(ctx context.Context, whole *casefile.Case, keeps func(*casefile.Case) bool, l Limits) (*casefile.Case, Stats) {
	if l.Replays <= 0 {
		l.Replays = DefaultReplays
	}
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	ctx, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	s := &search{ctx: ctx, keeps: keeps, left: l.Replays, best: whole.Clone()}
	before := len(whole.Append(nil))
	for s.changed = true; s.changed && !s.over(); {
		s.changed = false
		s.turns()
		s.request()
		s.answers()
		s.reduceFacts()
	}
	s.strings()
	stats := Stats{Replays: l.Replays - s.left, Before: before, After: len(s.best.Append(nil)), Stopped: s.over()}
	if stats.After >= before {
		return nil, stats
	}
	return s.best, stats
}

// A search is the state of a reduction.
type search struct {
	ctx     context.Context //nolint:containedctx // of one call
	keeps   func(*casefile.Case) bool
	left    int // remaining replays
	best    *casefile.Case
	changed bool // best became smaller in this round
}

// over reports whether a limit of the search is reached.
func (s *search) over() bool { return s.left <= 0 || s.ctx.Err() != nil }

// try replaces the best case by c if keeps returns true for c. It reports whether it did.
func (s *search) try(c *casefile.Case) bool {
	if s.over() {
		return false
	}
	s.left--
	if !s.keeps(c) || s.ctx.Err() != nil {
		return false
	}
	s.best, s.changed = c, true
	return true
}

// minimize removes as many of n parts as possible with the ddmin algorithm: first large groups, then smaller ones. try
// receives the parts that remain and reports whether it accepts them.
func minimize(n int, try func(stay []bool) bool, over func() bool) {
	stay := make([]bool, n)
	for i := range stay {
		stay[i] = true
	}
	for size := n; size > 0 && !over(); size /= 2 {
		for from := 0; from < n && !over(); from += size {
			next := append([]bool(nil), stay...)
			any := false
			for i := from; i < min(from+size, n); i++ {
				any, next[i] = any || next[i], false
			}
			if any && try(next) {
				stay = next
			}
		}
	}
}

// turns removes recorded exchanges with providers.
func (s *search) turns() {
	all := s.best.Turns
	if len(all) < 2 {
		return
	}
	minimize(len(all), func(stay []bool) bool {
		c := s.best.Clone()
		c.Turns = nil
		for i, t := range all {
			if stay[i] {
				c.Turns = append(c.Turns, t)
			}
		}
		return s.try(c)
	}, s.over)
}

// The places of the request body, the conversation and the known facts in a case.
var (
	body         = place{func(c *casefile.Case) []byte { return c.Body }, func(c *casefile.Case, text []byte) { c.Body = text }}
	conversation = place{func(c *casefile.Case) []byte { return c.Conversation },
		func(c *casefile.Case, text []byte) { c.Conversation = text }}
	facts = place{func(c *casefile.Case) []byte { return c.Known }, func(c *casefile.Case, text []byte) { c.Known = text }}
)

// request removes parts of the client's request: messages, tools, members.
func (s *search) request() {
	for _, p := range []place{body, conversation} {
		if p.get(s.best) != nil {
			s.tree(p)
		}
	}
}

// reduceFacts removes facts about models, and the recorded requests to providers, which a replay creates itself.
func (s *search) reduceFacts() {
	if s.best.Known != nil {
		c := s.best.Clone()
		c.Known = nil
		if !s.try(c) {
			s.tree(facts)
		}
	}
	for i := range s.best.Turns {
		if sent := s.best.Turns[i].Sent; len(sent) > len("{}") {
			c := s.best.Clone()
			c.Turns[i].Sent = []byte("{}")
			s.try(c)
		}
	}
}
