package items

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// repeated are the members in which an answer repeats the request, with the default where neither says anything: every member that
// OpenAI's and Open Responses' schemas of a response require, of the type that both take. Tools and instructions are not repeated:
// they are large, and would stand in three events of each stream. Where parts is set, an object of the request that lacks one of
// these members gets it.
//
// https://github.com/openresponses/openresponses/blob/main/schema/components/schemas/ResponseResource.json
var repeated = []struct {
	key, otherwise string
	parts          [][2]string // names and values
}{
	{key: "background", otherwise: "false"}, {key: "frequency_penalty", otherwise: "0"}, {key: "instructions", otherwise: "null"},
	{key: "max_output_tokens", otherwise: "null"}, {key: "max_tool_calls", otherwise: "null"}, {key: "metadata", otherwise: "{}"},
	{key: "parallel_tool_calls", otherwise: "true"}, {key: "presence_penalty", otherwise: "0"}, {key: "previous_response_id", otherwise: "null"},
	{key: "prompt_cache_key", otherwise: "null"},
	{key: "reasoning", otherwise: `{"effort":null,"summary":null}`, parts: [][2]string{{"effort", "null"}, {"summary", "null"}}},
	{key: "safety_identifier", otherwise: "null"}, {key: "service_tier", otherwise: `"default"`}, {key: "store", otherwise: "true"},
	{key: "temperature", otherwise: "1"}, {key: "text", otherwise: `{"format":{"type":"text"}}`, parts: [][2]string{{"format", `{"type":"text"}`}}},
	{key: "tool_choice", otherwise: `"auto"`}, {key: "tools", otherwise: "[]"}, {key: "top_logprobs", otherwise: "0"}, {key: "top_p", otherwise: "1"},
	{key: "truncation", otherwise: `"disabled"`}, {key: "user", otherwise: "null"},
}

// WriteRepeated writes the members in which an answer repeats its request. of gives a member of the request, nil where the answer does
// not repeat it, or says that the answer has the member already.
func WriteRepeated(w *kit.Writer, of func(key string) (v []byte, skip bool)) {
	for _, r := range repeated {
		v, skip := of(r.key)
		switch {
		case skip:
		case jsonx.IsNull(v):
			w.Raw(r.key, []byte(r.otherwise))
		case r.parts == nil || !jsonx.IsObject(v):
			w.Raw(r.key, v)
		default:
			w.Open(r.key, '{')
			for name, member := range jsonx.Members(v) {
				w.Raw(string(name.Text()), member)
			}
			for _, part := range r.parts {
				if _, has := jsonx.Find(v, part[0]); !has {
					w.Raw(part[0], []byte(part[1]))
				}
			}
			w.Close('}')
		}
	}
}
