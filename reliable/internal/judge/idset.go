package judge

import (
	"slices"

	"github.com/callwright/callwright"
)

// An IDSet is the ids of an answer's calls. The zero IDSet is empty. Most answers have few: a map is made for those
// that have many.
type IDSet struct {
	few  []string
	room [4]string // what few begins in
	many map[string]bool
}

// Add adds an id.
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

// Has reports whether an id was added.
func (s *IDSet) Has(id string) bool {
	if s.many != nil {
		return s.many[id]
	}
	return slices.Contains(s.few, id)
}

// PastIDs are the ids of the calls in a request's history. They are read when they are asked for.
type PastIDs struct {
	ids  map[string]bool
	read bool
}

// Has reports whether a call of the history has an id.
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
