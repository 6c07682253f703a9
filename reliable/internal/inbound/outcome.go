package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// An Outcome is the result of an answer: its calls, text, reasoning, usage and end or error. It is complete after
// Finalize.
type Outcome struct {
	Good      []callwright.Call        // calls that may be run, in order
	Invalid   []callwright.InvalidCall // calls that may not
	Visible   strings.Builder          // the text
	Reasoning strings.Builder          // the reasoning, of which maxReasoning bytes are kept
	Usage     callwright.Usage
	Opening   callwright.Begin  // the Begin that came
	Thoughts  opening.Thoughts  // reasoning that was split off the text
	End       *callwright.End   // nil where none came
	Err       *callwright.Error // why the answer is not accepted
	Delivered Delivered
	// Collected is the answer as it came, for a request that continues a paused answer. It is nil where none is requested,
	// and where the client's own wire supports pauses.
	Collected  *callwright.Collector
	AnswerWire callwright.WireName // the wire over which the answer's bytes came
	Tries      int                 // how often the provider was asked; in a stream counted by the notes on retries

	Repeated       int    // calls left out because an earlier attempt had handed on equal ones
	Forbidden      int    // calls left out because the request does not allow them
	Clean          int    // native calls that needed no change
	TextCalls      int    // how many of Good were found in the text
	Dialect        string // the dialect in which the first of them was written
	NativeChanged  bool   // a native call had to be changed, or is invalid
	CutAtLength    bool   // the answer was broken off for its length
	MoreWork       *bool  // the value of needs_more_work in an enveloped answer; nil for none
	ScratchpadOnly bool   // the document has thoughts and neither calls nor an answer
	Begun          bool   // a Begin came
	WrongForm      bool   // the text is not in the form that is wanted, and can be asked for again
	hasOther       bool   // it has parts besides text, reasoning and calls: media or opaque ones
}

// Delivered describes the events that the client got. The queue writes Progress while it delivers batches.
type Delivered struct {
	eventqueue.Progress
	// Searches are the searches for tools that were answered in place of the provider, as they are shown.
	Searches []callwright.Part
}

// HasText reports whether the answer has text that is not only white space.
func (o *Outcome) HasText() bool { return strings.TrimSpace(o.Visible.String()) != "" }

// HasOther reports whether the answer has parts besides text, reasoning and calls: media, or opaque ones such as those
// of tools that the provider runs.
func (o *Outcome) HasOther() bool { return o.hasOther }

// DeliveredText returns the part of the text that was handed on.
func (o *Outcome) DeliveredText() string {
	text := o.Visible.String()
	return text[:min(o.Delivered.TextBytes, len(text))]
}

// Empty reports whether an answer that ended normally has no text, no call and no reason for that. Models give such
// answers after results of tools. Reasoning alone and white space count as empty, since a client cannot continue with
// them.
func (o *Outcome) Empty() bool {
	if o.HasText() || o.hasOther || o.End == nil || len(o.Good)+len(o.Invalid)+len(o.Delivered.Searches) > 0 {
		return false
	}
	switch o.End.Finish {
	case callwright.FinishStop, callwright.FinishCalls, callwright.FinishMalformedCall, callwright.FinishOther, "":
		return true
	}
	return false
}

// swallowedTokens is the least usage in tokens by which an empty answer counts as swallowed: the end of an answer is a
// token or two.
const swallowedTokens = 8

// IsSwallowed reports whether the usage has generated tokens that are not in the answer, and the provider gives no
// reason: the server's own parser dropped a call that it could not read.
func (o *Outcome) IsSwallowed() bool {
	return o.Empty() && o.End.Finish != callwright.FinishMalformedCall && o.Forbidden+o.Repeated == 0 &&
		o.Reasoning.Len()+o.Thoughts.Len()+o.Visible.Len() == 0 && o.Usage.Output-o.Usage.Reasoning >= swallowedTokens
}

// NeedsMoreWork is whether the client has something to do after the answer: with calls, and where it says so or was
// broken off.
func (a *Answer) NeedsMoreWork() *bool {
	o, more := &a.Outcome, a.callCount() > 0
	switch {
	case more:
	case o.MoreWork != nil:
		more = *o.MoreWork
	default:
		more = o.End.Finish == callwright.FinishLength || o.End.Finish == callwright.FinishPause
	}
	return &more
}

// Correctable reports whether any of the invalid calls is worth asking for again. One in the text beside native calls
// is not.
func (o *Outcome) Correctable() bool {
	return slices.ContainsFunc(o.Invalid, func(c callwright.InvalidCall) bool { return c.Why != callwright.InvalidBesideNative })
}

// HasRefusal reports whether call rules refused a call.
func (o *Outcome) HasRefusal() bool { return slices.ContainsFunc(o.Invalid, isRefused) }

// OnlyRefused reports whether call rules refused calls, and each other invalid call is none that is asked for again.
func (o *Outcome) OnlyRefused() bool {
	return o.HasRefusal() && !slices.ContainsFunc(o.Invalid,
		func(c callwright.InvalidCall) bool { return !isRefused(c) && c.Why != callwright.InvalidBesideNative })
}

func isRefused(c callwright.InvalidCall) bool { return c.Why == callcheck.InvalidRefused }

// AllTruncated reports whether there are invalid calls and the answer ended inside each: it can stand without them.
func (o *Outcome) AllTruncated() bool {
	return len(o.Invalid) > 0 && !slices.ContainsFunc(o.Invalid,
		func(c callwright.InvalidCall) bool { return c.Why != callwright.InvalidTruncated })
}

// TriesOf returns the number of requests to a provider, by its report.
func TriesOf(rep *callwright.Report) int {
	if rep == nil || len(rep.Attempts) == 0 {
		return 1
	}
	return max(rep.Attempts[0].Tries, 1)
}
