package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

// A delivery takes the batches for the client of a run and keeps what the client has got. It has a yield for a stream, or
// collects a whole answer.
type delivery struct {
	yield     func(callwright.Batch) bool // nil for a whole answer
	collected *callwright.Collector       // nil for a stream, and before the first event
	whole     *callwright.Response        // an answer that was handed on as it came, in place of its events
	followed  *callwright.Collector       // what the client got of a stream; nil where nothing continues it
	recorder  *restore.Recorder           // nil where no state is kept for the client

	good  []callwright.Call // the calls that the client got of attempts that are over
	begun bool              // the client got the beginning of an answer
	shown bool              // the client got some of an answer's content, in a stream: of one that ended in order more than reasoning
	text  bool              // the client got text, in a stream or before good calls
	ended *callwright.End   // the End with something beside it of the last answer that is over and of which it keeps something
	spent callwright.Usage  // of the attempts that the answer continues
	used  callwright.Usage  // of the attempt that goes on
	open  int               // how many calls the client got the beginning of and not the end
}

// streams reports whether the client gets events as they come: what it got cannot be taken back.
func (d *delivery) streams() bool { return d.yield != nil }

// hand gives a batch to the client. It returns false when the client wants no more.
func (d *delivery) hand(b callwright.Batch) bool {
	for i, ev := range b.Events {
		d.recorder.Record(ev)
		switch u := ev.(type) {
		case callwright.UsageDelta:
			if d.used = d.used.Merge(u.Usage); d.spent.Known {
				b.Events[i] = callwright.UsageDelta{Usage: d.spent.Plus(d.used)}
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

// collector is what collects a whole answer.
func (d *delivery) collector() *callwright.Collector {
	if d.collected == nil {
		d.collected = &callwright.Collector{}
	}
	return d.collected
}

// follow keeps what the client of a stream gets, where searches for tools may have to be continued.
func (d *delivery) follow(s *toolsearch.Search) {
	if s != nil && d.streams() && d.followed == nil {
		d.followed = &callwright.Collector{}
	}
}

// turn is what the client got of the answer so far, as it sends it back.
func (d *delivery) turn() callwright.Message {
	if d.followed != nil {
		return d.followed.Response().Message()
	}
	return d.collector().Response().Message()
}

// supersede takes over what an attempt has handed on that another follows. Of a whole answer it is kept where it has good calls, as a stream's is:
// without them all is asked for again.
func (d *delivery) supersede(out *inbound.Outcome) {
	d.good, d.used = append(d.good, out.Good...), callwright.Usage{}
	if !d.streams() && len(d.good) == 0 {
		d.collected, d.begun = inbound.SearchesOnly(d.collector()), false
		return
	}
	d.shown = d.shown || d.streams() && out.Delivered.Answered
	d.text = d.text || out.Delivered.Text
	if len(out.End.Extra.JSON) > 0 && (out.Delivered.Text || len(out.Good) > 0) {
		d.ended = out.End
	}
}

// continueWith takes over what a paused answer has handed on: the next attempt continues it.
func (d *delivery) continueWith(out *inbound.Outcome) {
	d.begun, d.good = true, append(d.good, out.Good...)
	d.spent, d.used = d.spent.Plus(out.Usage), callwright.Usage{}
	d.shown = d.shown || d.streams() && out.Delivered.Shown
}

// sawText reports whether the client of a stream got text, of this attempt or of an earlier one.
func (d *delivery) sawText(out *inbound.Outcome) bool {
	return d.streams() && (d.text || out.Delivered.Text)
}
