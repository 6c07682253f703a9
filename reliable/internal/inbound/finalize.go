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

// Finalize decides all undecided events at the end of the response: native calls that need a change, and calls in
// text. Then only the End event, and events inserted before it, are still queued.
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

// failedTransform returns the error of a failed call transform, or nil.
func (a *Answer) failedTransform() *callwright.Error {
	e, _ := errors.AsType[*callwright.Error](a.judge.Err)
	return e
}

// ReleaseWithoutEnd delivers the response without its End, because another attempt follows. Of the events inserted
// before the End it delivers only calls and tool searches.
func (a *Answer) ReleaseWithoutEnd() {
	a.beforeEnd = slices.DeleteFunc(a.beforeEnd, func(ev callwright.Event) bool { return !ofCall(ev) })
	a.ReleaseOpen()
}

// ReleaseOpen delivers the whole response except its End, because the next attempt continues it.
func (a *Answer) ReleaseOpen() {
	a.queue.HoldAll = false
	a.queue.Resolve(a.endSlot, eventqueue.Replaced, a.beforeEnd...)
	a.queue.Release(false)
}

// ofCall reports whether ev belongs to a call or shows a tool search.
func ofCall(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd, callwright.OpaquePart:
		return true
	}
	return false
}

// DeriveFinish sets the finish reason that matches the content. It notes a change. ReleaseEnd calls it if necessary.
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

// ReleaseEnd delivers the rest of the response and its End.
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

// cutShort reports whether the response is incomplete: it has no End, or ended with an error, at a content filter or at
// the output token limit.
func (a *Answer) cutShort() bool {
	return a.Outcome.End == nil || a.Outcome.End.Finish == callwright.FinishContentFilter ||
		a.Outcome.End.Finish == callwright.FinishError || a.cutAtLength()
}

// cutAtLength reports whether the response reached the output token limit.
func (a *Answer) cutAtLength() bool {
	return a.Outcome.End != nil && (a.Outcome.End.Finish == callwright.FinishLength || a.Setup.MaxOutput > 0 &&
		a.Outcome.Usage.Output >= a.Setup.MaxOutput)
}

// judgeNative validates a native call that was buffered. last reports that no other call follows.
func (a *Answer) judgeNative(n *nativeCall, last bool) {
	c := n.candidate()
	switch {
	case last && !n.followed && len(n.text) > 0 && a.mayBeCut(n):
		c.Cut = true
	case c.Type != callwright.CustomTool:
		c.Cut = a.cutShort() && !n.followed && !n.complete() && len(n.text) > 0
	}
	a.judgeCandidates(n, unpack.Calls(c, a.Setup.Toolset, a.Setup.Ledger, a.Setup.Attempt.ScanOptions))
}

// judgeCandidates validates the candidates that were extracted from a native call.
func (a *Answer) judgeCandidates(n *nativeCall, candidates []*judge.Candidate) {
	var events []callwright.Event
	same := false
	for _, c := range candidates {
		v := a.judge.Decide(c)
		if !v.OK {
			a.Outcome.Invalid = append(a.Outcome.Invalid, v.Invalid)
			// a call rule does not indicate a problem of the model
			a.Outcome.NativeChanged = a.Outcome.NativeChanged || v.Invalid.Why != callcheck.InvalidRefused
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

// isEnd reports whether the event in the slot is a CallEnd.
func (a *Answer) isEnd(at int) bool {
	_, ok := a.queue.Event(at).(callwright.CallEnd)
	return ok
}
