package inbound

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// nativeCalls has the undecided native calls of a response.
type nativeCalls struct {
	open *nativeCall   // the call whose deltas arrive
	held []*nativeCall // complete calls to validate at the end
	// last is a complete call without an error so far. If it is the last event, only the end of the response shows
	// whether it was truncated, because servers complete truncated calls.
	last      *nativeCall
	brokenOff *nativeCall // a streamed call that is incomplete; the end of the response shows the reason
}

// A nativeCall is a native call of the provider's API.
type nativeCall struct {
	begin      callwright.CallBegin
	text       []byte
	slots      []int
	check      jsonx.Checker // checks the JSON syntax of function arguments
	checked    int           // number of bytes checked
	streamed   bool          // deltas have been delivered
	mayNotFlow bool          // deltas are buffered until validation
	joined     bool          // the name arrived in two parts
	followed   bool          // another event followed
}

// isMalformed reports whether the arguments so far are not a prefix of valid JSON. It returns false for a custom tool.
func (n *nativeCall) isMalformed() bool {
	if n.begin.Type == callwright.CustomTool {
		return false
	}
	rest := n.text[n.checked:]
	n.checked = len(n.text)
	return n.check.Feed(rest) != nil
}

// complete reports whether the arguments so far are a complete JSON value.
func (n *nativeCall) complete() bool { return !n.isMalformed() && n.check.Complete() }

// promising reports whether enough of the arguments arrived to start streaming. Usual damage such as single quotes
// shows directly after the opening brace.
func (n *nativeCall) promising() bool {
	return n.begin.Type == callwright.CustomTool || len(bytes.TrimSpace(n.text)) > 1
}

// says reports whether the validated call has the same ID, name, type and arguments as the native call.
func (n *nativeCall) says(call *callwright.Call) bool {
	same := string(call.Arguments) == string(n.text)
	if call.Type == callwright.CustomTool {
		same = call.Input == string(n.text)
	}
	return same && !n.joined && call.ID == n.begin.ID && call.Name == n.begin.Name && call.Type == n.begin.Type
}

// saysUndone reports whether the validated call is identical to the native call after undo converts its arguments.
func (n *nativeCall) saysUndone(call *callwright.Call, undo judge.Undo) bool {
	return undo.Touches(call.Name) && call.ID == n.begin.ID && call.Name == n.begin.Name && call.Type == n.begin.Type &&
		jsonx.Valid(n.text) == nil &&
		string(call.Arguments) == string(undo.Arguments(call.Name, n.text))
}

// candidate returns the call so far for validation.
func (n *nativeCall) candidate() *judge.Candidate {
	return &judge.Candidate{
		ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Text: string(n.text),
		Call: callwright.Call{Signature: n.begin.Signature, Origin: n.begin.Origin, Extra: n.begin.Extra},
	}
}

// Unsent reports whether no part of a call has been delivered.
func (a *Answer) Unsent() bool {
	return a.callCount() == 0 && (a.nativeCalls.open == nil || !a.nativeCalls.open.streamed)
}

// beginCall processes the start of a native call. It first ends the previous call. If ev has the rest of that call's
// name, it extends the name instead.
func (a *Answer) beginCall(ev callwright.CallBegin) {
	a.reader.close()
	a.endCall(-1)
	if a.goesOn(ev) {
		return
	}
	a.settle()
	ev.Name = a.Setup.Toolset.Naming.DeclaredName(ev.Name)
	if id := a.clientForm.ID(&ev, a.Outcome.AnswerWire); id != ev.ID {
		ev.ID = id
		a.queue.Change()
	}
	n := &nativeCall{begin: ev, slots: make([]int, 0, 8)} // capacity for the events of a short call
	n.slots = append(n.slots, a.queue.Put(ev, eventqueue.Held))
	a.nativeCalls.open = n
}

// goesOn reports whether ev continues the previous call, of which only the beginning of the name arrived. It then
// joins both parts of the name.
func (a *Answer) goesOn(ev callwright.CallBegin) bool {
	const rule = "normalise.split_name"
	calls := &a.nativeCalls
	at := len(calls.held) - 1
	if at < 0 {
		return false
	}
	n := calls.held[at]
	if len(n.text) > 0 || n.joined || n.followed || ev.ID != "" && ev.ID != n.begin.ID || ev.Type != n.begin.Type {
		return false
	}
	naming := a.Setup.Toolset.Naming
	// a delta may repeat the beginning of the name
	name := naming.DeclaredName(n.begin.Name + strings.TrimPrefix(ev.Name, n.begin.Name))
	tools, next := a.Setup.Toolset.ByName, naming.DeclaredName(ev.Name)
	if tools[name] == nil || tools[n.begin.Name] != nil && tools[next] != nil || !a.Setup.Ledger.May(rule) {
		return false
	}
	a.Setup.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: name, Was: ev.Name, Now: name})
	n.slots = append(n.slots, a.queue.Put(ev, eventqueue.Held))
	n.begin.Name, n.joined, n.mayNotFlow = name, true, true
	calls.open, calls.held = n, calls.held[:at]
	return true
}

// delta processes a delta of the open call. text is its text.
func (a *Answer) delta(ev callwright.Event, text string) {
	at, n := a.queue.Put(ev, eventqueue.Held), a.nativeCalls.open
	if n == nil {
		a.queue.Resolve(at, eventqueue.Dropped)
		return
	}
	n.text = append(n.text, text...)
	n.slots = append(n.slots, at)
	if n.streamed && n.isMalformed() {
		a.fail(n)
	}
}

// streamOpenCall delivers the deltas of the open call if streaming is permitted and the arguments so far are valid.
func (a *Answer) streamOpenCall() {
	n := a.nativeCalls.open
	if n == nil || a.Setup.HoldCalls || n.mayNotFlow || len(a.nativeCalls.held) > 0 || a.Outcome.Err != nil {
		return
	}
	if !n.streamed && (!a.headNeedsNoChange(n) || a.judge.ChecksInput(n.begin.Name) || a.judge.Covers(n.begin.Name) || n.isMalformed()) {
		n.mayNotFlow = true
		return
	}
	if !n.streamed && !n.promising() {
		return
	}
	if n.begin.Type != callwright.CustomTool && n.complete() && !a.sound(n) {
		if n.streamed {
			a.fail(n)
		} else {
			n.mayNotFlow = true
		}
		return
	}
	n.streamed = true
	for _, at := range n.slots {
		a.queue.Resolve(at, eventqueue.Ready)
	}
	n.slots = n.slots[:0]
}

// headNeedsNoChange reports whether the name, ID, index and type of a call can be delivered unchanged, and the call is
// permitted. It does not consider the arguments.
func (a *Answer) headNeedsNoChange(n *nativeCall) bool {
	tg := a.Setup.Toolset.ByName[n.begin.Name]
	return tg != nil && !n.joined && tg.Admits(n.begin.Extra) && n.begin.ID != "" && !a.judge.IsTaken(n.begin.ID) &&
		n.begin.Index == a.callCount() &&
		(tg.Tool.Type == callwright.CustomTool) == (n.begin.Type == callwright.CustomTool) && a.toolNeedsNoChange(n.begin.Name)
}

// toolNeedsNoChange reports whether a next call of the tool is permitted, is not a tool search, and has arguments for
// the declared schema.
func (a *Answer) toolNeedsNoChange(tool string) bool {
	return !a.Setup.Sent.Undo.Touches(tool) && !a.Setup.Toolset.Search.Has(tool) && a.brokenGuarantee(tool) == ""
}

// fail ends the response with an error: a call that was partly delivered is invalid.
func (a *Answer) fail(n *nativeCall) {
	a.Outcome.NativeChanged = true
	c := n.candidate()
	c.Cut = n == a.nativeCalls.last
	if v := a.judge.Quiet().Decide(c); v.OK { // a change would make it valid, but a part was delivered
		a.Outcome.Invalid = append(a.Outcome.Invalid, a.judge.Unchanged(c))
	} else {
		a.Outcome.Invalid = append(a.Outcome.Invalid, a.judge.Decide(c).Invalid)
	}
	a.Outcome.Err = callwright.Errorf("judge", callwright.KindInvalidCall, "",
		"the arguments of %s turned out to be invalid after a part had been sent; "+
			"calls in the next answer of this model are sent only after validation", n.begin.Name)
}

// failRefused ends the response with an error: a content filter stopped the model inside a call that was partly
// delivered.
func (a *Answer) failRefused(n *nativeCall) {
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindContentFilter, "",
		"a content filter stopped the model within a call of %s", n.begin.Name)
}

// endCall ends the open call. at is the slot of its CallEnd, -1 if there is none. A valid call is delivered when
// another event follows. Other calls are validated in Finalize.
func (a *Answer) endCall(at int) {
	n := a.nativeCalls.open
	a.nativeCalls.open = nil
	if n == nil {
		if at >= 0 {
			a.queue.Resolve(at, eventqueue.Dropped)
		}
		return
	}
	if at >= 0 {
		n.slots = append(n.slots, at)
	}
	judgedAtEnd := n.begin.Type == callwright.CustomTool || a.Setup.Form != nil || len(a.nativeCalls.held)+len(a.Setup.Earlier) > 0
	if !n.streamed && (judgedAtEnd || !a.headNeedsNoChange(n)) || !a.sound(n) {
		switch {
		case n.streamed && !n.isMalformed() && !n.check.Complete() && a.nativeCalls.brokenOff == nil:
			a.nativeCalls.brokenOff = n
			return
		case n.streamed:
			a.fail(n)
			return
		}
		a.nativeCalls.held = append(a.nativeCalls.held, n) // to be validated at the end, when the finish reason is known
		return
	}
	a.nativeCalls.last = n
}

// settle delivers the last call, because a following event shows that it was not truncated.
func (a *Answer) settle() {
	if n := len(a.nativeCalls.held); n > 0 {
		a.nativeCalls.held[n-1].followed = true
	}
	if n := a.nativeCalls.last; n != nil {
		a.nativeCalls.last = nil
		a.accept(n, a.callOf(n))
	}
}

// settleLast treats the last call at the end of the response. If the call may be truncated, it ends the response with
// an error if deltas were delivered, otherwise it leaves the call to validation. Other calls are delivered.
func (a *Answer) settleLast() {
	n := a.nativeCalls.last
	switch {
	case n == nil:
	case !a.mayBeCut(n):
		a.settle()
	case n.streamed:
		a.fail(n)
	default:
		a.nativeCalls.last = nil
		a.nativeCalls.held = append(a.nativeCalls.held, n)
	}
}

// mayBeCut reports whether the last call of a response may be truncated although it is complete.
func (a *Answer) mayBeCut(n *nativeCall) bool {
	if n.begin.Type == callwright.CustomTool {
		return a.cutShort()
	}
	tg := a.Setup.Toolset.ByName[n.begin.Name]
	return a.cutAtLength() && (tg == nil || tg.TakesArguments() || len(n.text) > len(judge.EmptyArguments))
}

// sound reports whether a complete call can be delivered unchanged.
func (a *Answer) sound(n *nativeCall) bool {
	call := a.callOf(n)
	return a.judge.Sound(&call)
}

// callOf returns the native call as a Call without changes.
func (a *Answer) callOf(n *nativeCall) callwright.Call {
	c := callwright.Call{
		ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Signature: n.begin.Signature, Origin: n.begin.Origin, Extra: n.begin.Extra,
	}
	if c.Type == callwright.CustomTool {
		c.Input = string(n.text)
	} else {
		c.Arguments, c.Unvalidated = n.text, a.judge.Unvalidated
	}
	return c
}

// accept delivers a native call unchanged.
func (a *Answer) accept(n *nativeCall, call callwright.Call) {
	a.judge.NoteSuspect(&call)
	a.keepCall(call)
	a.Outcome.Clean++
	a.handOn(n, callwright.CallEnd{Index: n.begin.Index, Call: &call})
}

// handOn delivers the events of a call, with end as its CallEnd. If only some of its events still have bytes, the call
// is delivered without bytes as one delta.
func (a *Answer) handOn(n *nativeCall, end callwright.Event) {
	withBytes := 0
	for _, at := range n.slots {
		if a.queue.HasBytes(at) {
			withBytes++
		}
	}
	mixed := withBytes > 0 && withBytes < len(n.slots) && !n.streamed
	for _, at := range n.slots {
		if a.isEnd(at) {
			a.queue.SetEvent(at, end)
		}
		if mixed && a.queue.HasBytes(at) {
			a.queue.Resolve(at, eventqueue.Replaced, a.queue.Event(at))
			continue
		}
		a.queue.Resolve(at, eventqueue.Ready)
	}
}
