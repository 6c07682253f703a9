package codecs

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A mark is a member that occurs only in requests of one API. path leads to the member; "*" in it stands for each
// element of a list. If kind or text is set, the value must have that JSON kind or be that string.
type mark struct {
	wire callwright.WireName
	path []string
	kind jsonx.Kind
	text string
}

// marks lists the members by which Detect recognizes the API of a request body, in the order of its tests. The first
// ones are names of the list of messages that only one API has. The other APIs all have a member "messages".
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

	// The member thinking is Anthropic's, but providers of the OpenAI API accept it too: test OpenAI's members first.
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

// Detect returns the API of a request body: the API of the first of marks that the body matches. It returns
// callwright.WireOpenAI if no mark matches or the body is not valid JSON; decoding then gives the error.
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

// in reports whether path leads from the JSON value v to a value that matches the mark. path is the rest of m.path.
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
