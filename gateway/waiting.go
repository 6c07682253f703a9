package gateway

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"
)

// waiting knows the connections on which no request is running. Where connections become too many the one that waits for the longest
// goes, which is the new one where no other waits: idle ones must not keep new clients out, nor take the file descriptors that running
// requests need for their providers. It is safe for concurrent use.
type waiting struct {
	most int // connections; 0 for any number

	mu    sync.Mutex
	open  map[net.Conn]*list.Element // nil element: a request is running
	order *list.List                 // the connections as net.Conn, the longest first
}

func newWaiting(most int) *waiting {
	return &waiting{most: most, open: map[net.Conn]*list.Element{}, order: list.New()}
}

// changed is told of every change of a connection, as http.Server does it.
func (q *waiting) changed(c net.Conn, to http.ConnState) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.open[c]; e != nil {
		q.order.Remove(e)
	}
	_, known := q.open[c]
	switch to {
	case http.StateNew:
		q.open[c] = q.order.PushBack(c)
	case http.StateIdle:
		if known { // else it was shed
			q.open[c] = q.order.PushBack(c)
		}
	case http.StateActive:
		if known {
			q.open[c] = nil
		}
		return
	default:
		delete(q.open, c)
		return
	}
	for q.most > 0 && len(q.open) > q.most && q.order.Len() > 0 { // the last one has just come
		q.close(q.order.Front())
	}
}

// shed closes a quarter of the connections that wait, and one at least.
func (q *waiting) shed() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n := q.order.Len()/4 + 1; n > 0 && q.order.Len() > 0; n-- {
		q.close(q.order.Front())
	}
}

// count returns how many connections there are.
func (q *waiting) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.open)
}

func (q *waiting) close(e *list.Element) {
	c := q.order.Remove(e).(net.Conn)
	delete(q.open, c)
	_ = c.Close()
}

// A sheddingListener closes waiting connections when the process cannot open more.
type sheddingListener struct {
	net.Listener
	waiting *waiting
}

func (l sheddingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		l.waiting.shed()
	}
	return c, err //nolint:wrapcheck // http.Server looks at what it is
}
