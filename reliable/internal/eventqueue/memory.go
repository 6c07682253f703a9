package eventqueue

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
)

// keep copies the bytes of batches that are held: they are valid until the next batch.
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

// The buffer for copies grows from firstRoom, as a whole answer is one batch, to nextRoom, since many batches are held
// where calls are held.
const (
	firstRoom = 512
	nextRoom  = 8 << 10
)

// clone returns a copy of bytes.
func (q *Queue) clone(b []byte) []byte {
	if q.copied += len(b); len(b) > cap(q.room)-len(q.room) {
		q.room = make([]byte, 0, max(firstRoom, min(2*cap(q.room), nextRoom), len(b)))
	}
	start := len(q.room)
	q.room = append(q.room, b...)
	return q.room[start:len(q.room):len(q.room)]
}

// A memory has the buffers of a queue. A later queue uses them again.
type memory struct {
	slots   []slot
	batches []batch
	out     []callwright.Event
	room    []byte
}

var memories = pool.New(func(m *memory) [][]byte { return [][]byte{m.room} })

// The limits of a memory that is kept for a later queue: slots and batches by number, copies by bytes.
const (
	fewSlots  = 8 // at first
	mostSlots = 256
	mostRoom  = 32 << 10
)

// begin takes memory where there is none.
func (q *Queue) begin() {
	if q.memory == nil {
		q.memory = memories.Get()
		q.slots, q.batches, q.out, q.room, q.copied = q.memory.slots, q.memory.batches, q.memory.out, q.memory.room[:0], 0
	}
}

// push appends to a list. Where the list gets another array, it is that of home, too.
func push[T any](list []T, v T, home *[]T) []T {
	if len(list) == cap(list) {
		list = append(make([]T, 0, max(fewSlots, 2*len(list))), list...)
		*home = list[:0]
	}
	return append(list, v)
}

// Free gives the memory back, where nothing is held any more.
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

// clearList returns the list without its elements, nil where it is too large to be kept.
func clearList[T any](list []T) []T {
	if cap(list) > mostSlots {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}
