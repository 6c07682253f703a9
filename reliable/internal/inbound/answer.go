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

// A Setup has the settings for reading one response.
type Setup struct {
	Toolset *judge.Toolset
	Ledger  *judge.Ledger
	Mint    func(prefix string) string
	Attempt Attempt // required
	// Out receives the batches for the client. It returns false to stop.
	Out func(callwright.Batch) bool

	Model     callwright.ModelID // the model of the attempt
	Mode      caps.Mode
	Choice    callwright.Choice
	Sent      judge.Sent // how the tools were sent, if this differs from their declaration
	MaxOutput int        // output token limit of the request, 0 if none
	Calls     CallLimits
	Form      *form.Form // required response format, nil for any text
	// ChoiceInPrompt reports that only the prompt requires a call. Events are buffered until the model made one, because
	// another attempt replaces a response without a call.
	ChoiceInPrompt bool

	Progress *progress.Progress // receives the progress of the response; nil for none

	Start       opening.Start // how the text begins, as far as known for the model
	WantsWhole  bool          // the client expects a complete response and received nothing yet
	Passthrough bool          // policies off and observe: batches are delivered unchanged
	HoldCalls   bool          // native calls are delivered after validation, never in deltas
	TextOff     bool          // text is not searched for calls
	Document    bool          // the text is one JSON document (modes json_schema, json_object)
	NoBytes     bool          // the bytes of batches are dropped because they do not match the client's request

	ClientWire  callwright.WireName // the client's API, "" for a Go program
	ClientIDs   caps.IDRule         // the call IDs that the client's API accepts
	ClientBegun bool                // an earlier attempt delivered the beginning of a response
	EarlierText bool                // an earlier attempt delivered text
	Earlier     []callwright.Call   // calls delivered by earlier attempts, which are not repeated
}

// An Attempt is the request to which a response belongs.
type Attempt interface {
	judge.Attempt
	// ScanOptions returns the options for finding calls in the text.
	ScanOptions() dialect.Options
}

// CallLimits limits the calls of a response. 0 means no limit.
type CallLimits struct {
	Allowed int // maximum; further calls are dropped
	Known   int // expected maximum; further calls are noted
}

// An Answer reads the response to one attempt and delivers the events for the client. It separates reasoning from
// text, parses calls from text, and validates every call. Delivered events are final. Call Take for each batch, then
// Finalize, then ReleaseEnd or ReleaseWithoutEnd. A complete response can instead be read by TakeWhole. An Answer is
// not safe for concurrent use.
type Answer struct {
	Setup   Setup                // the settings
	Outcome Outcome              // the result
	Whole   *callwright.Response // the response if TakeWhole accepted it, otherwise nil

	judge        judge.Judge
	queue        eventqueue.Queue
	reader       textReader
	nativeCalls  nativeCalls
	writtenCalls writtenCalls
	clientForm   clientform.Form
	asked        askedform.Form
	size         int // size so far in bytes, see eventqueue.CostOf
	endSlot      int // slot of the End event
	end          callwright.End
	finish       callwright.Finish // finish reason of the delivered End
	calls        int32             // number of calls, native and in text
	textBegan    bool              // text other than white space was received
	refuses      bool              // the text is a refusal, so the response format does not apply
	fence        document.Fence    // tests whether the visible text may be only arguments
	notLone      bool              // the test failed
	refusedCall  bool              // the text is that of a call that the provider rejected
	beforeEnd    []callwright.Event
	underWay     underWay
}

// callCount returns the number of calls for the client, including those of earlier attempts.
func (a *Answer) callCount() int { return len(a.Setup.Earlier) + len(a.Outcome.Good) }

// New returns an Answer for one attempt.
func New(set Setup) *Answer {
	a := &Answer{}
	a.Init(set)
	return a
}

// Init initializes a zero Answer for an attempt.
func (a *Answer) Init(set Setup) {
	a.Setup = set
	if set.Document {
		a.Setup.Start = opening.AsText // the document is found at any position
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

// TransformCalls sets a function that changes each call before validation, see [judge.Judge]. nil means none. Call it
// before Take.
func (a *Answer) TransformCalls(f func(callwright.Call) (callwright.Call, []callwright.Note, error)) {
	a.judge.Transform = f
}

// CheckCalls sets the call rules that check each valid call. nil means none. Call it before Take.
func (a *Answer) CheckCalls(rules callcheck.Check) { a.judge.Rules = rules }

// Preview examines a complete response before Take. If a closing marker of reasoning has no opening marker and more
// text follows, the text begins inside reasoning. In a stream this is unknown before the marker arrives.
func (a *Answer) Preview(batches []callwright.Batch) {
	a.queue.HoldAll = a.queue.HoldAll || a.Setup.Form.EnforcesFormat()
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

// maxReasoning is the maximum size in bytes of the reasoning that is kept to search it for calls.
const maxReasoning = 1 << 20

// Take processes the next batch. With policies off and observe it delivers the batch unchanged. It returns false if
// the client stopped or Outcome.Err is set.
func (a *Answer) Take(b callwright.Batch) bool {
	more := a.take(b)
	if a.Setup.Progress != nil {
		a.track(&b)
	}
	return more
}

// take implements Take without reporting progress.
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

// feed processes one batch with the other policies. It returns the result of Take.
func (a *Answer) feed(b callwright.Batch) bool {
	a.Outcome.AnswerWire = cmp.Or(b.Wire, a.Outcome.AnswerWire)
	if b.Raw != nil && b.Wire == a.Setup.ClientWire {
		a.Outcome.Collected = nil // the client receives the response of its own API
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

// feedEvents adds events that did not come from the model to the response.
func (a *Answer) feedEvents(events ...callwright.Event) {
	a.feed(callwright.Batch{Events: events, More: true})
}

// event queues one event of the response. It records usage, reasoning and the end in Outcome, and passes text and calls
// to their readers.
func (a *Answer) event(ev callwright.Event) {
	if a.over(eventqueue.CostOf(ev)) {
		return
	}
	if a.Outcome.Collected != nil {
		a.Outcome.Collected.Add(ev)
	}
	switch e := ev.(type) { // ev is passed on, because passing e would allocate
	case callwright.Begin:
		a.Outcome.Begun, a.Outcome.Opening = true, e
		if a.Setup.ClientBegun { // a later attempt
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

// keepCall adds a valid call to the outcome.
func (a *Answer) keepCall(call callwright.Call) {
	if a.Outcome.Good == nil {
		a.Outcome.Good = make([]callwright.Call, 0, 2) // most responses have at most two calls
	}
	a.Outcome.Good = append(a.Outcome.Good, call)
	if known := a.Setup.Calls.Known; known > 0 && a.callCount() == known+1 {
		a.Setup.Ledger.Add(callwright.Note{Rule: "judge.many_calls", Stage: callwright.StageValidate, Call: call.Name,
			Was: "calls: " + strconv.Itoa(a.Setup.Calls.Known)})
	}
	a.judge.Used.Add(call.ID)
}

// brokenGuarantee returns the rule that a call of the tool would violate, such as the tool choice, "" if none.
func (a *Answer) brokenGuarantee(name string) string {
	switch {
	case a.Setup.Toolset.Withheld[name] != nil: // the client rejects it
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

// leftOut reports whether a valid call is dropped, and notes the reason: the request does not permit it, or an earlier
// attempt delivered an equal call. was is the call as the model wrote it, for the note.
func (a *Answer) leftOut(call *callwright.Call, was string) bool {
	if broken := a.brokenGuarantee(call.Name); broken != "" {
		a.Setup.Ledger.Add(callwright.Note{Rule: broken, Stage: callwright.StageValidate, Call: call.Name, Was: judge.ClipRaw(was)})
		a.Outcome.Forbidden++
		return true
	}
	return a.givenBefore(call)
}

// runSearch runs the tool search of a valid call and returns events that show it to the client. ok is false if the
// call is not a tool search.
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

// givenBefore reports whether an earlier attempt delivered an equal call, which is then dropped, and notes it. Models
// repeat all their calls in a correction.
func (a *Answer) givenBefore(call *callwright.Call) bool {
	const rule = "correct.repeated_call"
	if !slices.ContainsFunc(a.Setup.Earlier, func(c callwright.Call) bool { return equalCalls(&c, call) }) || !a.Setup.Ledger.May(rule) {
		return false
	}
	a.Setup.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Call: call.Name, Was: string(call.Arguments) + call.Input})
	a.Outcome.Repeated++
	return true
}

// equalCalls reports whether two calls are equal except for their IDs and white space in their arguments.
func equalCalls(a, b *callwright.Call) bool {
	if a.Name != b.Name || a.Type != b.Type {
		return false
	}
	if a.Type == callwright.CustomTool {
		return a.Input == b.Input
	}
	return jsonx.Equal(a.Arguments, b.Arguments)
}

// eventsOf returns the events of call, which was the last argument of keepCall. Its index is the number of earlier
// calls.
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

// addBeforeEnd adds an event after all events so far. If the End was received, the event precedes it.
func (a *Answer) addBeforeEnd(ev callwright.Event) {
	if a.Outcome.End != nil {
		a.beforeEnd = append(a.beforeEnd, ev)
		return
	}
	a.queue.Insert(ev)
}

// withOrigin sets the origin of opaque state in an event to the model m, unless it is set.
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
