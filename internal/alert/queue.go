package alert

import "sync"

// maxQueue is the maximum number of waiting messages.
const maxQueue = 256

// A message is an event to send.
type message struct {
	id    string // the same in each retry
	event Event
}

// A queue has the waiting messages, the oldest first. It is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	waiting []message
	dropped int // number of messages dropped since the last take
	closed  bool
	ready   chan struct{} // receives a value when a message is added
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// add adds a message. If the queue is full, add drops and returns the oldest message. If the queue is closed, it drops
// and returns m. Otherwise it returns nil.
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

// putBack adds a message from take as the oldest message.
func (q *queue) putBack(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped += m.event.Dropped
	q.waiting = append([]message{m}, q.waiting...)
}

// take removes and returns the oldest message. Its event.Dropped is the number of messages dropped before it. ok is
// false if the queue is empty.
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

// close drops all waiting messages and closes the queue, so that add drops every message. It returns the number of
// waiting messages.
func (q *queue) close() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.waiting)
	q.waiting, q.closed = nil, true
	return n
}
