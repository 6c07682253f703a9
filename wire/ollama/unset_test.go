package ollama_test

import (
	"testing"

	"github.com/callwright/callwright/wire/ollama"
	"github.com/callwright/callwright/wire/wiretest"
)

// The optional members of a request may be null, empty, or such as nobody knows.
func TestOptionalMembers(t *testing.T) {
	const full = `{"model":"m","stream":false,"format":"json","think":true,"keep_alive":"5m","truncate":true,"shift":true,"logprobs":false,"top_logprobs":0,` +
		`"options":{"num_predict":9,"temperature":1,"top_p":1,"top_k":1,"presence_penalty":1,"frequency_penalty":1,"seed":1,"stop":["x"],"num_ctx":9},` +
		`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"x":{"type":"integer"}}}}}],` +
		`"messages":[{"role":"system","content":"be"},{"role":"user","content":"q","images":["aQ=="]},` +
		`{"role":"assistant","content":"c","thinking":"h","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{"x":1}}}]},` +
		`{"role":"tool","content":"r","tool_name":"f","tool_call_id":"a"}]}`
	wiretest.Unset(t, ollama.Codec{}, full, []string{"/model", "/messages", "/messages/*/role", "/messages/*/tool_calls/*/function", "/messages/*/tool_calls/*/function/name", "/tools/*/function", "/tools/*/function/name"},
		map[string]string{"/tools": "[]", "/format": `""`, "/options": "{}", "/options/stop": "[]", "/messages/*/tool_calls": "[]", "/messages/*/images": "[]", "/messages/*/content": `""`,
			"/messages/*/thinking": `""`, "/messages/*/tool_calls/*/id": `""`, "/messages/*/tool_calls/*/function/arguments": "{}", "/tools/*/function/parameters": "{}", "/tools/*/function/description": `""`, "/messages/*/tool_call_id": `""`, "/think": `""`})
}
