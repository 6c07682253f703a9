package callwright

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// An answer takes the events of one attempt through normalising and judging: reasoning is split off, calls written as text
// are found, every call is judged. A whole answer is the same events fed at once. What is handed on is never taken back.
type answer struct {
	s        *surface
	model    ModelID // that is asked
	l        *ledger
	j        *judge
	q        queue
	text     textReader
	choice   Choice
	single   bool // at most one call
	hold     bool // native calls wait until they are judged
	asked    bool // a call was demanded in words: text in its place would be in the way of another attempt
	mode     caps.Mode
	maxOut   int  // the output limit that was asked for, 0 without
	started  bool // the client has seen the beginning of an answer
	began    bool
	mute     bool              // text has been sent by an earlier attempt: this one's is left out
	framed   WireName          // the wire that the answer's bytes came over
	spoken   WireName          // the client's wire, "" for a caller in Go
	noFrames bool              // the bytes of frames are no longer good
	lens     map[string]string // names as sent to the declared names
	form     *form             // of the text that is wanted, nil for any
	direct   func(Event) bool  // policies off and observe: every event goes to the client as it came
	tries    int
	size     int    // of what came, as costOf counts it
	noted    int    // notes already reported
	fromText int    // calls taken from the text
	format   string // in which the first of them was written

	cur      *nativeCall
	free     *nativeCall   // the last call, when it has flowed and is free text: only the end tells whether it was cut
	short    *nativeCall   // a call that has flowed and breaks off: only the end tells why
	native   []*nativeCall // not judged yet
	found    []*dialect.Call
	rejected []dialect.Item
	good     []Call
	invalid  []InvalidCall
	sent     int                  // calls handed on
	ids      func(id string) bool // ids in use before this answer
	own      map[string]bool      // ids of this answer
	changed  bool                 // a native call had to be changed

	whole     *collector // all that came, for an answer that goes on after a pause; nil where the client itself knows pauses
	visible   strings.Builder
	reasoning strings.Builder
	usage     Usage
	end       *End
	endSlot   int
	tail      []Event // what goes before the End: calls found in the text, and what was read at the end
	moreWork  *bool
	scratch   bool // the answer was a scratchpad alone
	misfit    bool // it is not the document that was asked for in words
	opaque    bool // a part came that only its wire understands
	err       *Error
}

// maxReasoning bounds the reasoning that is kept to look for calls in it.
const maxReasoning = 1 << 20

// take is feed behind the policy: where nothing may be changed, events go on as they came and the answer only looks.
func (a *answer) take(ev Event) bool {
	ev = stamped(ev, a.model)
	if a.direct == nil {
		return !a.over(ev) && a.feed(ev)
	}
	if !a.direct(ev) {
		return false
	}
	if a.l.policy == Observe {
		if _, ok := ev.(Frame); !ok && !a.over(ev) {
			a.feed(ev)
		}
		a.err = nil
	} else if end, ok := ev.(End); ok {
		a.end = &end
	}
	return true
}

// feed takes one event. After it returned false nothing more is wanted: the receiver stopped, or err is set.
func (a *answer) feed(ev Event) bool {
	if a.whole != nil {
		a.whole.add(ev)
	}
	switch ev := ev.(type) {
	case Frame:
		a.frame(ev)
		return !a.q.stopped
	case Flush:
		a.flush(ev)
		return a.err == nil && !a.q.stopped
	case Noted:
		a.l.add(ev.Note)
		return true
	case Begin:
		a.began = true
		if a.started { // a further attempt: the client has seen the beginning
			a.q.settle(a.q.put(ev, waiting), dropped)
		} else {
			a.q.put(ev, ready)
		}
	case TextDelta:
		a.text.feed(ev)
	case ReasoningDelta:
		if a.reasoning.Len() < maxReasoning {
			a.reasoning.WriteString(ev.Text)
		}
		a.q.put(ev, ready)
	case CallBegin:
		a.beginCall(ev)
	case CallDelta:
		a.delta(ev)
	case CallEnd:
		a.endCall(a.q.put(ev, waiting))
	case UsageDelta:
		a.usage = a.usage.Merge(ev.Usage)
		a.q.put(ev, ready)
	case OpaquePart:
		a.opaque = true
		a.q.put(ev, ready)
	case End:
		a.end, a.endSlot = &ev, a.q.put(ev, waiting)
	default:
		a.q.put(ev, ready)
	}
	if a.q.open == nil || a.q.open.left == 0 {
		a.q.release()
	}
	return a.err == nil && !a.q.stopped
}

// frame takes the provider's own bytes for the events that follow.
func (a *answer) frame(f Frame) {
	if a.framed = f.Wire; f.Wire == a.spoken {
		a.whole = nil
	}
	if a.noFrames {
		a.q.touched = true
		return
	}
	a.q.begin(f)
}

// flush hands on what can go, and the flush itself where nothing waits.
func (a *answer) flush(ev Flush) {
	a.flow()
	a.q.release()
	if a.err == nil && !a.q.stopped && len(a.q.slots) == 0 {
		a.q.hand(ev)
	}
}

func (a *answer) beginCall(ev CallBegin) {
	a.text.close()
	a.endCall(-1)
	a.free = nil
	if name, ok := a.lens[ev.Name]; ok {
		ev.Name = name
	}
	a.cur = &nativeCall{begin: ev}
	a.cur.slots = append(a.cur.slots, a.q.put(ev, waiting))
}

// A nativeCall is a call that came in the provider's own form.
type nativeCall struct {
	begin  CallBegin
	text   []byte
	slots  []int
	check  jsonx.Checker
	bad    bool // the pieces so far are no prefix of JSON
	flowed bool // pieces of it have been handed on
	hold   bool
}

// promising tells whether the arguments have come so far that what usually breaks them would have shown: what stands behind
// the first brace is single quotes and bare words there, while a brace alone could still be mended unseen.
func (n *nativeCall) promising() bool {
	return n.begin.Type == Custom || len(bytes.TrimSpace(n.text)) > 1
}

func (n *nativeCall) claim() *claim {
	return &claim{
		id: n.begin.ID, name: n.begin.Name, callType: n.begin.Type, text: string(n.text),
		call: Call{Signature: n.begin.Signature, Origin: n.begin.Origin},
	}
}

func (a *answer) delta(ev CallDelta) {
	at := a.q.put(ev, waiting)
	n := a.cur
	if n == nil {
		a.q.settle(at, dropped)
		return
	}
	n.text = append(n.text, ev.Text...)
	n.slots = append(n.slots, at)
	if n.begin.Type != Custom && !n.bad && n.check.FeedString(ev.Text) != nil {
		n.bad = true
	}
	if n.bad && n.flowed {
		a.broke(n)
	}
}

// flow lets the pieces of the open call go on where it is allowed and sound so far.
func (a *answer) flow() {
	n := a.cur
	if n == nil || a.hold || n.hold || len(a.native) > 0 || a.err != nil {
		return
	}
	if !n.flowed && !a.mayFlow(n) || n.bad && !n.flowed {
		n.hold = true
		return
	}
	if !n.flowed && !n.promising() {
		return
	}
	if n.begin.Type != Custom && n.check.Complete() && !a.j.pass(n.claim()) {
		if n.flowed {
			a.broke(n)
		} else {
			n.hold = true
		}
		return
	}
	n.flowed = true
	for _, at := range n.slots {
		a.q.settle(at, ready)
	}
	n.slots = n.slots[:0]
}

// mayFlow tells whether a call is, so far, one that can be handed on as it comes.
func (a *answer) mayFlow(n *nativeCall) bool {
	tg := a.s.byName[n.begin.Name]
	return tg != nil && n.begin.ID != "" && !a.taken(n.begin.ID) && n.begin.Index == a.sent &&
		(tg.tool.Type == CustomTool) == (n.begin.Type == Custom) && a.allowed(n.begin.Name) == ""
}

// broke ends the answer: a call that clients have seen the beginning of turned out to be wrong.
func (a *answer) broke(n *nativeCall) {
	a.changed = true
	c := n.claim()
	c.cut = n == a.free
	a.invalid = append(a.invalid, a.j.rule(c).Invalid)
	a.err = errorf("judge", KindInvalidCall, "", "the arguments of %s turned out to be invalid after a part had been sent; "+
		"the next answer of this model is held until it is judged", n.begin.Name)
}

// refused ends an answer that the model refused to go on with inside a call whose beginning clients have seen.
func (a *answer) refused(n *nativeCall) {
	a.err = errorf("answer", KindContentFilter, "", "the model refused to go on in the middle of a call of %s", n.begin.Name)
}

// endCall closes the open call; at is the number of its CallEnd, -1 without one.
func (a *answer) endCall(at int) {
	n := a.cur
	a.cur = nil
	if n == nil {
		if at >= 0 {
			a.q.settle(at, dropped)
		}
		return
	}
	if at >= 0 {
		n.slots = append(n.slots, at)
	}
	free := n.begin.Type == Custom
	if !n.flowed && (free || a.form != nil || len(a.native) > 0 || !a.mayFlow(n)) || !a.j.pass(n.claim()) {
		switch {
		case n.flowed && !n.bad && !n.check.Complete() && a.short == nil:
			a.short = n
			return
		case n.flowed:
			a.broke(n)
			return
		}
		a.native = append(a.native, n) // judged at the end, when it is known why the answer ended
		return
	}
	if free {
		a.free = n
	}
	a.accept(n, a.callOf(n), at)
}

func (a *answer) callOf(n *nativeCall) Call {
	c := Call{ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Signature: n.begin.Signature, Origin: n.begin.Origin}
	if c.Type == Custom {
		c.Input = string(n.text)
	} else {
		c.Arguments, c.Unvalidated = n.text, a.j.unvalidated
	}
	return c
}

// accept hands a native call on as it came.
func (a *answer) accept(n *nativeCall, call Call, end int) {
	a.keepCall(call)
	for _, at := range n.slots {
		if at == end {
			a.q.slots[at-a.q.base].ev = CallEnd{Index: n.begin.Index, Call: &call}
		}
		a.q.settle(at, ready)
	}
}

func (a *answer) keepCall(call Call) {
	a.good = append(a.good, call)
	a.sent++
	if a.own == nil {
		a.own = map[string]bool{}
	}
	a.own[call.ID] = true
}

func (a *answer) taken(id string) bool { return a.own[id] || a.ids != nil && a.ids(id) }

// allowed says which guarantee a call of this tool breaks, "" for none.
func (a *answer) allowed(name string) string {
	switch {
	case a.choice.Mode == None:
		return "guarantee.choice_none"
	case a.single && a.sent > 0:
		return "guarantee.one_call"
	case !offered(a.choice, name):
		return "guarantee.not_allowed"
	}
	return ""
}

// eventsOf is the last call handed on as events, written anew.
func (a *answer) eventsOf(call Call) []Event {
	i := a.sent - 1
	text := string(call.Arguments)
	if call.Type == Custom {
		text = call.Input
	}
	return []Event{
		CallBegin{Index: i, ID: call.ID, Name: call.Name, Type: call.Type, Signature: call.Signature, Origin: call.Origin},
		CallDelta{Index: i, Text: text},
		CallEnd{Index: i, Call: &call},
	}
}

// say adds an event of our own, behind what came so far but before the End.
func (a *answer) say(ev Event) {
	if a.end != nil {
		a.tail = append(a.tail, ev)
		return
	}
	a.q.insert(ev)
}
