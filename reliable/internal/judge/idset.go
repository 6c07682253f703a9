package judge

import (
	"slices"

	"github.com/callwright/callwright"
)

// An IDSet is a set of call IDs. The zero IDSet is empty. It uses a map only for more than four IDs.
type IDSet struct {
	few  []string
	room [4]string // initial memory of few
	many map[string]bool
}

// Add adds a call ID to the set.
func (s *IDSet) Add(id string) {
	switch {
	case s.many != nil:
		s.many[id] = true
	case s.few == nil:
		s.few = append(s.room[:0], id)
	case len(s.few) < len(s.room):
		s.few = append(s.few, id)
	default:
		s.many = map[string]bool{id: true}
		for _, id := range s.few {
			s.many[id] = true
		}
	}
}

// Has reports whether the set has the ID.
func (s *IDSet) Has(id string) bool {
	if s.many != nil {
		return s.many[id]
	}
	return slices.Contains(s.few, id)
}

// PastIDs is the set of call IDs in a request's history, read on first use.
type PastIDs struct {
	ids  map[string]bool
	read bool
}

// Has reports whether a call in the history of req has the ID.
func (p *PastIDs) Has(id string, req *callwright.Request) bool {
	if !p.read {
		p.read = true
		for _, t := range req.Summaries() {
			for _, c := range t.Calls {
				if p.ids == nil {
					p.ids = map[string]bool{}
				}
				p.ids[c.ID] = true
			}
		}
	}
	return p.ids[id]
}
