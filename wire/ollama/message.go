package ollama

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// The members that carry state of other wires, with clients of this one: of a call, and of a message's reasoning.
const (
	callCarrierKey = "signature"
	carrierKey     = "thinking_signature"
)

// The members that are decoded; all others are kept as Extra.
var (
	assistantKeys = []string{"role", "content", "images", "thinking", "tool_calls"}
	messageKeys   = []string{"role", "content", "images"}
	resultKeys    = []string{"role", "content", "images", "tool_name", "tool_call_id"}
	functionIn    = []string{"name", "arguments"}
)

// decodeMessages decodes the history, whose shape was checked by the outline.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, len(b.turns))
	for i, at := range b.turns {
		out[i] = decodeMessage(b.At(at), b.Outline[i])
	}
	return kit.Placed(out), nil
}

func decodeMessage(v []byte, turn callwright.Summary) callwright.Message {
	m := callwright.Message{Role: turn.Role}
	switch turn.Role {
	case callwright.RoleAssistant:
		m.Parts = decodeAnswer(v, turn.Calls)
		m.Extra = own.ExtraOf(v, carrierOr(v, carrierKey, assistantKeys))
	case callwright.RoleTool:
		name, _ := jsonx.Find(v, "tool_name")
		r := callwright.Result{CallID: turn.Results[0], Name: jsonx.Alias(name), Parts: decodeContent(nil, v), Extra: own.ExtraOf(v, resultKeys)}
		m.Parts = []callwright.Part{r}
	default:
		m.Parts = decodeContent(nil, v)
		m.Extra = own.ExtraOf(v, messageKeys)
		if role, _ := jsonx.Find(v, "role"); jsonx.Alias(role) != string(turn.Role) {
			m.Extra = own.Keep(m.Extra, "role", role)
		}
	}
	return m
}

// carrierOr is the known keys with that of a carrier where v has one.
func carrierOr(v []byte, key string, known []string) []string {
	if isCarrier(v, key) {
		return append(known[:len(known):len(known)], key)
	}
	return known
}

func isCarrier(v []byte, key string) bool {
	c, ok := jsonx.Find(v, key)
	return ok && strings.HasPrefix(jsonx.Alias(c), wire.CarrierMark)
}

// decodeAnswer reads a message of the model's: reasoning, content, calls. The ids are those of refs, where there are any.
func decodeAnswer(v []byte, refs []callwright.CallRef) []callwright.Part {
	var parts []callwright.Part
	thinking, _ := jsonx.Find(v, "thinking")
	r := callwright.Reasoning{Text: jsonx.Alias(thinking), Origin: origin}
	if isCarrier(v, carrierKey) {
		c, _ := jsonx.Find(v, carrierKey)
		r, _ = wire.Unpack(r, jsonx.Alias(c))
	}
	if r.Text != "" || r.Signature != "" || r.Redacted != "" {
		parts = append(parts, r)
	}
	parts = decodeContent(parts, v)
	calls, _ := jsonx.Find(v, "tool_calls")
	n := 0
	for c := range jsonx.Elements(calls) {
		call := decodeCall(c, n)
		if n < len(refs) {
			call.ID = refs[n].ID
		}
		parts = append(parts, call)
		n++
	}
	return parts
}

// decodeContent adds the text and the images of a message. An empty text adds nothing.
func decodeContent(parts []callwright.Part, v []byte) []callwright.Part {
	content, _ := jsonx.Find(v, "content")
	if jsonx.IsText(content) && len(content) > 2 {
		parts = append(parts, callwright.Text{Text: jsonx.Alias(content)})
	}
	images, _ := jsonx.Find(v, "images")
	for i := range jsonx.Elements(images) {
		parts = append(parts, decodeImage(jsonx.Alias(i)))
	}
	return parts
}

// decodeCall reads call n of a message.
func decodeCall(v []byte, n int) callwright.Call {
	id, _ := jsonx.Find(v, "id")
	f, _ := jsonx.Find(v, "function")
	name, _ := jsonx.Find(f, "name")
	c := callwright.Call{ID: jsonx.Alias(id), Name: jsonx.Alias(name), Arguments: argumentsOf(f), Origin: origin}
	known := functionIn
	if index, ok := jsonx.Find(f, "index"); ok && isCount(index, n) {
		known = append(known[:len(known):len(known)], "index")
	}
	c.Extra = own.ExtraOf(v, carrierOr(v, callCarrierKey, []string{"id"}), kit.Nest{Key: "function", Known: known})
	if isCarrier(v, callCarrierKey) {
		packed, _ := jsonx.Find(v, callCarrierKey)
		r, _ := wire.Unpack(callwright.Reasoning{}, jsonx.Alias(packed))
		c.Signature, c.Origin = r.Signature, r.Origin
	}
	return c
}

// argumentsOf are the arguments of a function as text: the JSON of an object, the text where they came as text, which the
// server itself refuses, nothing for null.
func argumentsOf(f []byte) json.RawMessage {
	v, _ := jsonx.Find(f, "arguments")
	switch {
	case jsonx.IsNull(v):
		return nil
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}
