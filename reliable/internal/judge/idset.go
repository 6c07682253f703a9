package judge

import "slices"

// An IDSet is the ids of an answer's calls. The zero IDSet is empty. Most answers have few: a map is made for those that have many.
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
