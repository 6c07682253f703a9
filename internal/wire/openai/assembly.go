package openai

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// assembly puts the calls of a streamed answer together and gives them one after another: the first that has not ended
// flows, those after it wait until it is whole. That its JSON is whole ends a call only when another begins: until then
// more may come.
type assembly struct {
	calls []*streamedCall
	head  int // the call that flows
}

// streamedCall is one call as far as it has come.
type streamedCall struct {
	n         int // counts the calls
	index     int // on the wire, -1 without
	id, name  string
	kind      callwright.ToolType
	signature string
	extra     callwright.Extra
	repeats   bool // pieces repeat its name
	again     bool // its head came again once it was whole: it was made twice where arguments follow
	nameOpen  bool // the name came without arguments and may go on
	args      []byte
	sent      int    // of args
	last      string // the last piece of args
	doubt     string // a piece that may repeat all before it
	isWhole   bool   // doubt is a whole value itself
	total     bool   // pieces repeat all before them
	checker   jsonx.Checker
	begun     bool
	ended     bool
}

// whole reports whether the arguments are a whole value; of free text nobody can tell, so it is whole as soon as
// something else comes.
func (c *streamedCall) whole() bool {
	return c.kind == callwright.CustomTool || c.doubt == "" && c.checker.Complete()
}

// isComplete reports whether no further piece of the arguments can come. Of free text nobody can tell before the end of
// the answer.
func (c *streamedCall) isComplete() bool { return c.kind == callwright.FunctionTool && c.whole() }

// canBeComplete reports whether a call is complete if no further delta comes, although one may: a call of free text, or
// without arguments.
func (c *streamedCall) canBeComplete() bool {
	return c.kind == callwright.CustomTool || len(c.args) == 0
}

// take adds a piece of the arguments and reports whether it was found that pieces repeat all that came before.
func (c *streamedCall) take(piece string) (repeats bool) {
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

// canBeWhole reports whether the arguments are a whole value, or the last piece, which may repeat all before it, is
// one.
func (c *streamedCall) canBeWhole() bool { return c.whole() || c.isDoubtWhole() }

func (c *streamedCall) isDoubtWhole() bool { return c.doubt != "" && c.isWhole }

// decide ends a doubt by the fragment after it: where that begins another value, the whole one before it can be no
// part of the arguments. It reports whether it was found that pieces repeat all that came before.
func (c *streamedCall) decide(f fragment) (repeats bool) {
	if c.doubt == "" || !f.startsValue() || strings.HasPrefix(f.args, c.doubt) || !c.isDoubtWhole() {
		return false
	}
	piece := c.doubt
	c.doubt = ""
	return c.replace(piece)
}

// startsWith compares without a copy, and only where the text is long enough.
func startsWith(s string, b []byte) bool { return len(s) >= len(b) && s[:len(b)] == string(b) }

func (c *streamedCall) add(piece string) {
	_ = c.checker.FeedString(piece) // broken arguments are judged later
	c.args, c.last = append(c.args, piece...), piece
}

// replace takes a piece that repeats all before it.
func (c *streamedCall) replace(piece string) bool {
	repeats := !c.total
	c.total = true
	c.add(piece[len(c.args):])
	return repeats
}

// finalize decides a doubt at the end of the call: whichever reading is whole JSON.
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

// open reports whether a call has begun and not ended.
func (a *assembly) open() bool { return a.head < len(a.calls) && a.calls[a.head].begun }

// busy reports whether a call has not ended, begun or not.
func (a *assembly) busy() bool { return a.head < len(a.calls) }

// begin makes a new call.
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

// goOn takes the head of a further fragment of a call.
func (a *assembly) goOn(d *streamDecoder, c *streamedCall, f fragment) {
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
		c.name += strings.TrimPrefix(f.name, c.name) // which may repeat what came
	}
	c.nameOpen = c.nameOpen && !f.hasArgs
}

// pump emits the received part of the first call and, where another call waits behind a complete one, begins that one.
func (a *assembly) pump(d *streamDecoder) {
	for a.head < len(a.calls) {
		c := a.calls[a.head]
		waits := a.head+1 < len(a.calls)
		if c.name == "" || c.nameOpen && !waits {
			break
		}
		a.give(d, c)
		if !waits || !c.isComplete() {
			break
		}
		a.finish(d, c)
	}
}

// give emits the call's beginning and the arguments that were not emitted yet.
func (a *assembly) give(d *streamDecoder, c *streamedCall) {
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

// finish ends the first call, which has begun, and emits the calls that waited for it.
func (a *assembly) finish(d *streamDecoder, c *streamedCall) {
	c.ended = true
	a.head++
	d.out = append(append(d.out, callwright.CallEnd{Index: c.n}), d.late...)
	d.late = nil
}

// endHead ends the head for an event that is no part of a call, if the head is complete.
func (a *assembly) endHead(d *streamDecoder) bool {
	c := a.calls[a.head]
	if !c.isComplete() || a.head+1 < len(a.calls) {
		return false
	}
	a.finish(d, c)
	return true
}

// lastCanBeComplete reports whether the open call is the last one and can be complete.
func (a *assembly) lastCanBeComplete() bool {
	return a.head+1 == len(a.calls) && a.calls[a.head].canBeComplete()
}

// whole reports whether every call that has not ended is whole.
func (a *assembly) whole() bool {
	return !slices.ContainsFunc(a.calls[a.head:], func(c *streamedCall) bool { return !c.whole() })
}

// endsInName reports whether nothing came of the last call but its name.
func (a *assembly) endsInName() bool {
	return a.busy() && a.calls[len(a.calls)-1].name != "" && len(bytes.TrimSpace(a.calls[len(a.calls)-1].args)) == 0
}

// flush ends all calls. One that never got a name is none.
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
		d.end.lastCallCut = c.kind == callwright.FunctionTool && len(bytes.TrimSpace(c.args)) > 0 && !c.checker.Complete()
		a.give(d, c)
		a.finish(d, c)
	}
	d.end.hasCalls = len(a.calls) > 0
}

// drop takes out the head and counts those after it anew.
func (a *assembly) drop() {
	a.calls = append(a.calls[:a.head], a.calls[a.head+1:]...)
	for i := a.head; i < len(a.calls); i++ {
		a.calls[i].n = i
	}
}
