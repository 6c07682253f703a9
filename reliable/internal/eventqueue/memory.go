package eventqueue

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
)

// keep copies the bytes of queued batches, which are otherwise valid only until the next batch.
func (q *Queue) keep() {
	for i := q.kept; i < len(q.batches); i++ {
		b := &q.batches[i]
		if b.Raw != nil && !b.Stable {
			b.Raw, b.Stable = q.clone(b.Raw), true
		}
		if k, ok := b.Hint.(callwright.Keeper); ok {
			b.Hint = k.Keep()
		}
	}
	q.kept = len(q.batches)
}

// The sizes of the buffer for copies: firstRoom initially, up to nextRoom if many batches are queued.
const (
	firstRoom = 512
	nextRoom  = 8 << 10
)

// clone returns a copy of b in the buffer.
func (q *Queue) clone(b []byte) []byte {
	if q.copied += len(b); len(b) > cap(q.room)-len(q.room) {
		q.room = make([]byte, 0, max(firstRoom, min(2*cap(q.room), nextRoom), len(b)))
	}
	start := len(q.room)
	q.room = append(q.room, b...)
	return q.room[start:len(q.room):len(q.room)]
}

// A memory has the buffers of a queue for reuse.
type memory struct {
	slots   []slot
	batches []batch
	out     []callwright.Event
	room    []byte
}

var memories = pool.New(func(m *memory) [][]byte { return [][]byte{m.room} })

// Limits of the buffers that are reused: slots and batches by number, copies in bytes.
const (
	fewSlots  = 8 // initial capacity
	mostSlots = 256
	mostRoom  = 32 << 10
)

// begin gets buffers from the pool if the queue has none.
func (q *Queue) begin() {
	if q.memory == nil {
		q.memory = memories.Get()
		q.slots, q.batches, q.out, q.room, q.copied = q.memory.slots, q.memory.batches, q.memory.out, q.memory.room[:0], 0
	}
}

// push appends v to list. If list is reallocated, *home becomes the new array with length 0.
func push[T any](list []T, v T, home *[]T) []T {
	if len(list) == cap(list) {
		list = append(make([]T, 0, max(fewSlots, 2*len(list))), list...)
		*home = list[:0]
	}
	return append(list, v)
}

// Free returns the buffers to the pool if the queue is empty.
func (q *Queue) Free() {
	m := q.memory
	if m == nil || len(q.batches) > 0 {
		return
	}
	if n := min(q.copied, mostRoom); n > cap(m.room) {
		m.room = make([]byte, 0, n)
	}
	m.slots, m.batches, m.out = clearList(m.slots), clearList(m.batches), clearList(q.out)
	q.memory, q.slots, q.batches, q.out, q.room = nil, nil, nil, nil, nil
	memories.Put(m)
}

// clearList clears the list and returns it with length 0, or nil if it is too large for reuse.
func clearList[T any](list []T) []T {
	if cap(list) > mostSlots {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}
