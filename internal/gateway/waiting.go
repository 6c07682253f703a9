package gateway

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"

	"github.com/callwright/callwright/internal/gateway/internal/clientconn"
)

// waiting tracks the connections without a running request. If there are too many connections, it closes the one that
// has waited longest. Idle connections thus neither block new clients nor use file descriptors that running requests
// need. It is safe for concurrent use.
type waiting struct {
	most int // maximum number of connections; 0 for no limit

	mu    sync.Mutex
	open  map[net.Conn]*connection
	order connection // sentinel of the ring of idle connections, the longest idle first
	idle  int        // number of connections in the ring
}

// A connection is linked into the ring of idle connections while no request runs on it. Otherwise next is nil. The
// intrusive links avoid an allocation per request.
type connection struct {
	net.Conn
	prev, next *connection
}

func newWaiting(most int) *waiting {
	q := &waiting{most: most, open: map[net.Conn]*connection{}}
	q.order.prev, q.order.next = &q.order, &q.order
	return q
}

// noteConnState is the ConnState callback of http.Server. It adds new and idle connections to the ring and removes
// active ones. Above the maximum number of connections, it closes the longest idle.
func (q *waiting) noteConnState(c net.Conn, to http.ConnState) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.open[c]
	if o == nil {
		if to != http.StateNew { // already closed by waiting
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
	for q.most > 0 && len(q.open) > q.most && q.idle > 0 { // the last in the ring has just been accepted
		q.close(q.order.next)
	}
}

// leave removes a connection from the ring of idle connections. It does nothing if the connection is not idle.
func (q *waiting) leave(o *connection) {
	if o.next != nil {
		o.prev.next, o.next.prev = o.next, o.prev
		o.prev, o.next = nil, nil
		q.idle--
	}
}

// closeOldest closes about a quarter of the idle connections, the longest idle first, and at least one if any is idle.
func (q *waiting) closeOldest() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n := q.idle/4 + 1; n > 0 && q.idle > 0; n-- {
		q.close(q.order.next)
	}
}

// count returns the number of open connections.
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

// A sheddingListener closes idle connections if the process has no file descriptor left for a new one.
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
		return nil, err //nolint:wrapcheck // http.Server inspects its type
	}
	return clientconn.New(c), nil
}
