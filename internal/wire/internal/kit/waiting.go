package kit

import "slices"

// Waiting are the calls of the last turn of the model that wait for their results, for wires whose results do not
// always name their call by its id. Each call is taken once, the first that fits. The work is linear in calls and
// results together, whatever their order. The zero Waiting is empty; not safe for concurrent use.
type Waiting struct {
	calls []waitingCall
	index map[Want][]int // the places of calls by what takes them, in order; nil while there are few
	in    int            // calls that the index has
}

type waitingCall struct {
	id, name string
	nameless bool
	taken    bool
}

// A Want says which call a result answers: one with the ID, of the tool Name, or one that came without an id; empty
// members say nothing.
type Want struct {
	ID, Name string
	Nameless bool
}

// fewWaiting are so many calls that looking at each is quicker than an index.
const fewWaiting = 32

// Add adds a call by the id it has here. Nameless says that it came without one.
func (w *Waiting) Add(id, name string, nameless bool) {
	w.calls = append(w.calls, waitingCall{id: id, name: name, nameless: nameless})
}

// Len counts the calls that were added, those that were taken too.
func (w *Waiting) Len() int { return len(w.calls) }

// Clone returns a copy that shares nothing with w.
func (w *Waiting) Clone() Waiting { return Waiting{calls: slices.Clone(w.calls)} }

// Size is the memory of w in bytes, about, that of its texts included.
func (w *Waiting) Size() int {
	n := textChunk
	for i := range w.calls {
		n += waitingSize + len(w.calls[i].id) + len(w.calls[i].name)
	}
	return n
}

const waitingSize = 40 // of a waitingCall

// Keep forgets the calls before the first n.
func (w *Waiting) Keep(n int) {
	w.calls = append(w.calls[:0], w.calls[n:]...)
	w.index, w.in = nil, 0
}

// Drop lets nothing take the calls after the first n.
func (w *Waiting) Drop(n int) {
	for i := n; i < len(w.calls); i++ {
		w.calls[i].taken = true
	}
}

// Take takes the first call that is wanted and gives its id. It is not ok where none waits.
func (w *Waiting) Take(want Want) (id string, ok bool) {
	if len(w.calls) <= fewWaiting {
		for i := range w.calls {
			if c := &w.calls[i]; !c.taken && c.fits(want) {
				c.taken = true
				return c.id, true
			}
		}
		return "", false
	}
	w.enter()
	places := w.index[want]
	for len(places) > 0 && !ok {
		c := &w.calls[places[0]]
		places = places[1:]
		id, ok = c.id, !c.taken
		c.taken = true
	}
	if w.index[want] = places; !ok {
		return "", false
	}
	return id, true
}

func (c *waitingCall) fits(want Want) bool {
	return (want.ID == "" || want.ID == c.id) && (want.Name == "" || want.Name == c.name) && (!want.Nameless || c.nameless)
}

// enter brings the index up to date. A want that says an id says nothing else.
func (w *Waiting) enter() {
	if w.index == nil {
		w.index = map[Want][]int{}
	}
	for ; w.in < len(w.calls); w.in++ {
		c := &w.calls[w.in]
		for _, want := range []Want{{ID: c.id}, {}, {Name: c.name}, {Nameless: true}, {Name: c.name, Nameless: true}} {
			if !want.Nameless || c.nameless {
				w.index[want] = append(w.index[want], w.in)
			}
		}
	}
}
