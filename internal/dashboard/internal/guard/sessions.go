package guard

import (
	"sync"
	"time"
)

// SessionTime is how long a session lasts.
const SessionTime = 8 * time.Hour

// maxSessions bounds the sessions.
const maxSessions = 1000

// A session is of a browser that has shown a key.
type session struct {
	key   []byte
	began time.Time
}

// Sessions are those of browsers that have shown a key, by the id in their cookie, each with its key. The zero Sessions
// has none; it is safe for concurrent use.
type Sessions struct {
	mu   sync.Mutex
	byID map[string]session
}

// Add begins a session. Where there are too many the oldest ends.
func (s *Sessions) Add(id string, key []byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[string]session{}
	}
	oldest := ""
	for other, at := range s.byID {
		switch {
		case now.Sub(at.began) >= SessionTime:
			delete(s.byID, other)
		case oldest == "" || at.began.Before(s.byID[oldest].began):
			oldest = other
		}
	}
	if len(s.byID) >= maxSessions {
		delete(s.byID, oldest)
	}
	s.byID[id] = session{key, now}
}

// Key returns the key of a session, nil where there is none or it has ended.
func (s *Sessions) Key(id string, now time.Time) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.byID[id]
	if !ok || now.Sub(at.began) >= SessionTime {
		delete(s.byID, id)
		return nil
	}
	return at.key
}

// End ends a session, if it is there.
func (s *Sessions) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}
