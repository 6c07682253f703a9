package inbound

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// nativeCalls are the native calls of an answer about which is not decided yet.
type nativeCalls struct {
	open *nativeCall   // its pieces come now
	held []*nativeCall // closed; judged at the end
	// last is a closed call without an error so far. Until an event follows it, only the end of the answer shows whether
	// it was cut: servers close calls that their models did not close.
	last      *nativeCall
	brokenOff *nativeCall // it was streamed and is incomplete: only the end tells why
}

// A nativeCall is a call that came in the provider's own form.
type nativeCall struct {
	begin      callwright.CallBegin
	text       []byte
	slots      []int
	check      jsonx.Checker // of a function's arguments, as far as they were checked
	checked    int           // how many bytes of text were
	streamed   bool          // pieces of it have been handed on
	mayNotFlow bool          // its pieces are held until it is judged
	joined     bool          // its name came in two pieces
	followed   bool          // something came after it
}

// isMalformed reports whether the arguments so far are no prefix of JSON. It does not check a call that is not
// forwarded in pieces: such a call is validated as a whole.
func (n *nativeCall) isMalformed() bool {
	if n.begin.Type == callwright.CustomTool {
		return false
	}
	rest := n.text[n.checked:]
	n.checked = len(n.text)
	return n.check.Feed(rest) != nil
}

// complete reports whether the arguments so far are a whole JSON value.
func (n *nativeCall) complete() bool { return !n.isMalformed() && n.check.Complete() }

// promising reports whether enough of the arguments came to tell whether they are sound: the usual damage, single
// quotes and bare words, shows right after the first brace. While there is the brace alone, they could still be
// repaired unseen.
func (n *nativeCall) promising() bool {
	return n.begin.Type == callwright.CustomTool || len(bytes.TrimSpace(n.text)) > 1
}

// says reports whether a call that was judged is, to the letter, the one that came.
func (n *nativeCall) says(call *callwright.Call) bool {
	same := string(call.Arguments) == string(n.text)
	if call.Type == callwright.CustomTool {
		same = call.Input == string(n.text)
	}
	return same && !n.joined && call.ID == n.begin.ID && call.Name == n.begin.Name && call.Type == n.begin.Type
}

// saysUndone reports whether a call that was judged is the one that came, but for the form of its arguments.
func (n *nativeCall) saysUndone(call *callwright.Call, undo judge.Undo) bool {
	return undo.Touches(call.Name) && call.ID == n.begin.ID && call.Name == n.begin.Name && call.Type == n.begin.Type &&
		jsonx.Valid(n.text) == nil &&
		string(call.Arguments) == string(undo.Arguments(call.Name, n.text))
}

// candidate is the call so far, to be judged.
func (n *nativeCall) candidate() *judge.Candidate {
	return &judge.Candidate{
		ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Text: string(n.text),
		Call: callwright.Call{Signature: n.begin.Signature, Origin: n.begin.Origin, Extra: n.begin.Extra},
	}
}

// Unsent reports whether no call, nor any piece of one, has been handed on.
func (a *Answer) Unsent() bool {
	return a.callCount() == 0 && (a.nativeCalls.open == nil || !a.nativeCalls.open.streamed)
}

// beginCall opens a call.
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
	n := &nativeCall{begin: ev, slots: make([]int, 0, 8)} // room for the events of a short call
	n.slots = append(n.slots, a.queue.Put(ev, eventqueue.Held))
	a.nativeCalls.open = n
}

// goesOn reports whether a call is the one before it, of which only the beginning of the name came: together they are
// the name of a tool.
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
	name := naming.DeclaredName(n.begin.Name + strings.TrimPrefix(ev.Name, n.begin.Name)) // a delta may repeat the beginning of the name
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

// delta takes a piece of the open call, the event and its text.
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

// streamOpenCall hands on the pieces of the open call, where that is allowed and they are sound so far.
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

// headNeedsNoChange reports whether the name, the id, the index and the type of a call can be handed on as they came,
// and its tool may be called with arguments in the form in which they come. It does not look at the arguments: sound
// and malformed do.
func (a *Answer) headNeedsNoChange(n *nativeCall) bool {
	tg := a.Setup.Toolset.ByName[n.begin.Name]
	return tg != nil && !n.joined && tg.Admits(n.begin.Extra) && n.begin.ID != "" && !a.judge.IsTaken(n.begin.ID) &&
		n.begin.Index == a.callCount() &&
		(tg.Tool.Type == callwright.CustomTool) == (n.begin.Type == callwright.CustomTool) && a.toolNeedsNoChange(n.begin.Name)
}

// toolNeedsNoChange reports whether the next call, if it is one of this tool, is allowed and has arguments in the
// declared form.
func (a *Answer) toolNeedsNoChange(tool string) bool {
	return !a.Setup.Sent.Undo.Touches(tool) && !a.Setup.Toolset.Search.Has(tool) && a.brokenGuarantee(tool) == ""
}

// fail ends the answer: a call turned out to be wrong after clients were handed its beginning.
func (a *Answer) fail(n *nativeCall) {
	a.Outcome.NativeChanged = true
	c := n.candidate()
	c.Cut = n == a.nativeCalls.last
	a.Outcome.Invalid = append(a.Outcome.Invalid, a.judge.Decide(c).Invalid)
	a.Outcome.Err = callwright.Errorf("judge", callwright.KindInvalidCall, "",
		"the arguments of %s turned out to be invalid after a part had been sent; "+
			"the next answer of this model is held until it is judged", n.begin.Name)
}

// failRefused ends the answer: the model refused to go on inside a call of which clients were handed the beginning.
func (a *Answer) failRefused(n *nativeCall) {
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindContentFilter, "",
		"the model refused to go on in the middle of a call of %s", n.begin.Name)
}

// endCall closes the open call. at is the slot of its CallEnd, -1 without one. A sound call becomes the last one and
// leaves when something follows it. Any other is judged in Finalize.
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
		a.nativeCalls.held = append(a.nativeCalls.held, n) // judged at the end, when it is known why the answer ended
		return
	}
	a.nativeCalls.last = n
}

// settle hands on the call that came last: something follows it, so it was not cut.
func (a *Answer) settle() {
	if n := len(a.nativeCalls.held); n > 0 {
		a.nativeCalls.held[n-1].followed = true
	}
	if n := a.nativeCalls.last; n != nil {
		a.nativeCalls.last = nil
		a.accept(n, a.callOf(n))
	}
}

// settleLast decides about the call that came last, at the end of the answer.
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

// mayBeCut reports whether the last call of an answer may lack something that its model was about to write, although it
// is closed.
func (a *Answer) mayBeCut(n *nativeCall) bool {
	if n.begin.Type == callwright.CustomTool {
		return a.cutShort()
	}
	tg := a.Setup.Toolset.ByName[n.begin.Name]
	return a.cutAtLength() && (tg == nil || tg.TakesArguments() || len(n.text) > len(judge.EmptyArguments))
}

// sound reports whether a closed call can be handed on as it came, its arguments included.
func (a *Answer) sound(n *nativeCall) bool {
	call := a.callOf(n)
	return a.judge.Sound(&call)
}

// callOf is a native call that needs no change.
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

// accept hands a native call on as it came.
func (a *Answer) accept(n *nativeCall, call callwright.Call) {
	a.judge.NoteSuspect(&call)
	a.keepCall(call)
	a.Outcome.Clean++
	a.handOn(n, callwright.CallEnd{Index: n.begin.Index, Call: &call})
}

// handOn hands on the events of a call as they came, with another end. Where the bytes of some of them are lost, those
// of none are passed on: a whole call is written as one piece.
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
