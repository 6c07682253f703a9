// Package eventqueue holds the events of an answer back until each is decided about, and hands them on in order, with the provider's own bytes where
// nothing about them was changed.
package eventqueue

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
)

// A Queue hands events on in order, each when it is resolved. Events that came in one Frame and are all handed on as they came
// follow that Frame; where one of them was changed or dropped, the Frame is left out.
type Queue struct {
	Out       func(callwright.Event) bool // is handed the events; false: no more are wanted
	Delivered *Delivered                  // what Out got
	Held      bool                        // nothing is handed on yet
	Stay      bool                        // the bytes of frames stay valid, and need no copy

	slots     []slot
	base      int // number of the first slot in slots
	kept      int // number of the first slot whose frame may still borrow its bytes
	open      *frame
	frames    []frame // room for those that are yet to come behind its length
	unflushed bool    // something was handed on after the last flush
	room      []byte  // frames are copied into it, one after the other
	copied    int     // bytes that were
	memory    *memory // what slots, frames and room begin in; nil before the first slot
}

// Delivered is what a receiver got.
type Delivered struct {
	Stopped  bool // it wants no more
	Shown    bool // it got something that a client shows
	Answered bool // and more of it than reasoning
	Text     bool // it got text that is not only white space
	Changed  bool // it got something that did not come that way, or did not get something that came
}

// A memory is what a queue holds events in. A further queue uses it again.
type memory struct {
	slots  []slot
	frames []frame
	room   []byte
}

var memories = pool.New(func(m *memory) [][]byte { return [][]byte{m.room} })

// What is kept for a further queue at most: of slots and frames their number, of copies of frames bytes.
const (
	mostSlots = 256
	mostRoom  = 32 << 10
)

// begin takes memory where there is none.
func (q *Queue) begin() {
	if q.memory != nil {
		return
	}
	q.memory = memories.Get()
	q.slots, q.frames, q.room, q.copied = q.memory.slots[:0], q.memory.frames[:0], q.memory.room[:0], 0
}

// Free gives the memory back, where nothing waits any more.
func (q *Queue) Free() {
	m := q.memory
	if m == nil || len(q.slots) > 0 {
		return
	}
	if n := min(q.copied, mostRoom); n > cap(m.room) {
		m.room = make([]byte, 0, n)
	}
	if cap(q.frames) > cap(m.frames) {
		m.frames = q.frames
	}
	clear(m.slots[:cap(m.slots)])
	clear(m.frames[:cap(m.frames)])
	q.memory, q.slots, q.frames, q.room, q.open = nil, nil, nil, nil, nil
	memories.Put(m)
}

// add adds a slot.
func (q *Queue) add(s slot) {
	q.begin()
	if len(q.slots) == cap(q.slots) {
		grown := make([]slot, len(q.slots), max(fewSlots, 2*cap(q.slots)))
		copy(grown, q.slots)
		if q.slots = grown; cap(grown) <= mostSlots {
			q.memory.slots = grown
		}
	}
	q.slots = append(q.slots, s)
}

// A State says what becomes of the event in a slot.
type State uint8

const (
	Waiting  State = iota // not decided yet
	Ready                 // handed on as it came
	Dropped               // not handed on
	Replaced              // others are handed on instead
)

type slot struct {
	ev      callwright.Event
	frame   *frame
	state   State
	instead []callwright.Event
}

type frame struct {
	callwright.Frame
	left  int // events that have not come yet
	owned bool
	stale bool // one of its events is not the one that its bytes say
}

// Begin opens a frame; the next f.Events slots belong to it.
func (q *Queue) Begin(f callwright.Frame) {
	if f.Events == 0 {
		if !q.Stay && (q.Held || len(q.slots) > 0) { // it waits, and its bytes are valid until the next event
			f.Bytes = q.clone(f.Bytes)
		}
		q.add(slot{ev: f, state: Ready})
		q.Release()
		return
	}
	q.begin()
	if len(q.frames) == cap(q.frames) {
		q.frames = make([]frame, 0, max(1, min(2*cap(q.frames), mostFrames)))
	}
	q.frames = append(q.frames, frame{Frame: f, left: f.Events})
	q.open = &q.frames[len(q.frames)-1]
}

// mostFrames is how many frames room is made for at once.
const mostFrames = 128

// BreakFrame says that the next event is not the one that the bytes of the open frame say.
func (q *Queue) BreakFrame() {
	if q.open != nil {
		q.open.stale = true
	}
}

// EndFrame ends the open frame before all of its events came.
func (q *Queue) EndFrame() { q.open = nil }

// fewSlots is the room that is made for slots at first.
const fewSlots = 8

// Put adds a slot and returns its number.
func (q *Queue) Put(ev callwright.Event, state State) int {
	q.add(slot{ev: ev, state: state, frame: q.open})
	if q.open != nil {
		q.open.left--
	}
	return q.base + len(q.slots) - 1
}

// Resolve gives a slot its final state; instead is what replaces its event.
func (q *Queue) Resolve(number int, state State, instead ...callwright.Event) {
	s := &q.slots[number-q.base]
	s.state, s.instead = state, append(s.instead, instead...)
	if state != Ready {
		q.Delivered.Changed = true
	}
}

// Insert adds an event of our own.
func (q *Queue) Insert(ev callwright.Event) {
	q.Delivered.Changed = true
	q.add(slot{ev: ev, state: Ready})
}

// Release hands on what is resolved, up to the first slot that waits.
func (q *Queue) Release() {
	if q.open != nil && q.open.left == 0 {
		q.open = nil
	}
	if q.Held {
		q.keep()
		return
	}
	for len(q.slots) > 0 && !q.Delivered.Stopped {
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
		if s.state == Waiting {
			q.keep()
			return
		}
		q.drop(1)
		if s.state == Ready {
			q.hand(s.ev)
		}
		for _, ev := range s.instead {
			q.hand(ev)
		}
	}
}

// headFrame looks at the frame of the first slot. It returns n > 0 where its n events can be handed on as they came, 0 where the
// slot stands alone, -1 where the frame is not resolved yet.
func (q *Queue) headFrame() int {
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
		case Waiting:
			return -1
		case Dropped, Replaced:
			intact = false
		}
		n++
	}
	if intact && n == f.Events {
		return n
	}
	q.Delivered.Changed = true
	for i := range n {
		q.slots[i].frame = nil
	}
	return 0
}

// keep copies the bytes of frames that have to wait: they are valid until the next event.
func (q *Queue) keep() {
	if q.Stay {
		return
	}
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
	nextRoom  = 8 << 10
)

// clone returns a copy of bytes.
func (q *Queue) clone(b []byte) []byte {
	q.begin()
	if q.copied += len(b); len(b) > cap(q.room)-len(q.room) {
		q.room = make([]byte, 0, max(firstRoom, min(2*cap(q.room), nextRoom), len(b)))
	}
	start := len(q.room)
	q.room = append(q.room, b...)
	return q.room[start:len(q.room):len(q.room)]
}

// ReleaseWhole is Release, but between the events of a frame it does nothing.
func (q *Queue) ReleaseWhole() {
	if q.open == nil || q.open.left == 0 {
		q.Release()
	}
}

// Flush hands on a flush, where something was handed on after the last one.
func (q *Queue) Flush(ev callwright.Event) {
	if q.unflushed {
		q.hand(ev)
		q.unflushed = false
	}
}

// Event is the event in a slot.
func (q *Queue) Event(number int) callwright.Event { return q.slots[number-q.base].ev }

// SetEvent puts another event into a slot.
func (q *Queue) SetEvent(number int, ev callwright.Event) { q.slots[number-q.base].ev = ev }

// DropTexts leaves out the texts that wait to be handed on.
func (q *Queue) DropTexts() {
	isText := func(ev callwright.Event) bool { _, ok := ev.(callwright.TextDelta); return ok }
	for i := range q.slots {
		s := &q.slots[i]
		if s.state == Ready && isText(s.ev) {
			s.state, q.Delivered.Changed = Dropped, true
		}
		s.instead = slices.DeleteFunc(s.instead, isText)
	}
}

// ReplaceTexts is DropTexts with another text in their place, "" for none.
func (q *Queue) ReplaceTexts(text string) {
	if q.DropTexts(); text != "" {
		q.Put(callwright.TextDelta{Text: text}, Ready)
	}
}

// Join hands on one event in place of those in n slots, which together say the same.
func (q *Queue) Join(first, n int, ev callwright.Event) {
	slots := q.slots[first-q.base:][:n]
	for i := range slots {
		slots[i].state = Dropped
	}
	slots[0].state, slots[0].ev = Ready, ev
}

// IsFramed reports whether the event in a slot came in a frame.
func (q *Queue) IsFramed(number int) bool { return q.slots[number-q.base].frame != nil }

// IsLast reports whether a slot is the last one, and waits.
func (q *Queue) IsLast(number int) bool {
	i := number - q.base
	return i == len(q.slots)-1 && q.slots[i].state == Waiting
}

// drop removes the first n slots.
func (q *Queue) drop(n int) {
	q.base += n
	if n == len(q.slots) {
		q.slots = q.slots[:0]
		return
	}
	q.slots = q.slots[n:]
}

// hand gives one event to the receiver.
func (q *Queue) hand(ev callwright.Event) {
	if q.Delivered.Stopped {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		if !q.Delivered.Text && strings.TrimSpace(ev.Text) != "" {
			q.Delivered.Shown, q.Delivered.Answered, q.Delivered.Text = true, true, true
		}
	case callwright.ReasoningDelta:
		q.Delivered.Shown = true
	case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.OpaquePart, callwright.MediaPart:
		q.Delivered.Shown, q.Delivered.Answered = true, true
	}
	q.unflushed = true
	if !q.Out(ev) {
		q.Delivered.Stopped = true
	}
}
