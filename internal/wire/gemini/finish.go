package gemini

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// reasons maps finishReason to a Finish. https://ai.google.dev/api/generate-content#FinishReason
var reasons = map[string]callwright.Finish{
	"STOP":                      callwright.FinishStop,
	"MAX_TOKENS":                callwright.FinishLength,
	"SAFETY":                    callwright.FinishContentFilter,
	"RECITATION":                callwright.FinishContentFilter,
	"LANGUAGE":                  callwright.FinishContentFilter,
	"BLOCKLIST":                 callwright.FinishContentFilter,
	"PROHIBITED_CONTENT":        callwright.FinishContentFilter,
	"SPII":                      callwright.FinishContentFilter,
	"IMAGE_SAFETY":              callwright.FinishContentFilter,
	"IMAGE_PROHIBITED_CONTENT":  callwright.FinishContentFilter,
	"IMAGE_RECITATION":          callwright.FinishContentFilter,
	"IMAGE_OTHER":               callwright.FinishContentFilter,
	"NO_IMAGE":                  callwright.FinishContentFilter,
	"MODEL_ARMOR":               callwright.FinishContentFilter,
	malformedCall:               callwright.FinishMalformedCall,
	"UNEXPECTED_TOOL_CALL":      callwright.FinishMalformedCall,
	"TOO_MANY_TOOL_CALLS":       callwright.FinishMalformedCall,
	"CONTINUATION":              callwright.FinishPause,
	"OTHER":                     callwright.FinishError,
	"FINISH_REASON_UNSPECIFIED": callwright.FinishError,
}

// malformedCall is the finishReason for a call that the provider could not parse. Calls in such a response are dropped,
// because the provider made them from broken text, often without some arguments. Calls in a response with
// UNEXPECTED_TOOL_CALL or TOO_MANY_TOOL_CALLS are complete and are validated like any other.
const malformedCall = "MALFORMED_FUNCTION_CALL"

// ending holds the facts at the end of a response that determine its Finish.
type ending struct {
	reason, message   string // finishReason and finishMessage
	blocked           bool   // the provider rejected the prompt
	hasCalls, hasText bool
}

// hasWrongReason reports whether the response has calls although its finishReason means that there is no valid call.
func (e ending) hasWrongReason() bool {
	return e.hasCalls && reasons[e.reason] == callwright.FinishMalformedCall
}

// foundOverruled is the finding for a response for which hasWrongReason is true.
var foundOverruled = kit.Finding{Rule: "wire.malformed_reason", Why: "a complete call is validated in spite of the finish reason"}

// finish derives the Finish of the response. It is FinishCalls for a response with calls, unless the output limit ended
// the response.
func (e ending) finish() callwright.Finish {
	f, known := reasons[e.reason]
	switch {
	case e.hasCalls && f != callwright.FinishLength:
		return callwright.FinishCalls
	case e.blocked && e.reason == "":
		return callwright.FinishContentFilter
	case known:
		return f
	case e.reason == "" && e.hasText:
		return callwright.FinishStop
	}
	return callwright.FinishOther
}

// extractCallText returns the model's text from the finishMessage of a response whose call could not be parsed. It
// removes the introduction. The result is "" if there is no such text or it cannot be a call.
func (e ending) extractCallText() string {
	if e.hasCalls || e.finish() != callwright.FinishMalformedCall {
		return ""
	}
	text := e.message
	if _, rest, ok := strings.Cut(text, "unction call: "); ok {
		text = rest
	}
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, "({") {
		return ""
	}
	if strings.HasPrefix(text, program) {
		text = "```tool_code\n" + text + "\n```"
	}
	return text
}

// program is the beginning of a call that the model wrote as Python code. The finishMessage has this code without the
// tool_code block around it, which extractCallText adds.
const program = "print("

// malformedCallError returns an error with the model's text of a call that could not be parsed, or nil if there is
// none. before is the text of the response before the call.
func (e ending) malformedCallError(before string, body []byte) *callwright.Error {
	text := e.extractCallText()
	if text == "" {
		return nil
	}
	if before != "" {
		before += "\n"
	}
	err := badAnswer("the model's call could not be parsed", body, nil)
	err.Op, err.Kind, err.Code, err.Finish, err.Recovered, err.Said = opProvider, callwright.KindRefusedCall, e.reason,
		callwright.FinishMalformedCall, before+text, before
	return err
}

// reasonOf returns the finishReason to write for a Finish. came is the provider's reason as JSON, nil if missing. It is
// kept if it still means the same Finish. Calls end with STOP.
func reasonOf(f callwright.Finish, came []byte) string {
	if word := jsonx.TextOf(came); word != "" &&
		!(f == callwright.FinishCalls && reasons[word] == callwright.FinishMalformedCall) &&
		(ending{reason: word, hasCalls: f == callwright.FinishCalls}).finish() == f {
		return word
	}
	switch f {
	case callwright.FinishLength:
		return "MAX_TOKENS"
	case callwright.FinishContentFilter:
		return "SAFETY"
	case callwright.FinishMalformedCall:
		return malformedCall
	case callwright.FinishError, callwright.FinishOther:
		return "OTHER"
	}
	return "STOP"
}
