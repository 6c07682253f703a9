package inbound

import (
	"bytes"
	"github.com/callwright/callwright"
	"strings"
)

// A queue hands events on in order, each when it is settled. Events that came in one Frame and are all handed on as they
// came are led by that Frame; where one of them was changed or dropped, the Frame is left out.
type queue struct {
	slots   []slot
	base    int // number of the first slot in slots
	kept    int // number of the first slot whose frame may still borrow its bytes
	open    *frame
	out     func(callwright.Event) bool
	held    bool // nothing is handed on yet
	stopped bool // the receiver wants no more
	visible bool // something a client shows has been handed on
	spoke   bool // text has been handed on
	touched bool // something was handed on that did not come that way
}

type slotState uint8

const (
	waiting slotState = iota
	ready
	dropped
	replaced
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
}

// begin opens a frame; the next f.Events slots belong to it.
func (q *queue) begin(f callwright.Frame) {
	if f.Events == 0 {
		if q.held || len(q.slots) > 0 { // it has to wait, and its bytes are only good until the next event
			f.Bytes = bytes.Clone(f.Bytes)
		}
		q.slots = append(q.slots, slot{ev: f, state: ready})
		q.release()
		return
	}
	q.open = &frame{Frame: f, left: f.Events}
}

// put adds a slot and returns its number.
func (q *queue) put(ev callwright.Event, state slotState) int {
	q.slots = append(q.slots, slot{ev: ev, state: state, frame: q.open})
	if q.open != nil {
		q.open.left--
	}
	return q.base + len(q.slots) - 1
}

// settle gives a slot its final state; instead is what replaces it.
func (q *queue) settle(number int, state slotState, instead ...callwright.Event) {
	s := &q.slots[number-q.base]
	s.state, s.instead = state, append(s.instead, instead...)
	if state != ready {
		q.touched = true
	}
}

// insert adds an event of our own.
func (q *queue) insert(ev callwright.Event) {
	q.touched = true
	q.slots = append(q.slots, slot{ev: ev, state: ready})
}

// release hands on what is settled at the head.
func (q *queue) release() {
	if q.open != nil && q.open.left == 0 {
		q.open = nil
	}
	if q.held {
		q.keep()
		return
	}
	for len(q.slots) > 0 && !q.stopped {
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

// headFrame looks at the frame of the head: n > 0, its n events can be handed on as they came; 0, the head stands alone; -1,
// the frame is not settled yet.
func (q *queue) headFrame() int {
	f := q.slots[0].frame
	if f == nil {
		return 0
	}
	if f == q.open {
		return -1
	}
	n, whole := 0, true
	for n < len(q.slots) && q.slots[n].frame == f {
		switch q.slots[n].state {
		case waiting:
			return -1
		case dropped, replaced:
			whole = false
		}
		n++
	}
	if whole && n == f.Events {
		return n
	}
	q.touched = true
	for i := range n {
		q.slots[i].frame = nil
	}
	return 0
}

// keep copies the bytes of frames that have to wait, as theirs are only good until the next event.
func (q *queue) keep() {
	for i := max(q.kept-q.base, 0); i < len(q.slots); i++ {
		if f := q.slots[i].frame; f != nil && !f.owned {
			f.Bytes, f.owned = bytes.Clone(f.Bytes), true
		}
	}
	q.kept = q.base + len(q.slots)
}

func (q *queue) drop(n int) {
	q.base += n
	if n == len(q.slots) {
		q.slots = q.slots[:0]
		return
	}
	q.slots = q.slots[n:]
}

func (q *queue) hand(ev callwright.Event) {
	if q.stopped {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		if !q.spoke && strings.TrimSpace(ev.Text) != "" { // blank text is nothing that another attempt would repeat
			q.visible, q.spoke = true, true
		}
	case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.ReasoningDelta, callwright.OpaquePart:
		q.visible = true
	}
	if !q.out(ev) {
		q.stopped = true
	}
}
