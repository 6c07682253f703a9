package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/vault"
)

// A delivery takes the events for the client of a run and keeps what the client has got. It has a yield for a stream, or
// collects a whole answer.
type delivery struct {
	yield     func(callwright.Event) bool // nil for a whole answer
	collected *callwright.Collector       // nil for a stream
	recorder  *vault.Recorder             // nil where no state is kept for the client

	begun bool              // the client got the beginning of an answer
	good  []callwright.Call // the calls that the client got of attempts that are over
	shown bool              // the client got some of an answer's content, in a stream
	text  bool              // the client got text, in a stream
	open  int               // how many calls the client got the beginning of and not the end
}

// streams reports whether the client gets events as they come: what it got cannot be taken back.
func (d *delivery) streams() bool { return d.yield != nil }

// hand gives one event to the client. It returns false when the client wants no more.
func (d *delivery) hand(ev callwright.Event) bool {
	d.recorder.Record(ev)
	switch ev.(type) {
	case callwright.Begin:
		d.begun = true
	case callwright.CallBegin:
		d.open++
	case callwright.CallEnd:
		d.open--
	}
	if d.streams() {
		return d.yield(ev)
	}
	d.collected.Add(ev)
	return true
}

// supersede takes over what an attempt has handed on that another follows. Of a whole answer only the calls are kept: the rest is
// asked for again.
func (d *delivery) supersede(out *inbound.Outcome) {
	d.good = append(d.good, out.Good...)
	if d.streams() {
		d.shown = d.shown || out.Delivered.Shown
		d.text = d.text || out.Delivered.Text
		return
	}
	d.collected = callsOnly(d.collected)
	d.begun = len(d.good) > 0
}

// continueWith takes over what a paused answer has handed on: the next attempt continues it.
func (d *delivery) continueWith(out *inbound.Outcome) {
	d.begun, d.good = true, append(d.good, out.Good...)
	d.shown = d.shown || d.streams() && out.Delivered.Shown
}

// sawText reports whether the client of a stream got text, of this attempt or of an earlier one.
func (d *delivery) sawText(out *inbound.Outcome) bool {
	return d.streams() && (d.text || out.Delivered.Text)
}

// callsOnly is a Collector with the calls of another and nothing else.
func callsOnly(was *callwright.Collector) *callwright.Collector {
	resp, out := was.Response(), &callwright.Collector{}
	out.Add(callwright.Begin{ID: resp.ID, Model: resp.Model})
	for _, c := range resp.Calls() {
		out.Add(callwright.CallEnd{Call: &c})
	}
	return out
}
