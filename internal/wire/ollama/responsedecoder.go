package ollama

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The findings: deviations of a response from the API. A response with a finding is encoded anew for clients.
var (
	foundText        = kit.Finding{Rule: "wire.arguments_text", Why: "arguments came as text in place of an object"}
	foundSingle      = kit.Finding{Rule: "wire.single_call", Why: "the call came as an object in place of a list"}
	foundEarlyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "a line said that the answer was done before its end"}
	foundEmptyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "an empty finish reason came"}
	foundBadLine     = kit.Finding{Rule: "wire.bad_line", Why: "a line of the stream was not JSON"}
)

// answerIn are the members of a response's message that are decoded, answerMembers those of the response itself.
var (
	answerIn      = kit.NestedMember{Key: "message", Known: assistantKeys}
	answerMembers = []string{"model", "done", "prompt_eval_count", "eval_count"}
)

// DecodeResponse decodes a response that is not streamed. If the response deviates from the API, Raw is nil and Report
// has a note for each deviation.
func (Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	var in [2]jsonx.Fields
	whole, message := &in[0], &in[1]
	if err := jsonx.CheckedFields(raw, in[:], "message"); whole.Object() == nil {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	v := whole.Object()
	if failure := whole.Get("error"); failure != nil && !jsonx.IsNull(failure) {
		return nil, decodeError(0, v)
	}
	if message.Object() == nil {
		return nil, badAnswer("expected a message, got "+kit.KindOf(whole.Get("message")), v, nil)
	}
	var found kit.Findings
	list(message, &found)
	resp := &callwright.Response{Model: jsonx.TextOf(whole.Get("model")), Parts: decodeAnswer(message, nil),
		Usage: decodeUsage(v), Confidence: 1,
		Extra: own.ExtraOf(v, answerMembers, answerIn), Raw: &callwright.Raw{Wire: callwright.WireOllama, Bytes: raw}}
	resp.Finish = finishOf(jsonx.TextOf(whole.Get("done_reason")), len(callwright.CallsOf(resp.Parts)) > 0)
	for c := range jsonx.Elements(message.Get("tool_calls")) {
		checkCall(c, &found)
	}
	found.Report(resp)
	return resp, nil
}

// list puts the value of a message's tool_calls into a JSON list if the value is a single object, and adds a finding.
func list(message *jsonx.Fields, found *kit.Findings) {
	calls, v := message.Get("tool_calls"), message.Object()
	if !jsonx.IsObject(calls) {
		return
	}
	found.Add(foundSingle)
	start, end := jsonx.Span(v, calls)
	*message = jsonx.FieldsOf(jsonx.Splice(nil, v, jsonx.Edit{Start: start, End: end, New: slices.Concat([]byte{'['}, calls, []byte{']'})}))
}

// checkCall adds a finding if the arguments of a call are neither an object nor null.
func checkCall(call []byte, found *kit.Findings) {
	if args, ok := jsonx.Lookup(call, "function", "arguments"); ok && !jsonx.IsObject(args) && !jsonx.IsNull(args) {
		found.Add(foundText)
	}
}

// badAnswer returns an error of KindBadAnswer about a response that cannot be decoded.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}
