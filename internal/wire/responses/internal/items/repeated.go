package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/credential"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// repeated are the request parameters that a response object repeats: all that the response schemas of OpenAI and of
// Open Responses require. otherwise is the default value, of a JSON type that both schemas allow. If write is set, it
// writes the request's value with the members that the schemas require in it. Otherwise the value is copied.
//
// https://github.com/openresponses/openresponses/blob/main/schema/components/schemas/ResponseResource.json
var repeated = []struct {
	key, otherwise string
	write          func(w *kit.Writer, key string, v []byte)
}{
	{key: "background", otherwise: "false"}, {key: "frequency_penalty", otherwise: "0"}, {key: "instructions", otherwise: "null"},
	{key: "max_output_tokens", otherwise: "null"}, {key: "max_tool_calls", otherwise: "null"}, {key: "metadata", otherwise: "{}"},
	{key: "parallel_tool_calls", otherwise: "true"}, {key: "presence_penalty", otherwise: "0"},
	{key: "previous_response_id", otherwise: "null"},
	{key: "prompt_cache_key", otherwise: "null"},
	{key: "reasoning", otherwise: `{"effort":null,"summary":null}`, write: writeReasoning},
	{key: "safety_identifier", otherwise: "null"}, {key: "service_tier", otherwise: `"default"`}, {key: "store", otherwise: "true"},
	{key: "temperature", otherwise: "1"}, {key: "text", otherwise: `{"format":` + textFormat + `}`, write: writeText},
	{key: "tool_choice", otherwise: `"auto"`, write: writeToolChoice}, {key: "tools", otherwise: "[]", write: writeTools},
	{key: "top_logprobs", otherwise: "0"}, {key: "top_p", otherwise: "1"}, {key: "truncation", otherwise: `"disabled"`},
	{key: "user", otherwise: "null"},
}

// A RepeatSource provides the values of the request parameters that a response repeats.
type RepeatSource struct {
	Find    func(key string) []byte // returns a member of the request's body, nil if missing; nil if it is not of this API
	Earlier string                  // id of the earlier response that the gateway inserted, "" if none
	Answer  callwright.Extra        // members of the provider's response, which already repeat parameters
}

// of returns the value of the parameter key. skip is true if the provider's response already has it.
func (a *RepeatSource) of(key string) (v []byte, skip bool) {
	switch {
	case own.Member(a.Answer, key) != nil:
		return nil, true
	case key == "previous_response_id" && a.Earlier != "":
		return jsonx.AppendQuote(nil, a.Earlier), false
	case a.Find != nil:
		return a.Find(key), false
	}
	return nil, false
}

// Room returns the approximate length of all repeated parameters in bytes.
func (a *RepeatSource) Room() int {
	const rest = 1 << 10 // all members but the long ones
	if a.Find == nil {
		return rest
	}
	return rest + len(a.Find("instructions")) + len(a.Find("tools"))*9/8
}

// WriteRepeated writes the request parameters that a response repeats, as members of the open object.
func WriteRepeated(w *kit.Writer, asked *RepeatSource) {
	for _, r := range repeated {
		v, skip := asked.of(r.key)
		switch {
		case skip:
		case jsonx.IsNull(v):
			w.Raw(r.key, []byte(r.otherwise))
		case r.write == nil:
			w.Raw(r.key, v)
		default:
			r.write(w, r.key, v)
		}
	}
}

// textFormat is the default value of text.format.
const textFormat = `{"type":"text"}`

// A requiredMember is a member that the response schemas require in an object and that a request may omit. otherwise is
// its default.
type requiredMember struct {
	name, otherwise string
	nullable        bool // the schemas allow null
}

var (
	reasoningMembers = []requiredMember{{"effort", "null", true}, {"summary", "null", true}}
	functionMembers  = []requiredMember{{"type", `"function"`, false}, {"description", "null", true},
		{"parameters", "null", true}, {"strict", "null", true}}
	jsonSchemaMembers = []requiredMember{{"description", "null", true}, {"strict", "false", false}}
	allowedMembers    = []requiredMember{{"mode", `"auto"`, false}}
)

// writeObject writes the object v as the member key, and adds the required members that it lacks. A null counts as
// missing if the schemas do not allow null.
func writeObject(w *kit.Writer, key string, v []byte, required []requiredMember) {
	var has uint
	w.Open(key, '{')
	for name, m := range jsonx.Members(v) {
		at := -1
		for i, r := range required {
			if name.Is(r.name) {
				at = i
			}
		}
		if at >= 0 {
			if !required[at].nullable && jsonx.IsNull(m) {
				continue
			}
			has |= 1 << at
		}
		w.Add(name, m)
	}
	for i, r := range required {
		if has&(1<<i) == 0 {
			w.Raw(r.name, []byte(r.otherwise))
		}
	}
	w.Close('}')
}

func writeReasoning(w *kit.Writer, key string, v []byte) {
	if !jsonx.IsObject(v) {
		w.Raw(key, v)
		return
	}
	writeObject(w, key, v, reasoningMembers)
}

// writeText writes the parameter text without null members, which the schemas do not allow.
func writeText(w *kit.Writer, key string, v []byte) {
	if !jsonx.IsObject(v) {
		w.Raw(key, v)
		return
	}
	has := false
	w.Open(key, '{')
	for name, m := range jsonx.Members(v) {
		switch {
		case jsonx.IsNull(m):
		case name.Is("format"):
			has = true
			if kit.TextAt(m, "type") == "json_schema" {
				writeObject(w, "format", m, jsonSchemaMembers)
			} else {
				w.Add(name, m)
			}
		default:
			w.Add(name, m)
		}
	}
	if !has {
		w.Raw("format", []byte(textFormat))
	}
	w.Close('}')
}

func writeToolChoice(w *kit.Writer, key string, v []byte) {
	if kit.TextAt(v, "type") != "allowed_tools" {
		w.Raw(key, v)
		return
	}
	writeObject(w, key, v, allowedMembers)
}

// writeTools writes the list of tools without the credentials of MCP servers, because responses are stored and OpenAI's
// API omits them too (https://platform.openai.com/docs/guides/tools-connectors-mcp). Functions get all members that
// OpenAI's API repeats, null if the request does not have them.
func writeTools(w *kit.Writer, key string, v []byte) {
	w.Raw(key, kit.WriteToolList(v, repeatedTools{}, func() []byte {
		tools := kit.Writer{API: w.API, Buf: make([]byte, 0, len(v)+len(v)/8)}
		listTools(&tools, credential.HideIn("tools", v))
		return tools.Buf
	}))
}

// repeatedTools is the cache key of kit.WriteToolList for tool lists in responses.
type repeatedTools struct{}

func listTools(w *kit.Writer, list []byte) {
	w.Open("", '[')
	for tool := range jsonx.Elements(list) {
		kind, _ := jsonx.Find(tool, "type")
		if jsonx.IsObject(tool) && (jsonx.IsNull(kind) || jsonx.TextOf(kind) == "function") {
			writeObject(w, "", tool, functionMembers)
		} else {
			w.Raw("", tool)
		}
	}
	w.Close(']')
}
