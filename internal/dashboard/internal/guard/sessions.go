package guard

import (
	"sync"
	"time"
)

// SessionTime is the lifetime of a session.
const SessionTime = 8 * time.Hour

// maxSessions is the maximum number of sessions.
const maxSessions = 1000

// A session is the session of a browser that has logged in with a key.
type session struct {
	key   []byte
	began time.Time
}

// Sessions are the sessions of browsers by the id in their cookie. The zero Sessions is empty. It is safe for
// concurrent use.
type Sessions struct {
	mu   sync.Mutex
	byID map[string]session
}

// Add starts a session. If there are too many, the oldest ends.
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

// Key returns the key of a session, nil if the session does not exist or has expired.
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

// End ends a session, if it exists.
func (s *Sessions) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}
