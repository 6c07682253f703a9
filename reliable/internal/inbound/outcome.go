package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// An Outcome is the result of reading a response. It is complete after Finalize.
type Outcome struct {
	Good      []callwright.Call        // valid calls in order
	Invalid   []callwright.InvalidCall // invalid calls
	Visible   strings.Builder          // visible text
	Reasoning strings.Builder          // reasoning, at most maxReasoning bytes
	Usage     callwright.Usage
	Opening   callwright.Begin  // the Begin event
	Thoughts  opening.Thoughts  // reasoning that was separated from text
	End       *callwright.End   // nil if the response has no End
	Err       *callwright.Error // reason why the response is not accepted
	Delivered Delivered
	// Collected is the unchanged response, for a request that continues a paused response. It is nil if this is not
	// needed or if the client's API supports pauses.
	Collected  *callwright.Collector
	AnswerWire callwright.WireName // API of the response's bytes
	Tries      int                 // number of HTTP requests; in a stream derived from notes about retries

	Repeated       int    // number of calls dropped because an earlier attempt delivered equal ones
	Forbidden      int    // number of calls dropped because the request does not permit them
	Clean          int    // number of native calls without a change
	TextCalls      int    // number of calls in Good that were parsed from text
	Dialect        string // text format of the first of them
	NativeChanged  bool   // a native call was changed or is invalid
	CutAtLength    bool   // the output token limit was reached
	MoreWork       *bool  // value of needs_more_work in an enveloped response; nil if none
	ScratchpadOnly bool   // the document has only a scratchpad
	Begun          bool   // a Begin event was received
	WrongForm      bool   // the text does not have the required format, and a correction is possible
	hasOther       bool   // the response has media or opaque parts
}

// Delivered describes the events that the client received. The queue updates Progress.
type Delivered struct {
	eventqueue.Progress
	// Searches are the tool searches that were answered, as shown to the client.
	Searches []callwright.Part
}

// HasText reports whether the response has text other than white space.
func (o *Outcome) HasText() bool { return strings.TrimSpace(o.Visible.String()) != "" }

// HasOther reports whether the response has media or opaque parts, such as those of hosted tools.
func (o *Outcome) HasOther() bool { return o.hasOther }

// DeliveredText returns the part of the text that was delivered.
func (o *Outcome) DeliveredText() string {
	text := o.Visible.String()
	return text[:min(o.Delivered.TextBytes, len(text))]
}

// Empty reports whether a response that ended normally has no text and no call. Models give such responses after tool
// results. Reasoning or white space alone counts as empty.
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

// swallowedTokens is the minimum number of output tokens of an empty response that counts as swallowed. An actual
// empty response has one or two.
const swallowedTokens = 8

// IsSwallowed reports whether a response without any content has at least swallowedTokens output tokens in its usage.
// The server's tool-call parser then discarded a call that it could not parse.
func (o *Outcome) IsSwallowed() bool {
	return o.Empty() && o.End.Finish != callwright.FinishMalformedCall && o.Forbidden+o.Repeated == 0 &&
		o.Reasoning.Len()+o.Thoughts.Len()+o.Visible.Len() == 0 && o.Usage.Output-o.Usage.Reasoning >= swallowedTokens
}

// NeedsMoreWork reports whether the client must continue: the response has calls, says so, or is incomplete. The
// result is never nil.
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

// Correctable reports whether there is an invalid call for which a self-correction is useful. Calls in text beside
// native calls need none.
func (o *Outcome) Correctable() bool {
	return slices.ContainsFunc(o.Invalid, func(c callwright.InvalidCall) bool { return c.Why != callwright.InvalidBesideNative })
}

// HasRefusal reports whether a call rule rejected a call.
func (o *Outcome) HasRefusal() bool { return slices.ContainsFunc(o.Invalid, isRefused) }

// OnlyRefused reports whether call rules rejected calls and no other invalid call needs a self-correction.
func (o *Outcome) OnlyRefused() bool {
	return o.HasRefusal() && !slices.ContainsFunc(o.Invalid,
		func(c callwright.InvalidCall) bool { return !isRefused(c) && c.Why != callwright.InvalidBesideNative })
}

func isRefused(c callwright.InvalidCall) bool { return c.Why == callcheck.InvalidRefused }

// AllTruncated reports whether there are invalid calls and all of them are truncated, so that the response can be used
// without them.
func (o *Outcome) AllTruncated() bool {
	return len(o.Invalid) > 0 && !slices.ContainsFunc(o.Invalid,
		func(c callwright.InvalidCall) bool { return c.Why != callwright.InvalidTruncated })
}

// TriesOf returns the number of HTTP requests from a model's report, 1 if unknown.
func TriesOf(rep *callwright.Report) int {
	if rep == nil || len(rep.Attempts) == 0 {
		return 1
	}
	return max(rep.Attempts[0].Tries, 1)
}
