package inbound

import (
	"errors"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/unpack"
)

// Finalize decides, at the end of the answer, about all held events: native calls that need a change and calls found in
// the text. Afterwards only the End is held back, and for an answer that cannot stand the events before it.
func (a *Answer) Finalize() {
	if a.Whole != nil {
		return
	}
	a.reader.close()
	a.endCall(-1)
	a.Outcome.CutAtLength = a.cutAtLength()
	if a.Outcome.Err == nil {
		a.settleLast()
	}
	switch {
	case a.Outcome.Err != nil, a.nativeCalls.brokenOff == nil:
	case a.Outcome.End != nil && a.Outcome.End.Finish == callwright.FinishContentFilter:
		a.failRefused(a.nativeCalls.brokenOff)
	default:
		a.fail(a.nativeCalls.brokenOff)
	}
	if a.Outcome.Err != nil {
		return
	}
	if a.repeats() {
		a.dropRepeated()
	}
	for i, n := range a.nativeCalls.held {
		a.judgeNative(n, i == len(a.nativeCalls.held)-1)
	}
	a.nativeCalls.held = nil
	a.judgeTextCalls()
	a.readLone()
	if len(a.Outcome.Good)+len(a.Outcome.Invalid)+len(a.Outcome.Delivered.Searches) == 0 && !a.Outcome.HasText() {
		a.promote()
	}
	if a.Outcome.Err = a.failedTransform(); a.Outcome.Err != nil {
		return
	}
	a.noteUnread()
	a.checkForm()
	a.queue.HoldAll = a.Outcome.WrongForm || a.Setup.ChoiceInPrompt && len(a.Outcome.Good) == 0
	a.queue.Release(false)
}

// failedTransform is why a call could not be transformed, nil where none failed.
func (a *Answer) failedTransform() *callwright.Error {
	e, _ := errors.AsType[*callwright.Error](a.judge.Err)
	return e
}

// ReleaseWithoutEnd hands the answer on but for its End: another attempt follows. Of the events right before the End
// only the calls are handed on.
func (a *Answer) ReleaseWithoutEnd() {
	a.beforeEnd = slices.DeleteFunc(a.beforeEnd, func(ev callwright.Event) bool { return !ofCall(ev) })
	a.ReleaseOpen()
}

// ReleaseOpen hands on all that the answer came to but for its End: the next attempt continues it.
func (a *Answer) ReleaseOpen() {
	a.queue.HoldAll = false
	a.queue.Resolve(a.endSlot, eventqueue.Replaced, a.beforeEnd...)
	a.queue.Release(false)
}

// ofCall reports whether an event belongs to a call, or shows a search.
func ofCall(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.OpaquePart:
		return true
	}
	return false
}

// DeriveFinish takes the finish that follows from the content, with a note where another came. ReleaseEnd does so
// where it was not done before.
func (a *Answer) DeriveFinish() {
	came := a.Outcome.End.Finish
	a.finish = came
	switch {
	case a.callCount() > 0:
		a.finish = callwright.FinishCalls
	case a.Outcome.CutAtLength && a.Outcome.AllTruncated():
		a.finish = callwright.FinishLength
	case came == callwright.FinishCalls, came == "":
		a.finish = callwright.FinishStop
	}
	if a.finish != came && came != "" && !a.asked.Derives(came, a.finish) && !a.Outcome.HasRefusal() {
		a.Setup.Ledger.Add(callwright.Note{Rule: "finish.derived", Stage: callwright.StageNormalise, Was: string(came), Now: string(a.finish)})
	}
}

// ReleaseEnd hands on the rest of the answer and its End, with the finish that follows from the content.
func (a *Answer) ReleaseEnd() {
	if a.finish == "" {
		a.DeriveFinish()
	}
	a.queue.HoldAll = false
	if a.finish == a.Outcome.End.Finish && len(a.beforeEnd) == 0 {
		a.queue.Resolve(a.endSlot, eventqueue.Ready)
	} else {
		end := *a.Outcome.End
		end.Finish = a.finish
		a.queue.Resolve(a.endSlot, eventqueue.Replaced, append(a.beforeEnd, end)...)
	}
	a.queue.Release(false)
	a.queue.Free()
}

// cutShort reports whether the answer was cut off: for its length, by the provider's reason or by the count of its
// tokens, or because the model refused to continue.
func (a *Answer) cutShort() bool {
	return a.Outcome.End == nil || a.Outcome.End.Finish == callwright.FinishContentFilter ||
		a.Outcome.End.Finish == callwright.FinishError || a.cutAtLength()
}

// cutAtLength reports whether the answer was broken off for its length.
func (a *Answer) cutAtLength() bool {
	return a.Outcome.End != nil && (a.Outcome.End.Finish == callwright.FinishLength || a.Setup.MaxOutput > 0 &&
		a.Outcome.Usage.Output >= a.Setup.MaxOutput)
}

// judgeNative judges a native call that was held. last says that no other follows it.
func (a *Answer) judgeNative(n *nativeCall, last bool) {
	c := n.candidate()
	switch {
	case last && len(n.text) > 0 && a.mayBeCut(n):
		c.Cut = true
	case c.Type != callwright.CustomTool:
		c.Cut = a.cutShort() && !n.complete() && len(n.text) > 0
	}
	a.judgeCandidates(n, unpack.Calls(c, a.Setup.Toolset, a.Setup.Ledger, a.Setup.Attempt.ScanOptions))
}

// judgeCandidates judges the candidates that one native call came to.
func (a *Answer) judgeCandidates(n *nativeCall, candidates []*judge.Candidate) {
	var events []callwright.Event
	same := false
	for _, c := range candidates {
		v := a.judge.Decide(c)
		if !v.OK {
			a.Outcome.Invalid = append(a.Outcome.Invalid, v.Invalid)
			a.Outcome.NativeChanged = a.Outcome.NativeChanged || v.Invalid.Why != callcheck.InvalidRefused // a rule says nothing of the model
			continue
		}
		if shown, ok := a.runSearch(&v.Call); ok {
			events = append(events, shown...)
			continue
		}
		if a.leftOut(&v.Call, c.Text) {
			continue
		}
		as := n.says(&v.Call)
		same = as && n.begin.Index == a.callCount() && len(candidates) == 1
		if as || n.saysUndone(&v.Call, a.Setup.Sent.Undo) {
			a.Outcome.Clean++
		} else {
			a.Outcome.NativeChanged = true
		}
		a.keepCall(v.Call)
		events = append(events, a.eventsOf(v.Call)...)
	}
	if same {
		a.handOn(n, events[2])
		return
	}
	for i, at := range n.slots {
		if i == 0 {
			a.queue.Resolve(at, eventqueue.Replaced, events...)
		} else {
			a.queue.Resolve(at, eventqueue.Dropped)
		}
	}
}

// isEnd reports whether the event of a slot is a CallEnd.
func (a *Answer) isEnd(at int) bool {
	_, ok := a.queue.Event(at).(callwright.CallEnd)
	return ok
}
