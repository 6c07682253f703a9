package anthropic_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

func TestRepeats(t *testing.T) {
	event := func(name, data string) string {
		return "event: " + name + "\ndata: {\"type\":\"" + name + "\"," + data + "}\n\n"
	}
	delta := func(data string) string { return event("content_block_delta", data) }
	wiretest.Repeats(t, anthropic.Codec{}, event("message_start", `"message":{"id":"m1","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":1}}`), []string{
		event("content_block_start", `"index":0,"content_block":{"type":"text","text":%s}`),
		event("content_block_start", `"index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}`),
		event("content_block_start", `"index":1,"content_block":{"type":"thinking","thinking":%s,"signature":""}`),
		event("content_block_stop", `"index":0`),
		event("content_block_stop", `"index":1`),
		delta(`"index":0,"delta":{"type":"text_delta","text":%s}`),
		delta(`"index":0,"delta":{"type":"text_delta","text":%s,"odd":1}`),
		delta(`"index":0,"delta":{"type":"input_json_delta","partial_json":%s}`),
		delta(`"index":1,"delta":{"type":"thinking_delta","thinking":%s}`),
		delta(`"index":1,"delta":{"type":"signature_delta","signature":%s}`),
		delta(`"index":0,"delta":{"type":"citations_delta","citation":{"cited_text":%s}}`),
		delta(`"index":2,"delta":{"type":"text_delta","text":%s}`),
		delta(`"index":0,"delta":{"type":"other_delta","text":%s}`),
		"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%s}}\n\n",
		": a comment\n" + delta(`"index":0,"delta":{"type":"text_delta","text":%s}`),
		event("ping", `"text":%s`),
		event("message_delta", `"delta":{"stop_reason":"end_turn","odd":%s},"usage":{"output_tokens":2}`),
	}, event("message_delta", `"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}`)+event("message_stop", `"odd":1`))
}
