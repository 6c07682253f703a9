// Package reduce makes cases smaller by delta debugging: it leaves parts out as long as the case comes to the same
// finding.
//
// The method is the one of Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002, over the
// levels of a tree, as Misherghi and Su describe in HDD: Hierarchical Delta Debugging, 2006.
package reduce

import (
	"context"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
)

// Limits bound a search. Zero members have the default.
type Limits struct {
	Replays int           // how often the case is read again; the default is DefaultReplays
	Time    time.Duration // the default is DefaultTime
}

// The default limits. A replay takes about a millisecond: the time ends a search only on a machine that is much too
// slow.
const (
	DefaultReplays = 600
	DefaultTime    = 20 * time.Second
)

// Stats say how a case was made smaller.
type Stats struct {
	Replays int `json:"replays"`
	Before  int `json:"bytes_before"` // of the file of the case
	After   int `json:"bytes_after"`
	// Stopped says that a limit ended the search before nothing more could be left out.
	Stopped bool `json:"stopped,omitempty"`
}

// Case returns the smallest case found that keeps says yes to, nil where none is smaller. keeps is called once at a
// time and says yes to whole. The search is the same each time, unless the limit of time ends it.
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

// A search is one that is under way.
type search struct {
	ctx     context.Context //nolint:containedctx // of one call
	keeps   func(*casefile.Case) bool
	left    int // replays
	best    *casefile.Case
	changed bool // best became smaller in this round
}

// over reports whether a limit was reached.
func (s *search) over() bool { return s.left <= 0 || s.ctx.Err() != nil }

// try takes a smaller case where it keeps the finding.
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

// minimize leaves out as many of n parts as it can, by ddmin: first large groups, then smaller ones. try gets the parts
// that stay, and takes them or not.
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

// turns leaves out exchanges with providers.
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

// The places of the request and of the known facts of models.
var (
	body         = place{func(c *casefile.Case) []byte { return c.Body }, func(c *casefile.Case, text []byte) { c.Body = text }}
	conversation = place{func(c *casefile.Case) []byte { return c.Conversation },
		func(c *casefile.Case, text []byte) { c.Conversation = text }}
	facts = place{func(c *casefile.Case) []byte { return c.Known }, func(c *casefile.Case, text []byte) { c.Known = text }}
)

// request leaves out parts of the client's request: messages, tools, members.
func (s *search) request() {
	for _, p := range []place{body, conversation} {
		if p.get(s.best) != nil {
			s.tree(p)
		}
	}
}

// reduceFacts leaves out facts about models, and the bodies that were sent: the replay makes its own.
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
