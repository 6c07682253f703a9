package ollama

import (
	"bytes"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The members with packed opaque state of other APIs for clients, of a call and of a message.
const (
	callCarrierKey = "signature"
	carrierKey     = "thinking_signature"
)

// The members that are decoded. All other members are kept in Extra.
var (
	assistantKeys = []string{"role", "content", "images", "thinking", "tool_calls"}
	messageKeys   = []string{"role", "content", "images"}
	resultKeys    = []string{"role", "content", "images", "tool_name", "tool_call_id"}
	functionIn    = []string{"name", "arguments"}
)

// decodeMessages decodes all messages. DecodeRequest has already validated them.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, len(b.Spans))
	for i, at := range b.Spans {
		out[i] = decodeMessage(b.At(at), b.Outline[i])
	}
	return kit.AllocateParts(out), nil
}

func decodeMessage(v []byte, turn callwright.Summary) callwright.Message {
	m := callwright.Message{Role: turn.Role}
	in := jsonx.FieldsOf(v)
	switch turn.Role {
	case callwright.RoleAssistant:
		m.Parts = decodeAnswer(&in, turn.Calls)
		m.Extra = own.Rest(&in, carrierOr(&in, carrierKey, assistantKeys))
	case callwright.RoleTool:
		r := callwright.Result{CallID: turn.Results[0], Name: jsonx.TextOf(in.Get("tool_name")), Parts: decodeContent(nil, &in),
			Extra: own.Rest(&in, resultKeys)}
		m.Parts = []callwright.Part{r}
	default:
		m.Parts = decodeContent(nil, &in)
		m.Extra = own.Rest(&in, messageKeys)
		if role := in.Get("role"); string(jsonx.TextBytes(role)) != string(turn.Role) {
			m.Extra = own.Keep(m.Extra, "role", role)
		}
	}
	return m
}

// carrierOr returns known, plus key if the value of that member is packed opaque state.
func carrierOr(in *jsonx.Fields, key string, known []string) []string {
	if isCarrier(in, key) {
		return append(known[:len(known):len(known)], key)
	}
	return known
}

func isCarrier(in *jsonx.Fields, key string) bool {
	return bytes.HasPrefix(jsonx.TextBytes(in.Get(key)), []byte(wire.CarrierMark))
}

// decodeAnswer decodes an assistant message: reasoning, content and calls. In a request, refs has the ids of the calls.
// In a response it is nil.
func decodeAnswer(in *jsonx.Fields, refs []callwright.CallRef) []callwright.Part {
	var parts []callwright.Part
	r := callwright.Reasoning{Text: jsonx.TextOf(in.Get("thinking")), Origin: origin}
	if isCarrier(in, carrierKey) {
		r, _ = wire.Unpack(r, jsonx.TextOf(in.Get(carrierKey)))
	}
	if r.Text != "" || r.Signature != "" || r.Redacted != "" {
		parts = append(parts, r)
	}
	parts = decodeContent(parts, in)
	n := 0
	for c := range jsonx.Elements(in.Get("tool_calls")) {
		call := decodeCall(c, n)
		if n < len(refs) {
			call.ID = refs[n].ID
		}
		parts = append(parts, call)
		n++
	}
	return parts
}

// decodeContent appends the text and the images of a message. An empty text adds nothing.
func decodeContent(parts []callwright.Part, in *jsonx.Fields) []callwright.Part {
	if content := in.Get("content"); jsonx.IsText(content) && len(content) > 2 {
		parts = append(parts, callwright.Text{Text: jsonx.TextOf(content)})
	}
	for i := range jsonx.Elements(in.Get("images")) {
		parts = append(parts, decodeImage(jsonx.TextOf(i)))
	}
	return parts
}

// decodeCall decodes element n of tool_calls.
func decodeCall(v []byte, n int) callwright.Call {
	in := jsonx.FieldsOf(v)
	f := jsonx.FieldsOf(in.Get("function"))
	c := callwright.Call{ID: jsonx.TextOf(in.Get("id")), Name: jsonx.TextOf(f.Get("name")),
		Arguments: argumentsOf(f.Get("arguments")), Origin: origin}
	known := functionIn
	if index := f.Get("index"); index != nil && isCount(index, n) {
		known = append(known[:len(known):len(known)], "index")
	}
	c.Extra = own.ExtraOf(v, carrierOr(&in, callCarrierKey, []string{"id"}), kit.NestedMember{Key: "function", Known: known})
	if isCarrier(&in, callCarrierKey) {
		r, _ := wire.Unpack(callwright.Reasoning{}, jsonx.TextOf(in.Get(callCarrierKey)))
		c.Signature, c.Origin = r.Signature, r.Origin
	}
	return c
}

// argumentsOf returns the arguments of a call as JSON: an object in compact form, a string unquoted, nil for null.
func argumentsOf(v []byte) json.RawMessage {
	switch {
	case jsonx.IsNull(v):
		return nil
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}
