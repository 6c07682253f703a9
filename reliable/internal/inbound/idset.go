package inbound

import "slices"

// An idSet is the ids of an answer's calls. The zero idSet is empty. Most answers have few: a map is made for those that have many.
type idSet struct {
	few  []string
	room [4]string // what few begins in
	many map[string]bool
}

func (s *idSet) add(id string) {
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

func (s *idSet) has(id string) bool {
	if s.many != nil {
		return s.many[id]
	}
	return slices.Contains(s.few, id)
}
