package inbound

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/reliable/internal/askedform"
	"github.com/callwright/callwright/reliable/internal/clientform"
	"github.com/callwright/callwright/reliable/internal/document"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/form"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// A Setup has the configuration and the receivers of one answer.
type Setup struct {
	Toolset *judge.Toolset
	Ledger  *judge.Ledger
	Mint    func(prefix string) string
	Attempt Attempt // required
	// Out takes the batches for the client. It returns false to stop the answer.
	Out func(callwright.Batch) bool

	Model     callwright.ModelID // the model that was asked
	Mode      caps.Mode
	Choice    callwright.Choice
	Sent      judge.Sent // how the tools were sent, where that is not how they are declared
	MaxOutput int        // the output limit of the request, 0 without
	Calls     CallLimits
	Form      *form.Form // the form in which the text is wanted, nil for any text
	// ChoiceInPrompt says that the prompt demands a call. Nothing is handed on until one was made: a text in its place
	// is followed by another attempt.
	ChoiceInPrompt bool

	Progress *progress.Progress // is told of each batch; nil for none

	Start       opening.Start // how the text begins, by what is known of the model
	WantsWhole  bool          // the client takes a whole answer, and got nothing before
	Passthrough bool          // policies off and observe: every batch is handed on as it came
	HoldCalls   bool          // native calls are handed on when they are judged, never in pieces
	TextOff     bool          // text is not searched for calls: no tools, or switched off
	Document    bool          // the text is one JSON document (modes json_schema, json_object)
	NoBytes     bool          // the bytes of batches are left out: they do not fit this request

	ClientWire  callwright.WireName // the client's wire, "" for a caller in Go
	ClientIDs   caps.IDRule         // the ids that the client can hand back
	ClientBegun bool                // the client was handed the beginning of an answer by an earlier attempt
	EarlierText bool                // the client was handed text before
	Earlier     []callwright.Call   // the calls that the client was handed before: they are not handed on again
}

// An Attempt is the request that an answer is for.
type Attempt interface {
	judge.Attempt
	// ScanOptions returns the options of the search for calls in the text.
	ScanOptions() dialect.Options
}

// CallLimits bound the calls of an answer, 0 without limit.
type CallLimits struct {
	Allowed int // further ones are left out
	Known   int // the most that the model is known to make; more are noted
}

// An Answer takes the events of one attempt and hands on the events for the client: reasoning is split off the text,
// calls written as text are found, every call is validated. A whole answer is one batch. Events that were handed on are
// never taken back. Take every batch, then Finalize, then ReleaseEnd or ReleaseWithoutEnd; or TakeWhole, where it can.
// Not safe for concurrent use.
type Answer struct {
	Setup   Setup                // what is given
	Outcome Outcome              // what it has come to
	Whole   *callwright.Response // the answer where it was taken whole, nil otherwise

	judge        judge.Judge
	queue        eventqueue.Queue
	reader       textReader
	nativeCalls  nativeCalls
	writtenCalls writtenCalls
	clientForm   clientform.Form
	asked        askedform.Form
	size         int // bytes that came, as eventqueue.CostOf counts them
	endSlot      int // the slot of the End
	end          callwright.End
	finish       callwright.Finish // of the End that is handed on
	calls        int32             // how many calls came, natively or in text
	textBegan    bool              // text came that is not only white space
	refuses      bool              // the text says that it is a refusal: no form is expected of it
	fence        document.Fence    // of the visible text, as far as it may be arguments alone
	notLone      bool              // it is not
	refusedCall  bool              // the text is that of a call, as the provider says that refused it
	beforeEnd    []callwright.Event
	underWay     underWay
}

// callCount returns the number of calls that the client has or gets, those of earlier attempts included.
func (a *Answer) callCount() int { return len(a.Setup.Earlier) + len(a.Outcome.Good) }

// New makes an Answer for one attempt.
func New(set Setup) *Answer {
	a := &Answer{}
	a.Init(set)
	return a
}

// Init makes a zero Answer one for an attempt.
func (a *Answer) Init(set Setup) {
	a.Setup = set
	if set.Document {
		a.Setup.Start = opening.AsText // the document is found wherever it begins
	}
	a.clientForm = clientform.Form{Wire: set.ClientWire, IDs: set.ClientIDs, Toolset: set.Toolset, Ledger: set.Ledger, Mint: set.Mint}
	a.judge = judge.Judge{Toolset: set.Toolset, Ledger: set.Ledger, Unvalidated: set.Mode == caps.Parsed, Undo: set.Sent.Undo,
		Mint: set.Mint, Attempt: set.Attempt}
	a.asked = askedform.Form{Ledger: set.Ledger, InText: set.Mode != caps.Native ||
		set.Sent.InText, Formats: set.Sent.Asked, Attempt: set.Attempt}
	a.queue.HoldAll = set.ChoiceInPrompt || set.Form != nil && set.Form.InPrompt
	a.queue.Out, a.queue.Delivered = set.Out, &a.Outcome.Delivered.Progress
	if set.Passthrough {
		a.queue.Out = func(callwright.Batch) bool { return true }
	}
	a.reader = textReader{a: a, off: set.TextOff, document: set.Document, start: a.Setup.Start}
}

// TransformCalls has each call changed before it is judged, see [judge.Judge]; nil changes none. It is called before
// any event is taken.
func (a *Answer) TransformCalls(f func(callwright.Call) (callwright.Call, []callwright.Note, error)) {
	a.judge.Transform = f
}

// CheckCalls has the call rules of the configuration look at each valid call; nil: none does. It is called before any
// event is taken.
func (a *Answer) CheckCalls(rules callcheck.Check) { a.judge.Rules = rules }

// Preview looks at a whole answer before it is taken: where a mark ends reasoning that nothing opened, and more is said
// after it, the text begins in reasoning. Of a stream nobody knows before the mark comes, and text that was handed on
// stays.
func (a *Answer) Preview(batches []callwright.Batch) {
	a.queue.HoldAll = a.queue.HoldAll || a.Setup.Form.Mends()
	if a.Setup.Passthrough || a.Setup.TextOff || a.Setup.Document || a.Setup.Start != opening.AsText {
		return
	}
	var text strings.Builder
	for _, b := range batches {
		for _, ev := range b.Events {
			if t, ok := ev.(callwright.TextDelta); ok {
				text.WriteString(t.Text)
			}
		}
	}
	a.reader.start = opening.OfWhole(text.String(), a.Setup.Attempt.ScanOptions)
}

// maxReasoning bounds the reasoning that is kept to search it for calls.
const maxReasoning = 1 << 20

// Take takes the next batch. Under the policies that change nothing it is handed on as it came, and the answer is only
// observed. Take returns false when no more is wanted: the client stopped, or Err is set.
func (a *Answer) Take(b callwright.Batch) bool {
	more := a.take(b)
	if a.Setup.Progress != nil {
		a.track(&b)
	}
	return more
}

// take is Take without telling anybody.
func (a *Answer) take(b callwright.Batch) bool {
	if !a.Setup.Passthrough {
		return a.feed(b)
	}
	for i, ev := range b.Events {
		b.Events[i] = withOrigin(ev, a.Setup.Model)
	}
	a.Outcome.Delivered.Changed = a.clientForm.Apply(&b) || a.Outcome.Delivered.Changed
	if !a.Setup.Out(b) {
		return false
	}
	switch {
	case a.Setup.Ledger.Policy == callwright.PolicyObserve:
		a.feed(b)
		a.Outcome.Err = nil
	default:
		a.Outcome.AnswerWire = cmp.Or(b.Wire, a.Outcome.AnswerWire)
		for _, ev := range b.Events {
			if end, ok := ev.(callwright.End); ok {
				a.Outcome.End = &end
			}
		}
	}
	return true
}

// feed takes one batch under the policy heal. Its result is that of Take.
func (a *Answer) feed(b callwright.Batch) bool {
	a.Outcome.AnswerWire = cmp.Or(b.Wire, a.Outcome.AnswerWire)
	if b.Raw != nil && b.Wire == a.Setup.ClientWire {
		a.Outcome.Collected = nil // the client gets its own API's answer
	}
	if b.Raw != nil && a.Setup.NoBytes {
		b.Wire, b.Raw, b.Hint, a.Outcome.Delivered.Changed = "", nil, nil, true
	}
	if len(b.Events) == 0 && a.over(len(b.Raw)) {
		return false
	}
	a.queue.Open(b)
	for _, ev := range b.Events {
		a.event(withOrigin(ev, a.Setup.Model))
		if a.Outcome.Err != nil || a.Outcome.Delivered.Stopped {
			break
		}
	}
	a.queue.Close()
	for _, n := range b.Notes {
		a.Setup.Ledger.Add(n)
	}
	if a.Outcome.Err == nil {
		if !b.More {
			a.streamOpenCall()
			a.reader.flush()
		}
		a.queue.Release(!b.More)
	}
	return a.Outcome.Err == nil && !a.Outcome.Delivered.Stopped
}

// feedEvents takes events of our own.
func (a *Answer) feedEvents(events ...callwright.Event) {
	a.feed(callwright.Batch{Events: events, More: true})
}

// event takes one event.
func (a *Answer) event(ev callwright.Event) {
	if a.over(eventqueue.CostOf(ev)) {
		return
	}
	if a.Outcome.Collected != nil {
		a.Outcome.Collected.Add(ev)
	}
	switch e := ev.(type) { // ev is put as it is: a copy of e would be made on the heap
	case callwright.Begin:
		a.Outcome.Begun, a.Outcome.Opening = true, e
		if a.Setup.ClientBegun { // a further attempt
			a.queue.Resolve(a.queue.Put(ev, eventqueue.Held), eventqueue.Dropped)
		} else {
			a.queue.Put(ev, eventqueue.Ready)
		}
	case callwright.TextBegin:
		a.refuses = a.refuses || (callwright.Text{Extra: e.Extra}).IsRefusal()
		a.queue.Put(ev, eventqueue.Ready)
	case callwright.TextDelta:
		if strings.TrimSpace(e.Text) != "" {
			a.settle()
		}
		a.reader.feed(ev, e.Text)
	case callwright.ReasoningDelta:
		a.settle()
		a.reader.reasonsApart()
		if a.Outcome.Reasoning.Len() < maxReasoning {
			a.Outcome.Reasoning.WriteString(e.Text)
		}
		a.queue.Put(ev, eventqueue.Ready)
	case callwright.CallBegin:
		if !a.tooMany() {
			a.beginCall(e)
		}
	case callwright.CallDelta:
		a.delta(ev, e.Text)
	case callwright.CallEnd:
		a.endCall(a.queue.Put(ev, eventqueue.Held))
	case callwright.UsageDelta:
		a.Outcome.Usage = a.Outcome.Usage.Merge(e.Usage)
		a.queue.Put(ev, eventqueue.Ready)
	case callwright.OpaquePart, callwright.MediaPart:
		a.Outcome.hasOther = true
		a.queue.Put(ev, eventqueue.Ready)
	case callwright.End:
		a.end = e
		a.Outcome.End, a.endSlot = &a.end, a.queue.Put(ev, eventqueue.Held)
	default:
		a.queue.Put(ev, eventqueue.Ready)
	}
}

// keepCall adds a call to the outcome.
func (a *Answer) keepCall(call callwright.Call) {
	if a.Outcome.Good == nil {
		a.Outcome.Good = make([]callwright.Call, 0, 2) // most answers have no more
	}
	a.Outcome.Good = append(a.Outcome.Good, call)
	if known := a.Setup.Calls.Known; known > 0 && a.callCount() == known+1 {
		a.Setup.Ledger.Add(callwright.Note{Rule: "judge.many_calls", Stage: callwright.StageValidate, Call: call.Name,
			Was: "calls: " + strconv.Itoa(a.Setup.Calls.Known)})
	}
	a.judge.Used.Add(call.ID)
}

// brokenGuarantee is the rule that a call of this tool breaks, "" for none.
func (a *Answer) brokenGuarantee(name string) string {
	switch {
	case a.Setup.Toolset.Withheld[name] != nil: // the client refuses it
		return ""
	case a.Setup.Choice.Mode == callwright.ChoiceNone:
		return "guarantee.choice_none"
	case a.Setup.Calls.Allowed == 1 && a.callCount() > 0:
		return "guarantee.one_call"
	case a.Setup.Calls.Allowed > 0 && a.callCount() >= a.Setup.Calls.Allowed:
		return "guarantee.calls_per_answer"
	case !a.Setup.Choice.Allows(name):
		return "guarantee.not_allowed"
	}
	return ""
}

// leftOut reports whether a valid call is not handed on, and notes why: the request does not allow it, or an earlier
// attempt gave an equal one.
func (a *Answer) leftOut(call *callwright.Call, was string) bool {
	if broken := a.brokenGuarantee(call.Name); broken != "" {
		a.Setup.Ledger.Add(callwright.Note{Rule: broken, Stage: callwright.StageValidate, Call: call.Name, Was: judge.ClipRaw(was)})
		a.Outcome.Forbidden++
		return true
	}
	return a.givenBefore(call)
}

// runSearch runs the search for tools of a valid call, and returns the events that show it to the client; ok is false
// for other calls.
func (a *Answer) runSearch(call *callwright.Call) (events []callwright.Event, ok bool) {
	shown, ok := a.Setup.Toolset.Search.Answer(call)
	if !ok || a.brokenGuarantee(call.Name) != "" {
		return nil, false
	}
	a.Setup.Ledger.Add(callwright.Note{Rule: "search.answered", Stage: callwright.StageValidate, Call: call.Name, Was: string(call.Arguments)})
	a.Outcome.Delivered.Searches = append(a.Outcome.Delivered.Searches, shown...)
	for _, p := range shown {
		if o, ok := p.(callwright.Opaque); ok {
			events = append(events, callwright.OpaquePart(o))
		}
	}
	return events, true
}

// givenBefore reports whether an earlier attempt handed on an equal call, and notes it: models repeat all their calls
// when one has to be corrected.
func (a *Answer) givenBefore(call *callwright.Call) bool {
	const rule = "correct.repeated_call"
	if !slices.ContainsFunc(a.Setup.Earlier, func(c callwright.Call) bool { return equalCalls(&c, call) }) || !a.Setup.Ledger.May(rule) {
		return false
	}
	a.Setup.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Call: call.Name, Was: string(call.Arguments) + call.Input})
	a.Outcome.Repeated++
	return true
}

// equalCalls reports whether two calls are equal but for their ids and the white space of their arguments.
func equalCalls(a, b *callwright.Call) bool {
	if a.Name != b.Name || a.Type != b.Type {
		return false
	}
	if a.Type == callwright.CustomTool {
		return a.Input == b.Input
	}
	return jsonx.Equal(a.Arguments, b.Arguments)
}

// eventsOf is the call that was kept last as events.
func (a *Answer) eventsOf(call callwright.Call) []callwright.Event {
	i, text := a.callCount()-1, string(call.Arguments)
	if call.Type == callwright.CustomTool {
		text = call.Input
	}
	return []callwright.Event{
		callwright.CallBegin{Index: i, ID: call.ID, Name: call.Name, Type: call.Type, Signature: call.Signature,
			Origin: call.Origin, Extra: call.Extra},
		callwright.CallDelta{Index: i, Text: text},
		callwright.CallEnd{Index: i, Call: &call},
	}
}

// addBeforeEnd adds an event of our own after the events so far and before the End.
func (a *Answer) addBeforeEnd(ev callwright.Event) {
	if a.Outcome.End != nil {
		a.beforeEnd = append(a.beforeEnd, ev)
		return
	}
	a.queue.Insert(ev)
}

// withOrigin returns the event with model m as the origin of its opaque state, where the event names no other origin.
func withOrigin(ev callwright.Event, m callwright.ModelID) callwright.Event {
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
