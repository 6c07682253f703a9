package store

import "time"

// Cooldowns shares short-lived named messages between the gateways of a space, such as the cooldowns of a provider's
// keys. It must be called only once. heard is called with each message of another gateway, starting with the unexpired
// ones. The returned function publishes a message that replaces the last one with the same name and expires after life.
// It does not block. The message is lost if NATS stays unavailable.
func (s *Store) Cooldowns(heard func(data []byte)) (tell func(name string, data []byte, life time.Duration)) {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	st := s.streams[cooldowns]
	out := s.newOutbox(st, nil)
	newFollower(st, func(m *message) {
		if m.head.Get(headFrom) != s.id {
			heard(m.data)
		}
	}, nil).start()
	return func(name string, data []byte, life time.Duration) {
		m := newMessage(data, token(name))
		m.expire(max(life.Round(time.Second), time.Second))
		out.add(m)
	}
}
