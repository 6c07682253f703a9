package kit

import "slices"

// Waiting is a list of tool calls that have no result yet. It finds the call of a tool result in an API whose results
// do not always have a call id. Each call is matched once, to the first result that fits. The work is linear in the
// number of calls and results. The zero Waiting is empty. Not safe for concurrent use.
type Waiting struct {
	calls []waitingCall
	index map[Want][]int // positions in calls, by each Want that matches them; nil for short lists
	in    int            // number of calls that index covers
}

type waitingCall struct {
	id, name string
	nameless bool
	taken    bool
}

// A Want selects the tool call that a result belongs to: by the call's ID, by the Name of its tool, or (Nameless) among
// the calls that the client sent without an id. Empty fields match every call.
type Want struct {
	ID, Name string
	Nameless bool
}

// fewWaiting is the greatest number of calls for which a linear search is faster than an index.
const fewWaiting = 32

// Add adds a call. id is the call's id in the decoded request. nameless states that the client sent the call without an
// id.
func (w *Waiting) Add(id, name string, nameless bool) {
	w.calls = append(w.calls, waitingCall{id: id, name: name, nameless: nameless})
}

// Len returns the number of tool calls in the list, including those that Take returned.
func (w *Waiting) Len() int { return len(w.calls) }

// Clone returns a copy that shares no memory with w.
func (w *Waiting) Clone() Waiting { return Waiting{calls: slices.Clone(w.calls)} }

// Size returns the approximate memory of w in bytes, including its strings.
func (w *Waiting) Size() int {
	n := textChunk
	for i := range w.calls {
		n += waitingSize + len(w.calls[i].id) + len(w.calls[i].name)
	}
	return n
}

const waitingSize = 40 // bytes of a waitingCall

// Keep removes the first n tool calls from the list.
func (w *Waiting) Keep(n int) {
	w.calls = append(w.calls[:0], w.calls[n:]...)
	w.index, w.in = nil, 0
}

// Drop marks all tool calls after the first n as taken, so that Take does not return them.
func (w *Waiting) Drop(n int) {
	for i := n; i < len(w.calls); i++ {
		w.calls[i].taken = true
	}
}

// Take returns the id of the first call that matches want and was not taken, and marks that call as taken. ok is false
// if there is none.
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

// enter adds new calls to w.index, which Take uses for long lists. A Want with an ID is indexed by the ID alone.
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
