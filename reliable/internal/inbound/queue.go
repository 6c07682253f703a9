package inbound

import (
	"strings"

	"github.com/callwright/callwright"
)

// A queue hands events on in order, each when it is resolved. Events that came in one Frame and are all handed on as they came
// follow that Frame; where one of them was changed or dropped, the Frame is left out.
type queue struct {
	slots     []slot
	base      int // number of the first slot in slots
	kept      int // number of the first slot whose frame may still borrow its bytes
	open      *frame
	frames    []frame // room for those that are yet to come behind its length
	out       func(callwright.Event) bool
	held      bool   // nothing is handed on yet
	unflushed bool   // something was handed on after the last flush
	room      []byte // frames are copied into it, one after the other
	delivered *Delivered
}

// A slotState says what becomes of the event in a slot.
type slotState uint8

const (
	waiting  slotState = iota // not decided yet
	ready                     // handed on as it came
	dropped                   // not handed on
	replaced                  // others are handed on instead
)

type slot struct {
	ev      callwright.Event
	frame   *frame
	state   slotState
	instead []callwright.Event
}

type frame struct {
	callwright.Frame
	left  int // events that have not come yet
	owned bool
	stale bool // one of its events is not the one that its bytes say
}

// begin opens a frame; the next f.Events slots belong to it.
func (q *queue) begin(f callwright.Frame) {
	if f.Events == 0 {
		if q.held || len(q.slots) > 0 { // it waits, and its bytes are valid until the next event
			f.Bytes = q.clone(f.Bytes)
		}
		q.slots = append(q.slots, slot{ev: f, state: ready})
		q.release()
		return
	}
	if len(q.frames) == cap(q.frames) {
		q.frames = make([]frame, 0, max(1, min(2*cap(q.frames), mostFrames)))
	}
	q.frames = append(q.frames, frame{Frame: f, left: f.Events})
	q.open = &q.frames[len(q.frames)-1]
}

// mostFrames is how many frames room is made for at once.
const mostFrames = 32

// breakFrame says that the next event is not the one that the bytes of the open frame say.
func (q *queue) breakFrame() {
	if q.open != nil {
		q.open.stale = true
	}
}

// fewSlots is the room that is made for slots at first.
const fewSlots = 8

// put adds a slot and returns its number.
func (q *queue) put(ev callwright.Event, state slotState) int {
	if q.slots == nil {
		q.slots = make([]slot, 0, fewSlots)
	}
	q.slots = append(q.slots, slot{ev: ev, state: state, frame: q.open})
	if q.open != nil {
		q.open.left--
	}
	return q.base + len(q.slots) - 1
}

// resolve gives a slot its final state; instead is what replaces its event.
func (q *queue) resolve(number int, state slotState, instead ...callwright.Event) {
	s := &q.slots[number-q.base]
	s.state, s.instead = state, append(s.instead, instead...)
	if state != ready {
		q.delivered.Changed = true
	}
}

// insert adds an event of our own.
func (q *queue) insert(ev callwright.Event) {
	q.delivered.Changed = true
	q.slots = append(q.slots, slot{ev: ev, state: ready})
}

// release hands on what is resolved, up to the first slot that waits.
func (q *queue) release() {
	if q.open != nil && q.open.left == 0 {
		q.open = nil
	}
	if q.held {
		q.keep()
		return
	}
	for len(q.slots) > 0 && !q.delivered.Stopped {
		n := q.headFrame()
		switch {
		case n < 0:
			q.keep()
			return
		case n > 0:
			q.hand(q.slots[0].frame.Frame)
			for _, s := range q.slots[:n] {
				q.hand(s.ev)
			}
			q.drop(n)
			continue
		}
		s := q.slots[0]
		if s.state == waiting {
			q.keep()
			return
		}
		q.drop(1)
		if s.state == ready {
			q.hand(s.ev)
		}
		for _, ev := range s.instead {
			q.hand(ev)
		}
	}
}

// headFrame looks at the frame of the first slot. It returns n > 0 where its n events can be handed on as they came, 0 where the
// slot stands alone, -1 where the frame is not resolved yet.
func (q *queue) headFrame() int {
	f := q.slots[0].frame
	if f == nil {
		return 0
	}
	if f == q.open {
		return -1
	}
	n, intact := 0, !f.stale
	for n < len(q.slots) && q.slots[n].frame == f {
		switch q.slots[n].state {
		case waiting:
			return -1
		case dropped, replaced:
			intact = false
		}
		n++
	}
	if intact && n == f.Events {
		return n
	}
	q.delivered.Changed = true
	for i := range n {
		q.slots[i].frame = nil
	}
	return 0
}

// keep copies the bytes of frames that have to wait: they are valid until the next event.
func (q *queue) keep() {
	for i := max(q.kept-q.base, 0); i < len(q.slots); i++ {
		if f := q.slots[i].frame; f != nil && !f.owned {
			f.Bytes, f.owned = q.clone(f.Bytes), true
		}
	}
	q.kept = q.base + len(q.slots)
}

// How much room for copies is made at once: at first a little, as a whole answer is one frame, then twice what was made before, since
// many frames wait where calls are held.
const (
	firstRoom = 512
	mostRoom  = 8 << 10
)

// clone returns a copy of bytes.
func (q *queue) clone(b []byte) []byte {
	if len(b) > cap(q.room)-len(q.room) {
		q.room = make([]byte, 0, max(firstRoom, min(2*cap(q.room), mostRoom), len(b)))
	}
	start := len(q.room)
	q.room = append(q.room, b...)
	return q.room[start:len(q.room):len(q.room)]
}

// drop removes the first n slots.
func (q *queue) drop(n int) {
	q.base += n
	if n == len(q.slots) {
		q.slots = q.slots[:0]
		return
	}
	q.slots = q.slots[n:]
}

// hand gives one event to the receiver.
func (q *queue) hand(ev callwright.Event) {
	if q.delivered.Stopped {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		if !q.delivered.Text && strings.TrimSpace(ev.Text) != "" {
			q.delivered.Shown, q.delivered.Text = true, true
		}
	case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.ReasoningDelta, callwright.OpaquePart:
		q.delivered.Shown = true
	}
	q.unflushed = true
	if !q.out(ev) {
		q.delivered.Stopped = true
	}
}
