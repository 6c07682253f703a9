package gateway

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"

	"github.com/callwright/callwright/internal/gateway/internal/clientconn"
)

// waiting knows the connections on which no request is running. Where connections become too many the one that waits
// for the longest goes, which is the new one where no other waits: idle ones must not keep new clients out, nor take
// the file descriptors that running requests need for their providers. It is safe for concurrent use.
type waiting struct {
	most int // connections; 0 for any number

	mu    sync.Mutex
	open  map[net.Conn]*connection
	order connection // the head, which is no connection, of a ring of those that wait, the one that has waited longest first
	idle  int        // how many are in the ring
}

// A connection is linked into a ring while it waits, and else has no next. The links are its own, so that a request
// allocates none.
type connection struct {
	net.Conn
	prev, next *connection
}

func newWaiting(most int) *waiting {
	q := &waiting{most: most, open: map[net.Conn]*connection{}}
	q.order.prev, q.order.next = &q.order, &q.order
	return q
}

// noteConnState is told of every change of a connection, as http.Server does it.
func (q *waiting) noteConnState(c net.Conn, to http.ConnState) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.open[c]
	if o == nil {
		if to != http.StateNew { // it was shed
			return
		}
		o = &connection{Conn: c}
		q.open[c] = o
	}
	q.leave(o)
	switch to {
	case http.StateNew, http.StateIdle:
		o.prev, o.next = q.order.prev, &q.order
		o.prev.next, o.next.prev = o, o
		q.idle++
	case http.StateActive:
		return
	default:
		delete(q.open, c)
		return
	}
	for q.most > 0 && len(q.open) > q.most && q.idle > 0 { // the last one has just come
		q.close(q.order.next)
	}
}

// leave takes a connection out of the ring, if it waits.
func (q *waiting) leave(o *connection) {
	if o.next != nil {
		o.prev.next, o.next.prev = o.next, o.prev
		o.prev, o.next = nil, nil
		q.idle--
	}
}

// closeOldest closes a quarter of the connections that wait, and one at least.
func (q *waiting) closeOldest() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n := q.idle/4 + 1; n > 0 && q.idle > 0; n-- {
		q.close(q.order.next)
	}
}

// count returns how many connections there are.
func (q *waiting) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.open)
}

func (q *waiting) close(o *connection) {
	q.leave(o)
	delete(q.open, o.Conn)
	_ = o.Close()
}

// A sheddingListener closes waiting connections when the process cannot open more.
type sheddingListener struct {
	net.Listener
	waiting *waiting
}

func (l sheddingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		l.waiting.closeOldest()
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // http.Server looks at what it is
	}
	return clientconn.New(c), nil
}
