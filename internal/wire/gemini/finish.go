package gemini

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// reasons are the finish reasons of this API. https://ai.google.dev/api/generate-content#FinishReason
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

// malformedCall is the reason of an answer whose call could not be parsed. Calls beside it are dropped: the parser made
// them from broken text, often without some arguments. Those beside UNEXPECTED_TOOL_CALL and TOO_MANY_TOOL_CALLS are
// whole, and validated like any other.
const malformedCall = "MALFORMED_FUNCTION_CALL"

// ending holds the facts at the end of an answer that decide its finish reason.
type ending struct {
	reason, message   string // as they came
	blocked           bool   // the prompt was refused
	hasCalls, hasText bool
}

// hasWrongReason reports whether calls came with a reason that says that they cannot be made.
func (e ending) hasWrongReason() bool {
	return e.hasCalls && reasons[e.reason] == callwright.FinishMalformedCall
}

// foundOverruled is the finding about such a reason.
var foundOverruled = kit.Finding{Rule: "wire.malformed_reason", Why: "a whole call is judged by its tool, not by the reason"}

// finish derives the finish reason from the content: calls decide, unless the answer stopped for its length.
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

// extractCallText returns the model's text inside the message of an answer whose call could not be parsed: the text
// after the introduction, if it may be a call, else "".
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

// program begins calls in the form in which models of this family write them: a program in a fence of its own, of which
// the message has only the contents.
const program = "print("

// malformedCallError returns the error for an answer whose call could not be parsed: it carries the model's text.
// before is the text before the call.
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

// reasonOf is the reason to write: the one that came where it still says the same, else one that clients know. Calls
// end with STOP.
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
