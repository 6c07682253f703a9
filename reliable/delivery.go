package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

// A delivery hands the batches of a run to the client and records them. It has a yield for a stream, or
// collects a whole answer.
type delivery struct {
	yield     func(callwright.Batch) bool // nil for a whole answer
	collected *callwright.Collector       // nil for a stream, and before the first event
	whole     *callwright.Response        // an answer that was handed on as it came, in place of its events
	followed  *callwright.Collector       // what the client got of a stream; nil where nothing continues it
	recorder  *restore.Recorder           // nil where no state is kept for the client

	good  []callwright.Call // the calls that the client got of attempts that are over
	begun bool              // the client got the beginning of an answer
	shown bool              // no further attempt may replace the answer: the client of a stream has some of its content
	text  bool              // the client got text, in a stream or before good calls
	// the End of the latest attempt that is over and of which the client has something; its Extra goes out with the
	// last End
	ended       *callwright.End
	later       latertext.Text   // the texts that the client got of attempts that are over, and what follows them
	usageBefore callwright.Usage // of the attempts before the latest
	usageSent   callwright.Usage // of the latest attempt, as far as it was handed on
	usageFinal  callwright.Usage // of the latest attempt, once it is over
	open        int              // how many calls the client got the beginning of and not the end
}

// streams reports whether the client gets events as they come: delivered events cannot be taken back.
func (d *delivery) streams() bool { return d.yield != nil }

// hand gives a batch to the client, with the usage of all attempts so far, with text that follows earlier text, and
// with the Extra of an earlier End. It records the batch for continuations and for the store of signatures. It returns
// false when the client wants no more.
func (d *delivery) hand(b callwright.Batch) bool {
	if d.later.Follows() {
		b.Events = d.later.Events(b.Events)
	} else if d.usageBefore.Known || d.ended != nil {
		b.Events = slices.Clone(b.Events) // they are the decoder's
	}
	for i, ev := range b.Events {
		d.recorder.Record(ev)
		switch u := ev.(type) {
		case callwright.UsageDelta:
			if d.usageSent = d.usageSent.Merge(u.Usage); d.usageBefore.Known {
				b.Events[i] = callwright.UsageDelta{Usage: d.usageBefore.Plus(d.usageSent)}
			}
		case callwright.Begin:
			d.begun = true
		case callwright.CallBegin:
			d.open++
		case callwright.CallEnd:
			d.open--
		case callwright.End:
			if d.ended != nil {
				b.Events[i] = callwright.End{Finish: u.Finish, Extra: d.ended.Extra.With(u.Extra)}
			}
		}
	}
	if d.followed != nil {
		d.followed.AddBatch(b)
	}
	if d.streams() {
		return d.yield(b)
	}
	d.collector().AddBatch(b)
	return true
}

// collector returns the collector of a whole answer.
func (d *delivery) collector() *callwright.Collector {
	if d.collected == nil {
		d.collected = &callwright.Collector{}
	}
	return d.collected
}

// follow keeps the events for the client of a stream, where searches for tools may have to be continued.
func (d *delivery) follow(s *toolsearch.Search) {
	if s != nil && d.streams() && d.followed == nil {
		d.followed = &callwright.Collector{}
	}
}

// turn returns the delivered part of the answer, as the client sends it back.
func (d *delivery) turn() callwright.Message {
	if d.followed != nil {
		return d.followed.Response().Message()
	}
	return d.collector().Response().Message()
}

// beginAttempt adds the usage of the attempt before to that of the answer.
func (d *delivery) beginAttempt() {
	d.usageBefore, d.usageSent, d.usageFinal = d.usageBefore.Plus(d.usageFinal), callwright.Usage{}, callwright.Usage{}
}

// supersede keeps the delivered part of an attempt that another one follows. Of a whole answer it is kept where it has
// good calls, as a stream's is: without them all is asked for again.
func (d *delivery) supersede(out *inbound.Outcome) {
	d.good = append(d.good, out.Good...)
	if !d.streams() && len(d.good) == 0 {
		d.collected, d.begun = inbound.SearchesOnly(d.collector()), false
		return
	}
	d.shown = d.shown || d.streams() && out.Delivered.Answered
	if out.Delivered.Text {
		d.text = true
		d.later.After(out.DeliveredText())
	}
	if len(out.End.Extra.JSON) > 0 && (out.Delivered.Text || len(out.Good) > 0) {
		d.ended = out.End
	}
}

// continueWith keeps the delivered part of a paused answer: the next attempt continues it.
func (d *delivery) continueWith(out *inbound.Outcome) {
	d.begun, d.good = true, append(d.good, out.Good...)
	d.shown = d.shown || d.streams() && out.Delivered.Shown
}
