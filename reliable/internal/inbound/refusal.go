package inbound

import (
	"cmp"
	"errors"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// RecoveredRule returns the rule by which model output inside an error is read: recovered.call after an unparsable
// call, otherwise recovered.text.
func RecoveredRule(e *callwright.Error) string {
	if e.Finish == callwright.FinishMalformedCall {
		return "recovered.call"
	}
	return "recovered.text"
}

// ReadRefusal reads the model output quoted in a provider's error like a response. Its calls are validated. Without
// calls it is the response text. An incomplete native call that was not delivered is dropped.
func (a *Answer) ReadRefusal(e *callwright.Error) {
	a.Setup.Ledger.Add(callwright.Note{Rule: RecoveredRule(e), Stage: callwright.StageNormalise, Was: e.Recovered, Why: e.Message})
	if a.nativeCalls.open != nil {
		for _, at := range a.nativeCalls.open.slots {
			a.queue.Resolve(at, eventqueue.Dropped)
		}
	}
	if !a.Outcome.Begun {
		_, name := a.Setup.Model.Split()
		a.feedEvents(callwright.Begin{Model: name})
	}
	if a.reader.start == opening.InReasoning && a.reader.scan == nil {
		a.reader.start = opening.Unsure // it may be the rest of the response
	}
	said, botched := a.Outcome.Visible.String(), e.Finish == callwright.FinishMalformedCall
	a.Setup.NoBytes, a.nativeCalls.open, a.queue.HoldAll = true, nil, a.queue.HoldAll || botched
	// holdFence must not release the queue
	a.notLone = a.notLone || botched
	if e.Recovered == "" { // it was streamed already
		a.feedEvents(callwright.End{Finish: callwright.FinishMalformedCall})
		return
	}
	if a.Outcome.Delivered.Text { // the error repeats this text
		a.reader.rewrite()
		a.reader.later = latertext.Text{Note: a.Setup.Ledger.Add, Keep: !a.Setup.Ledger.May(latertext.Rule)}
		a.reader.later.After(a.Outcome.DeliveredText())
	}
	a.refusedCall = e.Kind == callwright.KindRefusedCall
	a.feedEvents(callwright.TextDelta{Text: e.Recovered})
	if a.reader.close(); botched && len(a.writtenCalls.found) == 0 { // an unreadable call is not text
		a.queue.ReplaceTexts(e.Said)
		a.Outcome.Visible.Reset()
		a.Outcome.Visible.WriteString(said + e.Said)
	}
	a.feedEvents(callwright.End{Finish: cmp.Or(e.Finish, callwright.FinishStop)})
}

// AddErrorNotes copies the number of tries and the notes from an error's report. If noted is true, earlier notes were
// added before, and only those about the end of the response are added.
func (a *Answer) AddErrorNotes(err error, noted bool) {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Report == nil {
		return
	}
	if a.Outcome.Tries = TriesOf(e.Report); len(e.Report.Attempts) > 0 {
		a.Outcome.Tries = e.Report.Attempts[0].Tries // 0 if nothing was sent
	}
	for _, n := range e.Report.Notes {
		if !noted || n.Rule == "transport.broken" || n.Rule == "transport.refused_call" {
			a.Setup.Ledger.Add(n)
		}
	}
}
