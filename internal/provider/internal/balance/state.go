package balance

import (
	"cmp"
	"slices"
	"time"

	"github.com/callwright/callwright"
)

// A State is what is known of a target.
type State struct {
	Key, Host string // their names
	Weight    int
	InFlight  int
	// Kind is that of the failure for which the target is avoided for all models, "" for none, and Left for how long.
	Kind callwright.Kind
	Left time.Duration
	// KeyCools says that the key is the reason, and not the host.
	KeyCools bool
	// Limits are the models for which the key is avoided.
	Limits []ModelLimit
	// Asked counts the requests that were sent, Limited those that the key's limits refused, Refused those that the key itself did, and Failed
	// those that the host did not answer.
	Asked, Limited, Refused, Failed int64
}

// A ModelLimit is a model for which a key is avoided.
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
			if left := p.left(now); left > st.Left {
				st.Kind, st.Left, st.KeyCools = p.kind, left, i == 0
			}
		}
		for name, m := range s.models {
			if p := s.limit(m, t); p.left(now) > 0 {
				st.Limits = append(st.Limits, ModelLimit{name, p.kind, p.left(now)})
			}
		}
		slices.SortFunc(st.Limits, func(a, b ModelLimit) int { return cmp.Compare(a.Model, b.Model) })
		out = append(out, st)
	}
	return out
}
