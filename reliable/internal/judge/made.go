package judge

import "sync"

// A madeCache caches data derived from a toolset.
type madeCache struct {
	mu   sync.Mutex
	kept map[any]any
}

// maxMade is the maximum number of cached values. A full cache is cleared.
const maxMade = 16

// LoadOrMake returns the cached value for key, or calls anew and caches its result. The value must be immutable.
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
