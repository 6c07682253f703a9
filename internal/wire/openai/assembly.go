package openai

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// assembly assembles the calls of a streamed response and emits them one after another. It streams the first call that
// has not ended (the head). Later calls wait. Complete JSON arguments do not end a call by themselves, because more may
// follow. The call ends when another one begins.
type assembly struct {
	calls []*streamedCall // in the order of their start
	head  int             // the index in calls of the head
}

// streamedCall is a call whose fragments are being received.
type streamedCall struct {
	n         int // number of the call in the response, from 0
	index     int // the provider's index, -1 if missing
	id, name  string
	kind      callwright.ToolType
	signature string
	extra     callwright.Extra
	repeats   bool          // fragments repeat its name
	again     bool          // its name was repeated after complete arguments: further arguments begin a new call
	nameOpen  bool          // the name came without arguments and may be continued
	args      []byte        // the arguments so far, without doubt
	sent      int           // number of bytes of args that were emitted
	last      string        // the last delta of args
	doubt     string        // a delta that may repeat all earlier arguments, not yet in args
	isWhole   bool          // doubt is a complete JSON value
	total     bool          // each delta repeats all earlier arguments
	checker   jsonx.Checker // checks args for complete JSON
	begun     bool          // CallBegin was emitted
	ended     bool          // CallEnd was emitted
}

// whole reports whether the arguments received so far are a complete JSON value. The free text of a custom call always
// counts as complete.
func (c *streamedCall) whole() bool {
	return c.kind == callwright.CustomTool || c.doubt == "" && c.checker.Complete()
}

// isComplete reports whether the arguments are complete JSON. It is false for a custom call, whose free text may always
// continue.
func (c *streamedCall) isComplete() bool { return c.kind == callwright.FunctionTool && c.whole() }

// canBeComplete reports whether the call is complete if no further delta follows, although one may: a custom call, or a
// call without arguments so far.
func (c *streamedCall) canBeComplete() bool {
	return c.kind == callwright.CustomTool || len(c.args) == 0
}

// addDelta adds an arguments delta. It returns true when it first detects that each delta repeats all earlier
// arguments.
func (c *streamedCall) addDelta(piece string) (repeats bool) {
	if piece == "" {
		return false
	}
	if c.kind == callwright.CustomTool {
		c.args, c.last = append(c.args, piece...), piece
		return false
	}
	if held := c.doubt; held != "" {
		c.doubt = ""
		if strings.HasPrefix(piece, held) {
			return c.replace(piece)
		}
		c.add(held)
	}
	if len(c.args) == 0 || c.args[0] != '{' || !startsWith(piece, c.args) {
		c.add(piece)
		return false
	}
	if c.total {
		return c.replace(piece)
	}
	trial, fresh := c.checker, jsonx.Checker{}
	switch {
	case fresh.FeedString(piece) != nil:
		c.add(piece)
	case trial.FeedString(piece) != nil:
		return c.replace(piece)
	default: // {"a": and {"a":1} may be {"a":1} or {"a":{"a":1}
		c.doubt, c.isWhole = piece, fresh.Complete()
	}
	return false
}

// canBeWhole reports whether the arguments are complete, or would be if the delta in doubt replaced them.
func (c *streamedCall) canBeWhole() bool { return c.whole() || c.isDoubtWhole() }

func (c *streamedCall) isDoubtWhole() bool { return c.doubt != "" && c.isWhole }

// decide resolves the delta in doubt by the fragment f that follows. If f begins another JSON value and the doubt is a
// complete value, the doubt replaces the earlier arguments. decide returns true if this is the first replacement in the
// call.
func (c *streamedCall) decide(f fragment) (repeats bool) {
	if c.doubt == "" || !f.startsValue() || strings.HasPrefix(f.args, c.doubt) || !c.isDoubtWhole() {
		return false
	}
	piece := c.doubt
	c.doubt = ""
	return c.replace(piece)
}

// startsWith reports whether s begins with b. It does not copy.
func startsWith(s string, b []byte) bool { return len(s) >= len(b) && s[:len(b)] == string(b) }

func (c *streamedCall) add(piece string) {
	_ = c.checker.FeedString(piece) // invalid arguments are handled after the call
	c.args, c.last = append(c.args, piece...), piece
}

// replace adds a delta that repeats all earlier arguments of the call. It returns true at the first such delta.
func (c *streamedCall) replace(piece string) bool {
	repeats := !c.total
	c.total = true
	c.add(piece[len(c.args):])
	return repeats
}

// finalize resolves the delta in doubt at the end of the call. The delta is appended if that makes complete JSON or if
// the delta alone is not valid JSON. Otherwise it replaces the arguments, for the first time if repeats is true.
func (c *streamedCall) finalize() (repeats bool) {
	piece := c.doubt
	if piece == "" {
		return false
	}
	c.doubt = ""
	trial := c.checker
	if trial.FeedString(piece) == nil && trial.Complete() || jsonx.Valid([]byte(piece)) != nil {
		c.add(piece)
		return false
	}
	return c.replace(piece)
}

// open reports whether CallBegin was emitted for a call that has not ended.
func (a *assembly) open() bool { return a.head < len(a.calls) && a.calls[a.head].begun }

// busy reports whether a call has not ended, including calls that wait for the head.
func (a *assembly) busy() bool { return a.head < len(a.calls) }

// begin adds a new call for a fragment.
func (a *assembly) begin(d *streamDecoder, f fragment) *streamedCall {
	c := &streamedCall{n: len(a.calls), index: f.index, id: f.id, name: f.name, kind: f.kind, nameOpen: !f.hasArgs, extra: f.extra}
	a.calls = append(a.calls, c)
	d.end.hasCalls = true
	switch {
	case f.index < 0:
		d.found.Add(foundNoIndex)
	case f.index != c.n:
		d.found.Add(foundCollision)
	}
	if !f.typed {
		d.found.Add(foundType)
	}
	if f.name == "" || c.nameOpen {
		d.found.Add(foundLateName)
	}
	return c
}

// updateCall updates the call c by the index, id and name of a further fragment.
func (a *assembly) updateCall(d *streamDecoder, c *streamedCall, f fragment) {
	if f.name != "" || f.id != "" {
		d.found.Add(foundRepeat)
	}
	if f.index >= 0 && c.index >= 0 && f.index != c.index {
		d.found.Add(foundDrift)
	}
	c.again = f.name != "" && f.name == c.name && f.args == "" && c.canBeWhole() && c.kind == callwright.FunctionTool
	c.repeats = c.repeats || f.name != "" && f.name == c.name
	if c.index < 0 {
		c.index = f.index
	}
	if c.id == "" && !c.begun {
		c.id = f.id
	}
	switch {
	case c.name == "":
		c.name = f.name
	case c.nameOpen && !c.begun && f.name != "" && f.name != c.name:
		c.name += strings.TrimPrefix(f.name, c.name) // f.name may repeat the earlier part
	}
	c.nameOpen = c.nameOpen && !f.hasArgs
}

// pump emits the new arguments of the head. If the head is complete and another call waits, pump ends the head and
// continues with the next call.
func (a *assembly) pump(d *streamDecoder) {
	for a.head < len(a.calls) {
		c := a.calls[a.head]
		waits := a.head+1 < len(a.calls)
		if c.name == "" || c.nameOpen && !waits {
			break
		}
		a.emitPending(d, c)
		if !waits || !c.isComplete() {
			break
		}
		a.finish(d, c)
	}
}

// emitPending emits CallBegin, if that was not done yet, and the arguments of c that were not emitted yet.
func (a *assembly) emitPending(d *streamDecoder, c *streamedCall) {
	if !c.begun {
		c.begun = true
		d.out = append(d.out, callwright.CallBegin{Index: c.n, ID: c.id, Name: c.name, Type: c.kind, Signature: c.signature,
			Origin: origin, Extra: c.extra})
	}
	if c.sent < len(c.args) {
		text := c.last
		if len(text) != len(c.args)-c.sent {
			text = string(c.args[c.sent:])
		}
		d.out = append(d.out, callwright.CallDelta{Index: c.n, Text: text})
		c.sent = len(c.args)
	}
}

// finish ends the head c and emits the events that were held back for its end.
func (a *assembly) finish(d *streamDecoder, c *streamedCall) {
	c.ended = true
	a.head++
	d.out = append(append(d.out, callwright.CallEnd{Index: c.n}), d.heldEvents...)
	d.heldEvents = nil
}

// endHead ends the head before an event that does not belong to a call. It returns false, and does nothing, if the head
// is incomplete or another call waits.
func (a *assembly) endHead(d *streamDecoder) bool {
	c := a.calls[a.head]
	if !c.isComplete() || a.head+1 < len(a.calls) {
		return false
	}
	a.finish(d, c)
	return true
}

// lastCanBeComplete reports whether the head is the last call and would be complete if no further delta followed.
func (a *assembly) lastCanBeComplete() bool {
	return a.head+1 == len(a.calls) && a.calls[a.head].canBeComplete()
}

// whole reports whether the arguments of all calls that have not ended are complete.
func (a *assembly) whole() bool {
	return !slices.ContainsFunc(a.calls[a.head:], func(c *streamedCall) bool { return !c.whole() })
}

// endsInName reports whether the last call is open and has a name but no arguments yet.
func (a *assembly) endsInName() bool {
	return a.busy() && a.calls[len(a.calls)-1].name != "" && len(bytes.TrimSpace(a.calls[len(a.calls)-1].args)) == 0
}

// flush ends all calls at the end of the response. It drops calls that never got a name.
func (a *assembly) flush(d *streamDecoder) {
	for a.head < len(a.calls) {
		c := a.calls[a.head]
		if c.finalize() {
			d.found.Add(foundTotal)
		}
		if c.name == "" {
			d.found.Add(foundStray)
			a.drop()
			continue
		}
		d.end.lastCallCut = c.kind == callwright.CustomTool || len(bytes.TrimSpace(c.args)) > 0 && !c.checker.Complete()
		a.emitPending(d, c)
		a.finish(d, c)
	}
	d.end.hasCalls = len(a.calls) > 0
}

// drop removes the head and renumbers the calls after it.
func (a *assembly) drop() {
	a.calls = append(a.calls[:a.head], a.calls[a.head+1:]...)
	for i := a.head; i < len(a.calls); i++ {
		a.calls[i].n = i
	}
}
