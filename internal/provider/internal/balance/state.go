package balance

import (
	"cmp"
	"slices"
	"time"

	"github.com/callwright/callwright"
)

// A State is the state of a target: its cooldowns and its numbers of requests.
type State struct {
	Key, Host string // names of the key and the host
	Weight    int
	InFlight  int
	// Kind is the kind of error for which the target is in a cooldown for all models, "" for none. Left is the rest of the
	// cooldown.
	Kind callwright.Kind
	Left time.Duration
	// KeyCools reports whether the cooldown is that of the key, not of the host.
	KeyCools bool
	// Limits are the models for which the target has a longer cooldown.
	Limits []ModelLimit
	// Asked is the number of requests that were sent. Limited is the number of requests rejected by a rate limit of the
	// key, Refused the number in which the key was refused, and Failed the number of failures of the host.
	Asked, Limited, Refused, Failed int64
}

// A ModelLimit is a cooldown of a target for one model.
type ModelLimit struct {
	Model string
	Kind  callwright.Kind
	Left  time.Duration
}

// States returns the state of all targets, sorted by key, then host.
func (s *Set) States() []State {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	now := s.table.clock()
	var out []State
	for i := range s.targets {
		t := &s.targets[i]
		st := State{
			Key: s.KeyName(t), Host: s.HostName(t), Weight: t.weight, InFlight: t.pair.inFlight,
			Asked: t.asked, Limited: t.limited, Refused: t.refused, Failed: t.failed,
		}
		for i, p := range []*part{s.keys[t.Key].part, s.hosts[t.Host].part} {
			if left := p.timeLeft(now); left > st.Left {
				st.Kind, st.Left, st.KeyCools = p.kind, left, i == 0
			}
		}
		for name, m := range s.models {
			l, parts := ModelLimit{Model: name}, s.parts(m, t)
			for _, p := range parts[byLimit:] {
				if left := p.timeLeft(now); left > l.Left {
					l.Kind, l.Left = p.kind, left
				}
			}
			if l.Left > st.Left {
				st.Limits = append(st.Limits, l)
			}
		}
		slices.SortFunc(st.Limits, func(a, b ModelLimit) int { return cmp.Compare(a.Model, b.Model) })
		out = append(out, st)
	}
	return out
}
