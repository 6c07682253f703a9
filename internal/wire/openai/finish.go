package openai

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// finishes maps the values of finish_reason of OpenAI and of other servers of this API to a Finish.
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

// malformed and unexpected are parts of finish reasons of Gemini's OpenAI-compatible API: the model's tool call was
// malformed, or it names no declared tool.
const malformed, unexpected = "malformed_function_call", "unexpected_tool_call"

// outcome holds the facts at the end of a response that determine its Finish.
type outcome struct {
	reason       string // the provider's finish_reason, "" if missing
	hasCalls     bool   // the response has tool calls
	lastCallCut  bool   // the arguments of the last call are incomplete, or are free text, which may be
	modelRefused bool   // the response has a member refusal
	hasText      bool   // the response has text
}

// cutShort reports whether the reason is known and is neither a normal stop nor tool calls, such as "length".
func (o outcome) cutShort() bool {
	f, known := finishes[o.reason]
	return known && f != callwright.FinishStop && f != callwright.FinishCalls
}

// finish derives the Finish of the response. It is FinishCalls for a response with calls, whatever the reason, unless
// the arguments of the last call are incomplete and the reason confirms that the response was cut short.
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

// isParseFailure reports whether the finish reason says that the provider could not parse the model's call. Calls in
// such a response are dropped, because the provider made them from broken text.
func (o outcome) isParseFailure() bool {
	_, known := finishes[o.reason]
	return !known && strings.Contains(strings.ToLower(o.reason), malformed)
}

// isBadCall reports whether the finish reason says that the model's call was malformed or names no declared tool.
func (o outcome) isBadCall() bool {
	return o.isParseFailure() || strings.Contains(strings.ToLower(o.reason), unexpected)
}

// reasonFinding returns the finding for a response whose reason is not reliable.
func (o outcome) reasonFinding() kit.Finding {
	if o.isBadCall() {
		return foundMalformed
	}
	return foundFinish
}

// isReliable reports whether a client may rely on the reason: clients know its name, and it is "tool_calls" exactly if
// the Finish is FinishCalls.
func (o outcome) isReliable() bool {
	f, known := finishes[o.reason]
	return known && reasonOf(f) == o.reason && (f == callwright.FinishCalls) == (o.finish() == callwright.FinishCalls)
}

// reasonOf returns the finish_reason that is sent to clients for a Finish: "tool_calls", "length", "content_filter", or
// "stop" for all others.
func reasonOf(f callwright.Finish) string {
	switch f {
	case callwright.FinishCalls, callwright.FinishLength, callwright.FinishContentFilter:
		return string(f)
	}
	return "stop"
}
