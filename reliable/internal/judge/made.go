package judge

import "sync"

// A madeCache keeps the products of stages from a toolset.
type madeCache struct {
	mu   sync.Mutex
	kept map[any]any
}

// maxMade bounds the products of one toolset; a full cache is cleared.
const maxMade = 16

// LoadOrMake returns the product of the toolset under a key, and makes it the first time. It does not change
// afterwards.
func (s *Toolset) LoadOrMake(key any, anew func() any) any {
	if s.made == nil {
		return anew()
	}
	s.made.mu.Lock()
	defer s.made.mu.Unlock()
	if v, ok := s.made.kept[key]; ok {
		return v
	}
	if len(s.made.kept) == maxMade {
		clear(s.made.kept)
	}
	v := anew()
	if s.made.kept == nil {
		s.made.kept = map[any]any{}
	}
	s.made.kept[key] = v
	return v
}
