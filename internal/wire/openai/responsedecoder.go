package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The findings: deviations of a response from the API. A response with a finding is encoded anew for clients.
var (
	foundMalformed = kit.Finding{Rule: "wire.malformed_reason",
		Why: "the reason says that the call of the model was malformed or unexpected"}
	foundFinish      = kit.Finding{Rule: "wire.finish_reason", Why: "the calls take precedence over the finish reason"}
	foundEarlyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "a finish reason came before the end of the answer"}
	foundEmptyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "an empty finish reason came"}
	foundObject      = kit.Finding{Rule: "wire.arguments_object", Why: "arguments came as JSON in place of text"}
	foundLegacy      = kit.Finding{Rule: "wire.function_call", Why: "the call came in the older form function_call"}
	foundSingle      = kit.Finding{Rule: "wire.single_call", Why: "the call came as an object in place of a list"}
	foundType        = kit.Finding{Rule: "wire.call_type", Why: "the call came without its type"}
	foundIndex       = kit.Finding{Rule: "wire.choice_index", Why: "the choice came without its index"}
	foundCollision   = kit.Finding{Rule: "wire.call_index", Why: "pieces of different calls came under one index"}
	foundNoIndex     = kit.Finding{Rule: "wire.no_call_index", Why: "pieces of calls came without a usable index"}
	foundDrift       = kit.Finding{Rule: "wire.call_drift", Why: "pieces of a call came under another index"}
	foundRepeat      = kit.Finding{Rule: "wire.repeated_head", Why: "each piece repeated the call's name"}
	foundMixed       = kit.Finding{Rule: "wire.interleaved", Why: "pieces of several calls came in mixed order"}
	foundTotal       = kit.Finding{Rule: "wire.cumulative", Why: "each piece repeated all earlier arguments"}
	foundLateName    = kit.Finding{Rule: "wire.late_name", Why: "arguments came before the name"}
	foundMany        = kit.Finding{Rule: "wire.calls_together", Why: "pieces of several calls came at once"}
	foundStray       = kit.Finding{Rule: "wire.stray_piece", Why: "a piece belonged to no call"}
	foundBadLine     = kit.Finding{Rule: "wire.bad_line", Why: "a line of the stream was not JSON"}
)

// The members of a response, of its choice and of its message that are decoded.
var (
	responseKeys = []string{"id", "model", "usage", "object", "choices"}
	choiceKeys   = []string{"index", "finish_reason", "message"}
	answerKeys   = []string{"role", "content", "tool_calls", "function_call", "reasoning_content", "reasoning",
		"reasoning_details", "refusal", "audio", "images"}
	mediaKeys = []string{"audio", "images"} // the members of a message with audio and images
)

// DecodeResponse decodes a response that is not streamed. It reads the first choice only. If the response deviates from
// the API, Raw is nil and Report has a note for each deviation.
func (c Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	var in [5]jsonx.Fields
	err := jsonx.CheckedFields(raw, in[:], "choices", "0", "message", "tool_calls", "0", "function")
	whole, choice := &in[0], &in[1]
	if whole.Object() == nil {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	if whole.Get("error") != nil {
		if e := errorWithin(raw); e != nil {
			return nil, e
		}
	}
	choices := whole.Get("choices")
	if !jsonx.IsArray(choices) {
		return nil, badAnswer("expected choices, got "+kit.KindOf(choices), raw, nil)
	}
	resp := &callwright.Response{ID: jsonx.TextOf(whole.Get("id")), Model: jsonx.TextOf(whole.Get("model")),
		Finish: callwright.FinishOther, Confidence: 1,
		Raw: &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: raw}}
	usage := whole.Get("usage")
	if !jsonx.IsObject(usage) { // Moonshot sends it in the choice
		usage = choice.Get("usage")
	}
	resp.Usage = decodeUsage(usage)
	resp.Extra = own.Rest(whole, responseKeys)
	if choice.Object() != nil {
		found := decodeChoice(resp, in[1:])
		found.Report(resp)
	}
	return resp, nil
}

// badAnswer returns an error of KindBadAnswer about a response that cannot be decoded.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}

// decodeChoice decodes a choice into resp and returns its deviations from the API. in holds the members of the choice,
// of its message, of the first element of tool_calls, and of the function of that element.
func decodeChoice(resp *callwright.Response, in []jsonx.Fields) kit.Findings {
	var found kit.Findings
	choice, message := &in[0], &in[1]
	if jsonx.KindOf(choice.Get("index")) != jsonx.Number {
		found.Add(foundIndex)
	}
	out := outcome{reason: jsonx.TextOf(choice.Get("finish_reason"))}
	if r, ok := decodeReasoning(message); ok && (r.Text != "" || own.Member(r.Extra, "reasoning_details") != nil) {
		resp.Parts = append(resp.Parts, r)
	}
	content := message.Get("content")
	if content == nil { // legacy completions have the text beside the message
		content = choice.Get("text")
	}
	resp.Parts = contentReader{}.add(resp.Parts, content)
	if refusal := message.Get("refusal"); jsonx.IsText(refusal) && len(refusal) > 2 {
		out.modelRefused = true
		resp.Parts = append(resp.Parts, callwright.Text{Text: jsonx.TextOf(refusal),
			Extra: own.Extra([]byte(refusalPart))})
	}
	for _, key := range mediaKeys {
		if v := message.Get(key); hasMedia(v) {
			resp.Parts = append(resp.Parts, callwright.Opaque{Extra: own.Keep(callwright.Extra{}, key, v)})
		}
	}
	before := len(resp.Parts)
	decodeCalls(resp, message, in[2:], &found)
	if len(resp.Parts) > before && out.isParseFailure() {
		resp.Parts = resp.Parts[:before]
		found.Add(kit.FoundBroken)
	}
	out.hasText = callwright.TextOf(resp.Parts) != ""
	for _, p := range resp.Parts {
		if c, ok := p.(callwright.Call); ok {
			out.hasCalls = true
			out.lastCallCut = out.cutShort() && (c.Type == callwright.CustomTool || len(c.Arguments) > 0 && jsonx.Valid(c.Arguments) != nil)
		}
	}
	resp.Finish = out.finish()
	if !out.isReliable() {
		found.Add(out.reasonFinding())
	}
	if extra := choiceExtra(choice, message, out); extra != nil {
		resp.Extra = own.Keep(resp.Extra, "choices", extra)
	}
	return found
}

// decodeCalls appends the tool calls of a message to resp.Parts. in[0] holds the members of the first element of
// tool_calls and in[1] those of its function. decodeCalls overwrites both for further elements.
func decodeCalls(resp *callwright.Response, message *jsonx.Fields, in []jsonx.Fields, found *kit.Findings) {
	none, read := len(resp.Parts), in[0].Object() != nil
	add := func(v []byte) {
		if !read {
			in[0] = jsonx.FieldsOf(v)
			in[1] = jsonx.FieldsOf(in[0].Get("function"))
		}
		read = false
		resp.Parts = append(resp.Parts, answeredCall(&in[0], &in[1], found))
	}
	calls := message.Get("tool_calls")
	if jsonx.IsObject(calls) {
		found.Add(foundSingle)
		add(calls)
	}
	for v := range jsonx.Elements(calls) {
		add(v)
	}
	if f := message.Get("function_call"); namesFunction(f) && len(resp.Parts) == none {
		found.Add(foundLegacy)
		resp.Parts = append(resp.Parts, decodeLegacy(f, ""))
	}
}

// refusalPart is the Extra of a Text from the member refusal of a message. A content part of type refusal gets the same
// Extra.
const refusalPart = `{"type":"refusal"}`

// namesFunction reports whether a function_call has a name. Some servers add an empty function_call to every response.
func namesFunction(v []byte) bool {
	name, _ := jsonx.Find(v, "name")
	return len(jsonx.TextBytes(name)) > 0
}

// hasMedia reports whether the value of the member audio or images of a message has content: a non-empty list, or an
// object with data or an id.
func hasMedia(v []byte) bool {
	id, _ := jsonx.Find(v, "id")
	data, _ := jsonx.Find(v, "data")
	return jsonx.IsArray(v) && len(v) > 2 || len(jsonx.TextBytes(id))+len(jsonx.TextBytes(data)) > 0
}

// choiceExtra returns a JSON list of one choice object with the unknown members of the choice and of its message, or
// nil if there are none. It includes the finish_reason if that is not one that clients can rely on.
func choiceExtra(choice, message *jsonx.Fields, out outcome) []byte {
	rest, in, odd := own.Rest(choice, choiceKeys), own.Rest(message, answerKeys), !out.isReliable() && out.reason != ""
	if rest.JSON == nil && in.JSON == nil && !odd {
		return nil
	}
	w := newWriter(make([]byte, 0, len(out.reason)+len(rest.JSON)+len(in.JSON)+kit.MoreRoom))
	w.Buf = append(w.Buf, "[{"...)
	if odd {
		w.Text("finish_reason", out.reason)
	}
	w.Extra(rest)
	w.GivenRaw("message", in.JSON)
	return append(w.Buf, "}]"...)
}

// answeredCall decodes a tool call of a response and adds its deviations to found. in holds the members of the call,
// function those of its function.
func answeredCall(in, function *jsonx.Fields, found *kit.Findings) callwright.Call {
	c := decodeCallOf(in, function)
	if !jsonx.IsText(in.Get("type")) {
		found.Add(foundType)
	}
	if c.Type == callwright.CustomTool {
		return c
	}
	if isFlat(in, function) {
		found.Add(foundLegacy)
		function = in
	}
	if !jsonx.IsText(function.Get("arguments")) {
		found.Add(foundObject)
	}
	return c
}
