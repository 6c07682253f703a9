package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

// A delivery sends the batches of a run to the client and records them. It either streams through yield or collects a
// complete response.
type delivery struct {
	yield     func(callwright.Batch) bool // sends a batch of a stream; nil for a complete response
	collected *callwright.Collector       // nil for a stream and before the first event
	whole     *callwright.Response        // complete response of the model to return unchanged, instead of its events
	followed  *callwright.Collector       // delivered part of a stream; nil if it cannot be continued
	recorder  *restore.Recorder           // stores signatures for the client; nil if unused

	good  []callwright.Call // delivered calls of earlier attempts
	begun bool              // the client received the beginning of a response
	shown bool              // the client of a stream received content, so no other attempt can replace the response
	text  bool              // the client received text, in a stream or before valid calls
	// ended is the End event of the latest finished attempt with delivered content. Its Extra is added to the final End.
	ended       *callwright.End
	later       latertext.Text   // joins delivered text of earlier attempts with later text
	usageBefore callwright.Usage // usage of all attempts before the latest one
	usageSent   callwright.Usage // usage of the latest attempt that was delivered
	usageFinal  callwright.Usage // usage of the latest attempt after its end
	open        int              // number of calls that were delivered only in part
}

// streams reports whether the client receives events immediately, so that they cannot be withdrawn.
func (d *delivery) streams() bool { return d.yield != nil }

// hand sends a batch to the client. It adds the usage of earlier attempts, a separator from earlier text, and the
// Extra of an earlier End. It records the batch for continuations and for the signature store. It returns false if the
// client stopped.
func (d *delivery) hand(b callwright.Batch) bool {
	if d.later.Follows() {
		b.Events = d.later.Events(b.Events)
	} else if d.usageBefore.Known || d.ended != nil {
		b.Events = slices.Clone(b.Events) // the events belong to the decoder
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

// collector returns the collector of the complete response. It creates the collector if necessary.
func (d *delivery) collector() *callwright.Collector {
	if d.collected == nil {
		d.collected = &callwright.Collector{}
	}
	return d.collected
}

// follow starts recording the stream's events if s may need continuations after tool searches.
func (d *delivery) follow(s *toolsearch.Search) {
	if s != nil && d.streams() && d.followed == nil {
		d.followed = &callwright.Collector{}
	}
}

// turn returns the delivered part of the response as an assistant message.
func (d *delivery) turn() callwright.Message {
	if d.followed != nil {
		return d.followed.Response().Message()
	}
	return d.collector().Response().Message()
}

// beginAttempt adds the usage of the previous attempt to the total.
func (d *delivery) beginAttempt() {
	d.usageBefore, d.usageSent, d.usageFinal = d.usageBefore.Plus(d.usageFinal), callwright.Usage{}, callwright.Usage{}
}

// supersede keeps the delivered part of an attempt that another attempt follows. A complete response is kept only if
// it has valid calls; otherwise the next attempt replaces it.
func (d *delivery) supersede(out *inbound.Outcome) {
	d.good = append(d.good, out.Good...)
	if !d.streams() && len(d.good) == 0 {
		d.collected, d.begun = inbound.SearchesOnly(d.collector()), false
		if used := d.usageBefore.Plus(d.usageFinal); used.Known { // the next attempt may report none
			d.collected.Add(callwright.UsageDelta{Usage: used})
		}
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

// continueWith keeps the delivered part of a paused response, which the next attempt continues.
func (d *delivery) continueWith(out *inbound.Outcome) {
	d.begun, d.good = true, append(d.good, out.Good...)
	d.shown = d.shown || d.streams() && out.Delivered.Shown
}
