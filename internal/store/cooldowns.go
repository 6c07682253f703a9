package store

import "time"

// Cooldowns shares short-lived texts by names, such as the cooldowns of a provider's keys, between the gateways of a
// space. heard is called with each text that another gateway told, those that still hold first. tell tells one that
// holds for a time, in place of the last one of that name; it waits for nothing, and is lost where NATS stays away. It
// is called once.
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
