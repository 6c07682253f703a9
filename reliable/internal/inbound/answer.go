package inbound

import (
	"bytes"
	"errors"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// An answer takes the events of one attempt through normalising and judging: reasoning is split off, calls written as text
// are found, every call is judged. A whole answer is the same events fed at once. What is handed on is never taken back.
type Answer struct {
	Setup
	j     *judge.Judge
	q     queue
	text  textReader
	Began bool
	sent  int             // calls handed on
	own   map[string]bool // ids of this answer
	size  int             // of what came, as costOf counts it

	cur      *nativeCall
	free     *nativeCall   // the last call, when it has flowed and is free text: only the end reports whether it was cut
	short    *nativeCall   // a call that has flowed and breaks off: only the end tells why
	native   []*nativeCall // not judged yet
	found    []*dialect.Call
	rejected []dialect.Item
	endSlot  int
	tail     []callwright.Event // what goes before the End: calls found in the text, and what was read at the end

	// What it came to.
	Good      []callwright.Call
	Invalid   []callwright.InvalidCall
	Visible   strings.Builder
	Reasoning strings.Builder
	Usage     callwright.Usage
	End       *callwright.End
	Err       *callwright.Error
	Whole     *callwright.Collector // all that came, for an answer that goes on after a pause; nil where the client itself knows pauses
	Framed    callwright.WireName   // the wire that the answer's bytes came over
	Tries     int
	Noted     int    // notes already reported
	FromText  int    // calls taken from the text
	Format    string // in which the first of them was written
	Changed   bool   // a native call had to be changed
	MoreWork  *bool
	Scratch   bool // the answer was a scratchpad alone
	Misfit    bool // it is not the document that was asked for in words
	opaque    bool // a part came that only its wire understands
}

// A setup says how one answer is read, and where it goes.
type Setup struct {
	Surface   *judge.Toolset
	Ledger    *judge.Ledger
	Mint      func(prefix string) string
	TakenIDs  func(id string) bool        // ids in use before this answer
	Out       func(callwright.Event) bool // takes what is handed on; false: no more is wanted
	Direct    bool                        // policies off and observe: every event goes to out as it came
	Model     callwright.ModelID          // that is asked
	Mode      caps.Mode
	Choice    callwright.Choice
	Single    bool                // at most one call
	Hold      bool                // native calls wait until they are judged
	Asked     bool                // a call was demanded in words: text in its place would be in the way of another attempt
	MaxOutput int                 // the output limit that was asked for, 0 without
	Handed    int                 // calls handed on by earlier attempts
	Started   bool                // the client has seen the beginning of an answer
	Mute      bool                // text has been sent by an earlier attempt: this one's is left out
	NoFrames  bool                // the bytes of frames are no longer good
	Wire      callwright.WireName // the client's wire, "" for a caller in Go
	Names     map[string]string   // names as sent to the declared names
	Form      *Form               // of the text that is wanted, nil for any
	Scan      func() dialect.Options
	TextOff   bool // text is not read: no tools, or switched off
	Document  bool // the text is one JSON document (modes json_schema, json_object)
}

// newAnswer makes the taker of one attempt's answer.
func New(set Setup) *Answer {
	a := &Answer{Setup: set, sent: set.Handed, Whole: &callwright.Collector{}}
	a.j = &judge.Judge{Toolset: set.Surface, Ledger: set.Ledger, Unvalidated: set.Mode == caps.Parsed, Mint: set.Mint, Taken: a.taken}
	a.q.held = set.Asked || set.Form != nil && set.Form.Said
	a.q.out = set.Out
	if set.Direct {
		a.q.out = func(callwright.Event) bool { return true }
	}
	a.text = textReader{a: a, off: set.TextOff, whole: set.Document, make: set.Scan}
	return a
}

// stopped reports whether the receiver wants no more, shown whether it was handed anything that a client shows, spoke whether it was
// handed text, and touched whether it was handed anything that did not come that way.
func (a *Answer) Stopped() bool { return a.q.stopped }
func (a *Answer) Shown() bool   { return a.q.visible }
func (a *Answer) Spoke() bool   { return a.q.spoke }
func (a *Answer) Touched() bool { return a.q.touched }

// uncalled reports whether nothing of a call has been handed on.
func (a *Answer) Uncalled() bool { return a.sent == 0 && (a.cur == nil || !a.cur.flowed) }

// recover reads the text inside a refusal like an answer: its calls are judged, and without any it is what the model said.
// A native call that had begun and was not handed on is forgotten.
func (a *Answer) Recover(e *callwright.Error) {
	a.Ledger.Add(callwright.Note{Rule: "recovered.text", Stage: callwright.StageNormalise, Was: e.Recovered, Why: e.Message})
	a.q.open = nil // the frame that the refusal broke off
	if a.cur != nil {
		for _, at := range a.cur.slots {
			a.q.settle(at, dropped)
		}
	}
	if !a.Began {
		_, name := a.Model.Split()
		a.feed(callwright.Begin{Model: name})
	}
	a.NoFrames, a.cur = true, nil
	if e.Recovered == "" { // it was streamed before
		a.feed(callwright.End{Finish: callwright.FinishMalformedCall})
		return
	}
	a.Mute = a.Mute || a.q.spoke // what was said before is said again here
	a.feed(callwright.TextDelta{Text: e.Recovered})
	a.feed(callwright.End{Finish: callwright.FinishStop})
}

// maxReasoning bounds the reasoning that is kept to look for calls in it.
const maxReasoning = 1 << 20

// take is feed behind the policy: where nothing may be changed, events go on as they came and the answer only looks.
func (a *Answer) Take(ev callwright.Event) bool {
	ev = stamped(ev, a.Model)
	if !a.Direct {
		return !a.over(ev) && a.feed(ev)
	}
	if !a.Out(ev) {
		return false
	}
	if a.Ledger.Policy == callwright.PolicyObserve {
		if _, ok := ev.(callwright.Frame); !ok && !a.over(ev) {
			a.feed(ev)
		}
		a.Err = nil
	} else if end, ok := ev.(callwright.End); ok {
		a.End = &end
	}
	return true
}

// feed takes one event. After it returned false nothing more is wanted: the receiver stopped, or err is set.
func (a *Answer) feed(ev callwright.Event) bool {
	if a.Whole != nil {
		a.Whole.Add(ev)
	}
	switch ev := ev.(type) {
	case callwright.Frame:
		a.frame(ev)
		return !a.q.stopped
	case callwright.Flush:
		a.flush(ev)
		return a.Err == nil && !a.q.stopped
	case callwright.Noted:
		a.Ledger.Add(ev.Note)
		return true
	case callwright.Begin:
		a.Began = true
		if a.Started { // a further attempt: the client has seen the beginning
			a.q.settle(a.q.put(ev, waiting), dropped)
		} else {
			a.q.put(ev, ready)
		}
	case callwright.TextDelta:
		a.text.feed(ev)
	case callwright.ReasoningDelta:
		if a.Reasoning.Len() < maxReasoning {
			a.Reasoning.WriteString(ev.Text)
		}
		a.q.put(ev, ready)
	case callwright.CallBegin:
		a.beginCall(ev)
	case callwright.CallDelta:
		a.delta(ev)
	case callwright.CallEnd:
		a.endCall(a.q.put(ev, waiting))
	case callwright.UsageDelta:
		a.Usage = a.Usage.Merge(ev.Usage)
		a.q.put(ev, ready)
	case callwright.OpaquePart:
		a.opaque = true
		a.q.put(ev, ready)
	case callwright.End:
		a.End, a.endSlot = &ev, a.q.put(ev, waiting)
	default:
		a.q.put(ev, ready)
	}
	if a.q.open == nil || a.q.open.left == 0 {
		a.q.release()
	}
	return a.Err == nil && !a.q.stopped
}

// frame takes the provider's own bytes for the events that follow.
func (a *Answer) frame(f callwright.Frame) {
	if a.Framed = f.Wire; f.Wire == a.Wire {
		a.Whole = nil
	}
	if a.NoFrames {
		a.q.touched = true
		return
	}
	a.q.begin(f)
}

// flush hands on what can go, and the flush itself where nothing waits.
func (a *Answer) flush(ev callwright.Flush) {
	a.flow()
	a.q.release()
	if a.Err == nil && !a.q.stopped && len(a.q.slots) == 0 {
		a.q.hand(ev)
	}
}

func (a *Answer) beginCall(ev callwright.CallBegin) {
	a.text.close()
	a.endCall(-1)
	a.free = nil
	if name, ok := a.Names[ev.Name]; ok {
		ev.Name = name
	}
	a.cur = &nativeCall{begin: ev}
	a.cur.slots = append(a.cur.slots, a.q.put(ev, waiting))
}

// A nativeCall is a call that came in the provider's own form.
type nativeCall struct {
	begin  callwright.CallBegin
	text   []byte
	slots  []int
	check  jsonx.Checker
	bad    bool // the pieces so far are no prefix of JSON
	flowed bool // pieces of it have been handed on
	hold   bool
}

// promising reports whether the arguments have come so far that what usually breaks them would have shown: what stands behind
// the first brace is single quotes and bare words there, while a brace alone could still be mended unseen.
func (n *nativeCall) promising() bool {
	return n.begin.Type == callwright.CustomTool || len(bytes.TrimSpace(n.text)) > 1
}

func (n *nativeCall) claim() *judge.Candidate {
	return &judge.Candidate{
		ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Text: string(n.text),
		Call: callwright.Call{Signature: n.begin.Signature, Origin: n.begin.Origin},
	}
}

func (a *Answer) delta(ev callwright.CallDelta) {
	at := a.q.put(ev, waiting)
	n := a.cur
	if n == nil {
		a.q.settle(at, dropped)
		return
	}
	n.text = append(n.text, ev.Text...)
	n.slots = append(n.slots, at)
	if n.begin.Type != callwright.CustomTool && !n.bad && n.check.FeedString(ev.Text) != nil {
		n.bad = true
	}
	if n.bad && n.flowed {
		a.broke(n)
	}
}

// flow lets the pieces of the open call go on where it is allowed and sound so far.
func (a *Answer) flow() {
	n := a.cur
	if n == nil || a.Hold || n.hold || len(a.native) > 0 || a.Err != nil {
		return
	}
	if !n.flowed && !a.mayFlow(n) || n.bad && !n.flowed {
		n.hold = true
		return
	}
	if !n.flowed && !n.promising() {
		return
	}
	if n.begin.Type != callwright.CustomTool && n.check.Complete() && !a.j.Pass(n.claim()) {
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

// mayFlow reports whether a call is, so far, one that can be handed on as it comes.
func (a *Answer) mayFlow(n *nativeCall) bool {
	tg := a.Surface.ByName[n.begin.Name]
	return tg != nil && n.begin.ID != "" && !a.taken(n.begin.ID) && n.begin.Index == a.sent &&
		(tg.Tool.Type == callwright.CustomTool) == (n.begin.Type == callwright.CustomTool) && a.allowed(n.begin.Name) == ""
}

// broke ends the answer: a call that clients have seen the beginning of turned out to be wrong.
func (a *Answer) broke(n *nativeCall) {
	a.Changed = true
	c := n.claim()
	c.Cut = n == a.free
	a.Invalid = append(a.Invalid, a.j.Rule(c).Invalid)
	a.Err = callwright.Errorf("judge", callwright.KindInvalidCall, "", "the arguments of %s turned out to be invalid after a part had been sent; "+
		"the next answer of this model is held until it is judged", n.begin.Name)
}

// refused ends an answer that the model refused to go on with inside a call whose beginning clients have seen.
func (a *Answer) refused(n *nativeCall) {
	a.Err = callwright.Errorf("answer", callwright.KindContentFilter, "", "the model refused to go on in the middle of a call of %s", n.begin.Name)
}

// endCall closes the open call; at is the number of its CallEnd, -1 without one.
func (a *Answer) endCall(at int) {
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
	free := n.begin.Type == callwright.CustomTool
	if !n.flowed && (free || a.Form != nil || len(a.native) > 0 || !a.mayFlow(n)) || !a.j.Pass(n.claim()) {
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

func (a *Answer) callOf(n *nativeCall) callwright.Call {
	c := callwright.Call{ID: n.begin.ID, Name: n.begin.Name, Type: n.begin.Type, Signature: n.begin.Signature, Origin: n.begin.Origin}
	if c.Type == callwright.CustomTool {
		c.Input = string(n.text)
	} else {
		c.Arguments, c.Unvalidated = n.text, a.j.Unvalidated
	}
	return c
}

// accept hands a native call on as it came.
func (a *Answer) accept(n *nativeCall, call callwright.Call, end int) {
	a.keepCall(call)
	for _, at := range n.slots {
		if at == end {
			a.q.slots[at-a.q.base].ev = callwright.CallEnd{Index: n.begin.Index, Call: &call}
		}
		a.q.settle(at, ready)
	}
}

func (a *Answer) keepCall(call callwright.Call) {
	a.Good = append(a.Good, call)
	a.sent++
	if a.own == nil {
		a.own = map[string]bool{}
	}
	a.own[call.ID] = true
}

func (a *Answer) taken(id string) bool { return a.own[id] || a.TakenIDs != nil && a.TakenIDs(id) }

// allowed says which guarantee a call of this tool breaks, "" for none.
func (a *Answer) allowed(name string) string {
	switch {
	case a.Choice.Mode == callwright.ChoiceNone:
		return "guarantee.choice_none"
	case a.Single && a.sent > 0:
		return "guarantee.one_call"
	case !a.Choice.Allows(name):
		return "guarantee.not_allowed"
	}
	return ""
}

// eventsOf is the last call handed on as events, written anew.
func (a *Answer) eventsOf(call callwright.Call) []callwright.Event {
	i := a.sent - 1
	text := string(call.Arguments)
	if call.Type == callwright.CustomTool {
		text = call.Input
	}
	return []callwright.Event{
		callwright.CallBegin{Index: i, ID: call.ID, Name: call.Name, Type: call.Type, Signature: call.Signature, Origin: call.Origin},
		callwright.CallDelta{Index: i, Text: text},
		callwright.CallEnd{Index: i, Call: &call},
	}
}

// say adds an event of our own, behind what came so far but before the End.
func (a *Answer) say(ev callwright.Event) {
	if a.End != nil {
		a.tail = append(a.tail, ev)
		return
	}
	a.q.insert(ev)
}

// stamped is the event with the model asked as the origin of its opaque state, where nothing says another.
func stamped(ev callwright.Event, m callwright.ModelID) callwright.Event {
	switch e := ev.(type) {
	case callwright.ReasoningEnd:
		if e.Origin.Model == "" && (e.Signature != "" || e.Redacted != "" || e.ID != "" || e.Extra.HasValues()) {
			e.Origin.Model = m
			return e
		}
	case callwright.CallBegin:
		if e.Origin.Model == "" && e.Signature != "" {
			e.Origin.Model = m
			return e
		}
	}
	return ev
}

// triesOf is how often a provider was asked, as it says itself.
func TriesOf(rep *callwright.Report) int {
	if rep == nil || len(rep.Attempts) == 0 {
		return 1
	}
	return max(rep.Attempts[0].Tries, 1)
}

// failedWith takes over what an error tells of the request that came to it: its notes where they were not told before.
func (a *Answer) FailedWith(err error, told bool) {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Report == nil {
		return
	}
	a.Tries = TriesOf(e.Report)
	if told {
		return
	}
	for _, n := range e.Report.Notes {
		a.Ledger.Add(n)
	}
}
