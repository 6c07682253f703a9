// Package eventqueue queues the batches of a response until each event is decided, and delivers them in order. An
// unchanged batch is delivered with the provider's bytes.
package eventqueue

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Queue delivers batches in order, each when all its events are resolved. A batch keeps its bytes if its events are
// unchanged. From a batch without bytes, resolved events are delivered before the others.
type Queue struct {
	Out       func(callwright.Batch) bool // receives the batches; returns false to stop
	Delivered *Progress                   // describes the events that Out received
	HoldAll   bool                        // delivers nothing for now

	slots     []slot
	base      int // number of the first slot
	batches   []batch
	kept      int  // number of batches whose bytes are valid permanently
	resolved  int  // number of leading slots that are known to be resolved
	open      bool // the last batch is incomplete
	unflushed bool // the last delivered batch was not flushed to the client
	out       []callwright.Event
	room      []byte // buffer for copies of batch bytes
	copied    int    // number of bytes copied
	memory    *memory
}

// Progress describes the events that the client received.
type Progress struct {
	Stopped  bool // the client stopped
	Shown    bool // the client received visible content or reasoning
	Answered bool // the client received content other than reasoning
	Text     bool // the client received text other than white space
	Changed  bool // the client received or missed an event that differs from the model's

	TextBytes int // size of the delivered text in bytes
}

// A State is the decision about the event in a slot.
type State uint8

const (
	Held     State = iota // undecided
	Ready                 // deliver unchanged
	Dropped               // do not deliver
	Replaced              // deliver other events instead
)

type slot struct {
	ev      callwright.Event
	state   State
	raw     bool // its batch has bytes
	instead []callwright.Event
}

// A batch has the bytes of a batch and its number of slots.
type batch struct {
	callwright.Batch
	slots   int
	changed bool // its events no longer match its bytes
}

// Open begins a batch. Slots added until Close are its events.
func (q *Queue) Open(b callwright.Batch) {
	q.begin()
	b.Events, b.Notes = nil, nil
	q.batches, q.open = push(q.batches, batch{Batch: b}, &q.memory.batches), true
}

// Close ends the batch that Open began. It removes the batch if it has neither events nor bytes.
func (q *Queue) Close() {
	if q.open = false; len(q.batches) > 0 {
		if b := &q.batches[len(q.batches)-1]; b.slots == 0 && b.Raw == nil {
			q.batches = q.batches[:len(q.batches)-1]
		}
	}
}

// Change records that the bytes of the open batch no longer match its events.
func (q *Queue) Change() {
	if q.open {
		q.batches[len(q.batches)-1].changed = true
	}
}

// Put adds a slot for an event and returns its number.
func (q *Queue) Put(ev callwright.Event, state State) int {
	q.begin()
	if n := len(q.batches); !q.open && (n == 0 || q.batches[n-1].Raw != nil) {
		q.batches = push(q.batches, batch{}, &q.memory.batches)
	}
	b := &q.batches[len(q.batches)-1]
	b.slots++
	q.slots = push(q.slots, slot{ev: ev, state: state, raw: b.Raw != nil}, &q.memory.slots)
	return q.base + len(q.slots) - 1
}

// Insert adds an event that did not come from the model.
func (q *Queue) Insert(ev callwright.Event) {
	q.Delivered.Changed = true
	q.Change()
	q.Put(ev, Ready)
}

// Resolve sets the final state of a slot. The events instead replace its event.
func (q *Queue) Resolve(number int, state State, instead ...callwright.Event) {
	s := &q.slots[number-q.base]
	s.state, s.instead = state, append(s.instead, instead...)
	if state != Ready {
		q.Delivered.Changed = true
	}
}

// Release delivers the resolved batches up to the first undecided one. flush reports that no further batch is
// available yet, so the client must send everything.
func (q *Queue) Release(flush bool) {
	for !q.HoldAll && len(q.batches) > 0 && !q.Delivered.Stopped {
		if !q.next(flush) {
			break
		}
	}
	q.keep()
	if flush && q.unflushed && !q.Delivered.Stopped {
		q.unflushed = false
		q.Delivered.Stopped = !q.Out(callwright.Batch{})
	}
}

// next delivers the first batch. It returns false if the batch is undecided.
func (q *Queue) next(flush bool) bool {
	b := q.batches[0]
	for q.resolved < b.slots && q.slots[q.resolved].state != Held {
		q.resolved++
	}
	n, whole := q.resolved, q.resolved == b.slots
	if !whole && (b.Raw != nil || n == 0) {
		return false
	}
	q.out = q.out[:0]
	for i := range q.slots[:n] {
		s := &q.slots[i]
		if s.state == Ready {
			q.out = append(q.out, s.ev)
		} else {
			b.changed = true
		}
		q.out = append(q.out, s.instead...)
	}
	if b.changed && b.Raw != nil {
		b.Wire, b.Raw, b.Hint = "", nil, nil
		q.Delivered.Changed = true
	}
	b.Events = q.out
	q.drop(n, whole)
	if b.Raw != nil || len(b.Events) > 0 {
		b.More = !flush || len(q.batches) > 0
		q.unflushed = b.More
		q.deliver(b.Batch)
	}
	return true
}

// drop removes the first n slots. whole reports that they are the whole first batch, which is then removed, too.
func (q *Queue) drop(n int, whole bool) {
	q.base, q.resolved = q.base+n, 0
	if q.slots = q.slots[n:]; len(q.slots) == 0 {
		q.slots = q.memory.slots[:0]
	}
	if !whole {
		q.batches[0].slots -= n
		return
	}
	q.kept = max(q.kept-1, 0)
	if q.batches = q.batches[1:]; len(q.batches) == 0 {
		q.batches = q.memory.batches[:0]
	}
}

// deliver sends a batch to Out and updates Delivered.
func (q *Queue) deliver(b callwright.Batch) {
	d := q.Delivered
	for _, ev := range b.Events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			d.TextBytes += len(ev.Text)
			if !d.Text && strings.TrimSpace(ev.Text) != "" {
				d.Shown, d.Answered, d.Text = true, true, true
			}
		case callwright.ReasoningDelta:
			d.Shown = true
		case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.OpaquePart, callwright.MediaPart:
			d.Shown, d.Answered = true, true
		}
	}
	d.Stopped = !q.Out(b)
}

// Event returns the event in a slot.
func (q *Queue) Event(number int) callwright.Event { return q.slots[number-q.base].ev }

// SetEvent replaces the event in a slot by an equivalent one, with the same bytes.
func (q *Queue) SetEvent(number int, ev callwright.Event) { q.slots[number-q.base].ev = ev }

// HasBytes reports whether the event's batch has bytes.
func (q *Queue) HasBytes(number int) bool { return q.slots[number-q.base].raw }

// IsLast reports whether the slot is the last one and undecided.
func (q *Queue) IsLast(number int) bool {
	i := number - q.base
	return i == len(q.slots)-1 && q.slots[i].state == Held
}

// Join delivers ev in place of the events in n slots from the slot number first on. ev has the meaning of these events.
func (q *Queue) Join(first, n int, ev callwright.Event) {
	slots := q.slots[first-q.base:][:n]
	for i := range slots {
		slots[i].state = Dropped
	}
	slots[0].state, slots[0].ev = Ready, ev
}

// DropTexts drops the text that is not delivered yet.
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

// ReplaceTexts drops the text that is not delivered yet and adds text, unless it is "".
func (q *Queue) ReplaceTexts(text string) {
	if q.DropTexts(); text != "" {
		q.Put(callwright.TextDelta{Text: text}, Ready)
	}
}
