package openai_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

func TestRepeats(t *testing.T) {
	chunk := func(delta string) string {
		return `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
	}
	call := func(rest string) string {
		return chunk(`{"tool_calls":[{"index":0,` + rest + `}]}`)
	}
	wiretest.Repeats(t, openai.Codec{}, chunk(`{"role":"assistant","content":""}`), []string{
		chunk(`{"content":%s}`),
		chunk(`{"role":"assistant","content":%s,"tool_calls":null}`),
		chunk(`{"content":"again","refusal":%s}`),
		chunk(`{"content":%s,"reasoning_content":"thought"}`),
		chunk(`{"reasoning_content":%s}`),
		chunk(`{"content":%s,"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`),
		chunk(`{"content":"same","tool_calls":[{"index":0,"function":{"arguments":%s}}]}`),
		chunk(`{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":%s}}]}`),
		chunk(`{"tool_calls":[{"index":0,"function":{"arguments":%s}},{"index":1,"function":{"arguments":"x"}}]}`),
		chunk(`{"tool_calls":[{"function":{"arguments":%s}}]}`),
		chunk(`{"function_call":{"name":"f","arguments":%s}}`),
		chunk(`{"content":%s,"odd":{"a":1}}`),
		call(`"id":"c1","type":"function","function":{"name":"f","arguments":%s}`),
		call(`"function":{"arguments":%s}`),
		call(`"id":"c1","function":{"name":"f","arguments":%s}`),
		call(`"id":%s,"function":{"name":"f","arguments":"{}"}`),
		call(`"id":"c1","type":"custom","custom":{"name":"f","input":%s}`),
		`data: {"id":"c1","choices":[{"index":1,"delta":{"content":%s}}]}` + "\n\n",
		`data: {"id":"c1","choices":[{"index":0,"delta":{"content":%s},"finish_reason":"stop"}]}` + "\n\n",
		`data: {"id":"c1","choices":[{"index":0,"delta":{"content":%s}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}` + "\n\n",
		"event: error\n" + chunk(`{"content":%s}`),
		": a comment\n" + chunk(`{"content":%s}`),
	}, chunk(`{}`)+"data: [DONE]\n\n")
}
