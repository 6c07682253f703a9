package codecs

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A mark is something that only requests of one wire have: a member at a path, whose "*" stands for each element of a
// list, of a kind or with a text where these are given.
type mark struct {
	wire callwright.WireName
	path []string
	kind jsonx.Kind
	text string
}

// marks are looked for in this order. Those of the wires that have a member of their own for the conversation come
// first; the others all have messages.
var marks = []mark{
	{wire: callwright.WireGemini, path: []string{"contents"}},
	{wire: callwright.WireGemini, path: []string{"generateContentRequest"}},
	{wire: callwright.WireResponses, path: []string{"input"}},
	{wire: callwright.WireResponses, path: []string{"previous_response_id"}},

	{wire: callwright.WireOllama, path: []string{"options"}, kind: jsonx.Object},
	{wire: callwright.WireOllama, path: []string{"think"}},
	{wire: callwright.WireOllama, path: []string{"keep_alive"}},
	{wire: callwright.WireOllama, path: []string{"format"}},
	{wire: callwright.WireOllama, path: []string{"messages", "*", "images"}, kind: jsonx.Array},
	{wire: callwright.WireOllama, path: []string{"messages", "*", "tool_name"}},
	{wire: callwright.WireOllama, path: []string{"messages", "*", "thinking"}},
	{wire: callwright.WireOllama, path: []string{"messages", "*", "tool_calls", "*", "function", "arguments"}, kind: jsonx.Object},

	// A thinking member is Anthropic's, but providers of the OpenAI wire have taken it over.
	{wire: callwright.WireOpenAI, path: []string{"tools", "*", "function"}},
	{wire: callwright.WireOpenAI, path: []string{"messages", "*", "tool_calls"}},
	{wire: callwright.WireOpenAI, path: []string{"messages", "*", "tool_call_id"}},

	{wire: callwright.WireAnthropic, path: []string{"system"}},
	{wire: callwright.WireAnthropic, path: []string{"stop_sequences"}},
	{wire: callwright.WireAnthropic, path: []string{"thinking"}},
	{wire: callwright.WireAnthropic, path: []string{"tools", "*", "input_schema"}},
	{wire: callwright.WireAnthropic, path: []string{"messages", "*", "content", "*", "type"}, text: "tool_use"},
	{wire: callwright.WireAnthropic, path: []string{"messages", "*", "content", "*", "type"}, text: "tool_result"},
	{wire: callwright.WireAnthropic, path: []string{"messages", "*", "content", "*", "type"}, text: "thinking"},
}

// Detect tells the wire of a request by the shape of its body: the wire of the first mark it has, and the OpenAI wire
// for a body that has none, or cannot be read: its codec says why. Whether there is a codec of that wire is another
// question.
func Detect(body []byte) callwright.WireName {
	if jsonx.Valid(body) == nil {
		for _, m := range marks {
			if m.in(body, m.path) {
				return m.wire
			}
		}
	}
	return callwright.WireOpenAI
}

// in reports whether the mark's path, from here on, leads to its value.
func (m *mark) in(v []byte, path []string) bool {
	if len(path) == 0 {
		kind := jsonx.KindOf(v)
		return kind != jsonx.Null && (m.kind == jsonx.Invalid || m.kind == kind) && (m.text == "" || jsonx.TextOf(v) == m.text)
	}
	if path[0] != "*" {
		next, ok := jsonx.Find(v, path[0])
		return ok && m.in(next, path[1:])
	}
	for e := range jsonx.Elements(v) {
		if m.in(e, path[1:]) {
			return true
		}
	}
	return false
}
