package openai

import (
	"encoding/json"
	"slices"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
)

// finding is a way in which an answer was not as the API describes it.
type finding struct{ rule, fault, why string }

// The findings. Each answer that has one is written anew for clients.
var (
	foundFinish    = finding{"wire.finish_reason", "F30", "the calls decide, not the reason"}
	foundObject    = finding{"wire.arguments_object", "F20", "arguments came as JSON in place of text"}
	foundLegacy    = finding{"wire.function_call", "", "the call came in the older form"}
	foundSingle    = finding{"wire.single_call", "", "the call came alone in place of a list"}
	foundType      = finding{"wire.call_type", "", "the call came without its type"}
	foundIndex     = finding{"wire.choice_index", "", "the choice came without its index"}
	foundCollision = finding{"wire.call_index", "F26", "pieces of different calls came under one index"}
	foundNoIndex   = finding{"wire.no_call_index", "F26", "pieces of calls came without a usable index"}
	foundDrift     = finding{"wire.call_drift", "F27", "pieces of a call came under another index"}
	foundRepeat    = finding{"wire.repeated_head", "F26", "each piece repeated the call's name"}
	foundMixed     = finding{"wire.interleaved", "F26", "pieces of several calls came mixed"}
	foundTotal     = finding{"wire.cumulative", "F26", "each piece repeated all arguments so far"}
	foundLateName  = finding{"wire.late_name", "F26", "arguments came before the name"}
	foundMany      = finding{"wire.calls_together", "F26", "pieces of several calls came at once"}
	foundStray     = finding{"wire.stray_piece", "F27", "a piece belonged to no call"}
	foundBadLine   = finding{"wire.bad_line", "F56", "a line of the stream was not JSON"}
)

func (f finding) note() callwright.Note {
	return callwright.Note{Rule: f.rule, Fault: f.fault, Stage: callwright.StageNormalise, Risk: callwright.Lossless, Why: f.why}
}

// findings are collected once each.
type findings []finding

func (f *findings) add(found finding) {
	if !slices.Contains(*f, found) {
		*f = append(*f, found)
	}
}

// The members of an answer that are decoded.
var (
	responseKeys = []string{"id", "model", "usage", "object", "choices"}
	choiceKeys   = []string{"index", "finish_reason", "message"}
	answerKeys   = []string{"role", "content", "tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details", "refusal"}
)

// DecodeResponse reads a whole answer. Only its first choice counts. Where the answer had to be read against its wording,
// Raw is nil and Report has a note for each way.
func (c Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	if err := jsonx.Valid(raw); err != nil || jsonx.KindOf(raw) != jsonx.Object {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	whole, raw := raw, jsonx.Trim(raw)
	choices, _ := jsonx.Find(raw, "choices")
	if e := errorWithin(raw); e != nil {
		return nil, e
	}
	if !jsonx.IsArray(choices) {
		return nil, badAnswer("expected choices, got "+wire.KindOf(choices), raw, nil)
	}
	id, _ := jsonx.Find(raw, "id")
	model, _ := jsonx.Find(raw, "model")
	resp := &callwright.Response{ID: jsonx.Alias(id), Model: jsonx.Alias(model), Finish: callwright.FinishOther, Confidence: 1,
		Raw: &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: whole}}
	usage, _ := jsonx.Find(raw, "usage")
	var choice []byte
	for v := range jsonx.Elements(choices) {
		choice = v
		break
	}
	if !jsonx.IsObject(usage) { // Moonshot has it in the choice
		usage, _ = jsonx.Find(choice, "usage")
	}
	resp.Usage = decodeUsage(usage)
	resp.Extra = extraOf(raw, responseKeys)
	if jsonx.IsObject(choice) {
		found := decodeChoice(resp, choice)
		if len(found) > 0 {
			resp.Raw = nil
			resp.Report = &callwright.Report{}
			for _, f := range found {
				resp.Report.Notes = append(resp.Report.Notes, f.note())
			}
		}
	}
	return resp, nil
}

// badAnswer is the error about an answer that cannot be read.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return &callwright.Error{Op: "openai.decode", Kind: callwright.KindBadAnswer, Message: message, Body: wire.ErrorBody(body), Err: cause}
}

// decodeChoice adds a choice to the answer.
func decodeChoice(resp *callwright.Response, choice []byte) findings {
	var found findings
	if index, ok := jsonx.Find(choice, "index"); !ok || jsonx.KindOf(index) != jsonx.Number {
		found.add(foundIndex)
	}
	message, _ := jsonx.Find(choice, "message")
	out := outcome{}
	reason, _ := jsonx.Find(choice, "finish_reason")
	out.reason = jsonx.Alias(reason)
	if r, ok := decodeReasoning(message); ok && (r.Text != "" || ownMember(r.Extra, "reasoning_details") != nil) {
		resp.Parts = append(resp.Parts, r)
	}
	content, _ := jsonx.Find(message, "content")
	if content == nil { // an older completion, or a server that puts the text beside the message
		content, _ = jsonx.Find(choice, "text")
	}
	resp.Parts = decodeContent(resp.Parts, content)
	if refusal, ok := jsonx.Find(message, "refusal"); ok && jsonx.IsText(refusal) && len(refusal) > 2 {
		out.refused = true
		resp.Parts = append(resp.Parts, callwright.Text{Text: jsonx.Alias(refusal),
			Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"type":"refusal"}`)}})
	}
	calls, _ := jsonx.Find(message, "tool_calls")
	switch {
	case jsonx.IsObject(calls):
		found.add(foundSingle)
		resp.Parts = append(resp.Parts, answeredCall(calls, &found))
	default:
		for v := range jsonx.Elements(calls) {
			resp.Parts = append(resp.Parts, answeredCall(v, &found))
		}
	}
	if f, ok := jsonx.Find(message, "function_call"); ok && jsonx.IsObject(f) && len(callwright.CallsOf(resp.Parts)) == 0 {
		found.add(foundLegacy)
		c := decodeLegacy(f, "")
		resp.Parts = append(resp.Parts, c)
	}
	out.said = callwright.TextOf(resp.Parts) != ""
	for _, c := range callwright.CallsOf(resp.Parts) {
		out.calls = true
		out.cut = c.Type == callwright.Function && len(c.Arguments) > 0 && jsonx.Valid(c.Arguments) != nil
	}
	resp.Finish = out.finish()
	if !out.honest() {
		found.add(foundFinish)
	}
	if extra := choiceExtra(choice, message, out); extra != nil {
		resp.Extra = keep(resp.Extra, "choices", extra)
	}
	return found
}

// choiceExtra is the list of one choice with what nobody else knows: its own members, those of its message, and the
// reason where it is not one that clients know. It is nil where there is nothing.
func choiceExtra(choice, message []byte, out outcome) []byte {
	w := newWriter(nil)
	w.Buf = append(w.Buf, "[{"...)
	if !out.honest() && out.reason != "" {
		w.Text("finish_reason", out.reason)
	}
	w.Extra(extraOf(choice, choiceKeys))
	if in := extraOf(message, answerKeys); in.JSON != nil {
		w.Raw("message", in.JSON)
	}
	if len(w.Buf) == len("[{") {
		return nil
	}
	return append(w.Buf, "}]"...)
}

// answeredCall reads a call of an answer.
func answeredCall(v []byte, found *findings) callwright.Call {
	c := decodeCall(v)
	if kind, _ := jsonx.Find(v, "type"); !jsonx.IsText(kind) {
		found.add(foundType)
	}
	f, _ := jsonx.Find(v, "function")
	if args, ok := jsonx.Find(f, "arguments"); c.Type == callwright.Function && (!ok || !jsonx.IsText(args)) {
		found.add(foundObject)
	}
	return c
}
