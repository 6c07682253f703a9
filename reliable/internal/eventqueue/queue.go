// Package eventqueue holds the batches of an answer until each of their events is decided, and hands them on in order,
// with the provider's own bytes where nothing about them was changed.
package eventqueue

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Queue hands batches on in order, each when all its events are resolved: as it came where they are handed on as they
// came, else without its bytes. Of a batch without bytes the first events are handed on before the others are resolved.
type Queue struct {
	Out       func(callwright.Batch) bool // receives the batches; false: no more are wanted
	Delivered *Progress                   // describes the events that Out received
	HoldAll   bool                        // nothing is handed on yet

	slots     []slot
	base      int // number of the first slot
	batches   []batch
	kept      int  // batches whose bytes are valid for good
	resolved  int  // slots at the beginning that are known to be resolved
	open      bool // the last batch is not complete
	unflushed bool // a batch was handed on after which the client may wait for more
	out       []callwright.Event
	room      []byte // bytes are copied into it, one batch after the other
	copied    int    // bytes that were
	memory    *memory
}

// Progress describes the events that a client got.
type Progress struct {
	Stopped  bool // it wants no more
	Shown    bool // it got something that a client shows
	Answered bool // and more of it than reasoning
	Text     bool // it got text that is not only white space
	Changed  bool // it got something that did not come that way, or did not get something that came

	TextBytes int // the length of the text that it got
}

// A State is the decision about the event in a slot.
type State uint8

const (
	Held     State = iota // not decided yet
	Ready                 // handed on as it came
	Dropped               // not handed on
	Replaced              // others are handed on instead
)

type slot struct {
	ev      callwright.Event
	state   State
	raw     bool // its batch has bytes
	instead []callwright.Event
}

// A batch is the bytes of a batch, and how many slots are its events.
type batch struct {
	callwright.Batch
	slots   int
	changed bool // its events are not those that its bytes say
}

// Open begins a batch. The slots that are put until Close are its events.
func (q *Queue) Open(b callwright.Batch) {
	q.begin()
	b.Events, b.Notes = nil, nil
	q.batches, q.open = push(q.batches, batch{Batch: b}, &q.memory.batches), true
}

// Close ends the batch that was opened.
func (q *Queue) Close() {
	if q.open = false; len(q.batches) > 0 {
		if b := &q.batches[len(q.batches)-1]; b.slots == 0 && b.Raw == nil {
			q.batches = q.batches[:len(q.batches)-1]
		}
	}
}

// Change marks the open batch: its bytes no longer match its events.
func (q *Queue) Change() {
	if q.open {
		q.batches[len(q.batches)-1].changed = true
	}
}

// Put adds a slot and returns its number.
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

// Insert adds an event of our own.
func (q *Queue) Insert(ev callwright.Event) {
	q.Delivered.Changed = true
	q.Change()
	q.Put(ev, Ready)
}

// Resolve sets the final state of a slot; instead replaces its event.
func (q *Queue) Resolve(number int, state State, instead ...callwright.Event) {
	s := &q.slots[number-q.base]
	s.state, s.instead = state, append(s.instead, instead...)
	if state != Ready {
		q.Delivered.Changed = true
	}
}

// Release hands on the batches that are resolved, up to the first that is held. flush says that no other batch is
// available yet: everything that was handed on is to be sent.
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

// next hands on the first batch, or reports false where it is held.
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

// drop removes the first n slots, and the first batch where they are all of it.
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

// deliver gives a batch to the client.
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

// Event is the event in a slot.
func (q *Queue) Event(number int) callwright.Event { return q.slots[number-q.base].ev }

// SetEvent puts another event into a slot, with the same bytes.
func (q *Queue) SetEvent(number int, ev callwright.Event) { q.slots[number-q.base].ev = ev }

// HasBytes reports whether the event in a slot came in a batch with bytes.
func (q *Queue) HasBytes(number int) bool { return q.slots[number-q.base].raw }

// IsLast reports whether a slot is the last one, and held.
func (q *Queue) IsLast(number int) bool {
	i := number - q.base
	return i == len(q.slots)-1 && q.slots[i].state == Held
}

// Join hands on one event in place of those in n slots, which together say the same.
func (q *Queue) Join(first, n int, ev callwright.Event) {
	slots := q.slots[first-q.base:][:n]
	for i := range slots {
		slots[i].state = Dropped
	}
	slots[0].state, slots[0].ev = Ready, ev
}

// DropTexts leaves out the texts that are not handed on yet.
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
