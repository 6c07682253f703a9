package balance

import (
	"cmp"
	"slices"
	"time"

	"github.com/callwright/callwright"
)

// A State is the state of a target: its cooldowns and its counts of requests.
type State struct {
	Key, Host string // their names
	Weight    int
	InFlight  int
	// Kind is the kind of the failure for which the target is avoided for all models, "" for none, and Left the time.
	Kind callwright.Kind
	Left time.Duration
	// KeyCools is set if the key is the reason, and not the host.
	KeyCools bool
	// Limits are the models for which the target is avoided for longer.
	Limits []ModelLimit
	// Asked counts the requests that were sent, Limited those that the key's limits refused, Refused those that the key
	// itself did, and Failed those that the host did not answer.
	Asked, Limited, Refused, Failed int64
}

// A ModelLimit is a model for which a target is avoided.
type ModelLimit struct {
	Model string
	Kind  callwright.Kind
	Left  time.Duration
}

// States lists the targets, key by key.
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
