package alert

import "sync"

// maxQueue bounds the messages that wait.
const maxQueue = 256

// A message is an event that is to be sent.
type message struct {
	id    string // the same for each attempt
	event Event
}

// A queue has the messages that wait, the oldest first. It is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	waiting []message
	dropped int // since the last message that was taken
	closed  bool
	ready   chan struct{} // has a value where something waits
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// add appends a message. Where too many wait the oldest is dropped, and returned.
func (q *queue) add(m message) (dropped *message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return &m
	}
	if len(q.waiting) == maxQueue {
		dropped = &q.waiting[0]
		q.waiting = q.waiting[1:]
		q.dropped++
	}
	q.waiting = append(q.waiting, m)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return dropped
}

// putBack makes a message that was taken the oldest again.
func (q *queue) putBack(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped += m.event.Dropped
	q.waiting = append([]message{m}, q.waiting...)
}

// take removes the oldest message, which says how many were dropped before it.
func (q *queue) take() (m message, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return message{}, false
	}
	m = q.waiting[0]
	q.waiting = q.waiting[1:]
	m.event.Dropped, q.dropped = q.dropped, 0
	return m, true
}

// close drops all waiting messages and those added later. It returns how many waited.
func (q *queue) close() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.waiting)
	q.waiting, q.closed = nil, true
	return n
}
