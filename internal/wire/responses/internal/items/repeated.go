package items

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/credential"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// repeated are the members in which an answer repeats the request, with the default where neither says anything: every member that
// OpenAI's and Open Responses' schemas of a response require, of the type that both take. Where write is set, it writes a value of the
// request with the members that the schemas require inside it; else the value is written as it is.
//
// https://github.com/openresponses/openresponses/blob/main/schema/components/schemas/ResponseResource.json
var repeated = []struct {
	key, otherwise string
	write          func(w *kit.Writer, key string, v []byte)
}{
	{key: "background", otherwise: "false"}, {key: "frequency_penalty", otherwise: "0"}, {key: "instructions", otherwise: "null"},
	{key: "max_output_tokens", otherwise: "null"}, {key: "max_tool_calls", otherwise: "null"}, {key: "metadata", otherwise: "{}"},
	{key: "parallel_tool_calls", otherwise: "true"}, {key: "presence_penalty", otherwise: "0"}, {key: "previous_response_id", otherwise: "null"},
	{key: "prompt_cache_key", otherwise: "null"},
	{key: "reasoning", otherwise: `{"effort":null,"summary":null}`, write: writeReasoning},
	{key: "safety_identifier", otherwise: "null"}, {key: "service_tier", otherwise: `"default"`}, {key: "store", otherwise: "true"},
	{key: "temperature", otherwise: "1"}, {key: "text", otherwise: `{"format":` + textFormat + `}`, write: writeText},
	{key: "tool_choice", otherwise: `"auto"`, write: writeToolChoice}, {key: "tools", otherwise: "[]", write: writeTools},
	{key: "top_logprobs", otherwise: "0"}, {key: "top_p", otherwise: "1"}, {key: "truncation", otherwise: `"disabled"`}, {key: "user", otherwise: "null"},
}

// A RepeatSource is what an answer may repeat.
type RepeatSource struct {
	Find    func(key string) []byte // finds a member of the request, nil where it has none; nil without a request of this API
	Earlier string                  // the id of the answer that the request goes on from, "" where the request itself says it
	Answer  callwright.Extra        // members that the answer came with: they stand for those of the request
}

// of returns a member of the request. skip is true where the answer came with it.
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

// A Repeated is the members in which the objects of one stream repeat the request, encoded for the first of them. A nil Repeated encodes
// them each time.
type Repeated []byte

// Write writes the members, one after another.
func (r *Repeated) Write(w *kit.Writer, asked *RepeatSource) {
	if r != nil && len(*r) > 0 {
		w.Comma()
		w.Buf = append(w.Buf, *r...)
		return
	}
	at := len(w.Buf)
	writeRepeated(w, asked)
	if r != nil {
		*r = bytes.Clone(bytes.TrimPrefix(w.Buf[at:], []byte{','}))
	}
}

func writeRepeated(w *kit.Writer, asked *RepeatSource) {
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

// textFormat is the format of an answer whose request names none.
const textFormat = `{"type":"text"}`

// A requiredMember is a member that a schema of the API requires of an object which the request may give without it.
type requiredMember struct {
	name, otherwise string
	nullable        bool
}

var (
	reasoningMembers  = []requiredMember{{"effort", "null", true}, {"summary", "null", true}}
	functionMembers   = []requiredMember{{"type", `"function"`, false}, {"description", "null", true}, {"parameters", "null", true}, {"strict", "null", true}}
	jsonSchemaMembers = []requiredMember{{"description", "null", true}, {"strict", "false", false}}
	allowedMembers    = []requiredMember{{"mode", `"auto"`, false}}
)

// writeObject writes an object, then the required members that it lacks. Null stands for a missing member where the schema allows no null.
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

// writeText writes the settings of the text, without members that are null: the schemas allow none.
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

// writeTools writes the list of tools, without credentials for their servers: functions have the members that OpenAI's API repeats, null
// where the request does not give them.
func writeTools(w *kit.Writer, key string, v []byte) {
	w.Open(key, '[')
	for tool := range jsonx.Elements(withoutCredentials(v)) {
		kind, _ := jsonx.Find(tool, "type")
		if jsonx.IsObject(tool) && (jsonx.IsNull(kind) || jsonx.TextOf(kind) == "function") {
			writeObject(w, "", tool, functionMembers)
		} else {
			w.Raw("", tool)
		}
	}
	w.Close(']')
}

// withoutCredentials is a list of tools of a request without the credentials that the tools have for their servers. Answers are kept, and
// OpenAI's API repeats none: https://platform.openai.com/docs/guides/tools-connectors-mcp
func withoutCredentials(tools []byte) []byte {
	shown := credential.Hide(slices.Concat([]byte(`{"tools":`), tools, []byte{'}'}))
	list, _ := jsonx.Find(shown, "tools")
	return list
}
