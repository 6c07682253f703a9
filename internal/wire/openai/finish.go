package openai

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// finishes are the reasons of this wire and of its relatives.
var finishes = map[string]callwright.Finish{
	"stop":                         callwright.FinishStop,
	"eos":                          callwright.FinishStop,
	"end_turn":                     callwright.FinishStop,
	"stop_sequence":                callwright.FinishStop,
	"tool_calls":                   callwright.FinishCalls,
	"tool_use":                     callwright.FinishCalls,
	"function_call":                callwright.FinishCalls,
	"length":                       callwright.FinishLength,
	"max_tokens":                   callwright.FinishLength,
	"model_length":                 callwright.FinishLength,
	"content_filter":               callwright.FinishContentFilter,
	"sensitive":                    callwright.FinishContentFilter,
	"error":                        callwright.FinishError,
	"insufficient_system_resource": callwright.FinishError,
	"network_error":                callwright.FinishError,
}

// malformed marks the reasons with which Gemini's surface of this API says that the model botched its call, unexpected
// those with which it says that the call names no tool.
const malformed, unexpected = "malformed_function_call", "unexpected_tool_call"

// outcome holds the facts at the end of an answer that decide its finish reason.
type outcome struct {
	reason       string // as it came
	hasCalls     bool
	lastCallCut  bool // the last call breaks off inside its arguments
	modelRefused bool // the model refused in the member refusal
	hasText      bool // there is text
}

// cutShort reports whether the reason is known, and not that the answer came to its end.
func (o outcome) cutShort() bool {
	f, known := finishes[o.reason]
	return known && f != callwright.FinishStop && f != callwright.FinishCalls
}

// finish derives the finish reason from the content: calls decide, whatever the provider's reason is, unless the last
// call is cut off.
func (o outcome) finish() callwright.Finish {
	f, known := finishes[o.reason]
	switch {
	case o.hasCalls && !(o.lastCallCut && o.cutShort()):
		return callwright.FinishCalls
	case !known && o.isBadCall():
		return callwright.FinishMalformedCall
	case f == callwright.FinishCalls, f == callwright.FinishStop && o.modelRefused:
		if o.modelRefused {
			return callwright.FinishContentFilter
		}
		return callwright.FinishStop
	case known:
		return f
	case o.reason == "" && o.hasText: // some servers give none
		return callwright.FinishStop
	}
	return callwright.FinishOther
}

// isParseFailure reports whether the provider says that it could not parse the model's call. Calls beside that report
// are dropped: the provider's parser made them from broken text.
func (o outcome) isParseFailure() bool {
	_, known := finishes[o.reason]
	return !known && strings.Contains(strings.ToLower(o.reason), malformed)
}

// isBadCall reports whether the provider says that the model's call was malformed or unexpected.
func (o outcome) isBadCall() bool {
	return o.isParseFailure() || strings.Contains(strings.ToLower(o.reason), unexpected)
}

// dishonesty is the finding about a reason that is not honest.
func (o outcome) dishonesty() kit.Finding {
	if o.isBadCall() {
		return foundMalformed
	}
	return foundFinish
}

// honest reports whether a client that reads the reason as it came comes to the same finish.
func (o outcome) honest() bool {
	f, known := finishes[o.reason]
	return known && reasonOf(f) == o.reason && (f == callwright.FinishCalls) == (o.finish() == callwright.FinishCalls)
}

// reasonOf is the reason written for a finish: one of those that clients know.
func reasonOf(f callwright.Finish) string {
	switch f {
	case callwright.FinishCalls, callwright.FinishLength, callwright.FinishContentFilter:
		return string(f)
	}
	return "stop"
}
