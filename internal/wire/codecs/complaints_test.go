package codecs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// spoken is an answer with everything: text, then two calls.
var spoken = []callwright.Event{
	callwright.Begin{ID: "a1", Model: "m"}, callwright.TextDelta{Text: "Let me look."},
	callwright.CallBegin{ID: "c1", Name: "look"}, callwright.CallDelta{Text: `{"at":`}, callwright.CallDelta{Text: `"x"}`}, callwright.CallEnd{},
	callwright.CallBegin{Index: 1, ID: "c2", Name: "look"}, callwright.CallDelta{Index: 1, Text: `{}`}, callwright.CallEnd{Index: 1},
	callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 3, Output: 5}}, callwright.End{Finish: callwright.FinishCalls},
}

// Each row takes something that clients insist on out of a sound stream, everywhere it stands.
var missed = map[callwright.WireName][]struct{ was, now, says string }{
	callwright.WireOpenAI: {
		{`"choices":[{"index":0,`, `"choices":[{`, "index: expected a number"},
		{`"role":"assistant",`, ``, "role: expected a string"},
		{`"id":"c1",`, ``, "id: expected a string"},
		{`"id":"c1","type":"function",`, `"id":"c1",`, "type: expected"},
		{`"tool_calls":[{"index":1,"id"`, `"tool_calls":[{"index":0,"id"`, "once more"},
		{`[{"index":0,"function":{"arguments":"\"x\"}"}}]`, `[{"index":0,"id":"c1","function":{"name":"look","arguments":"\"x\"}"}}]`, "id and type once more"},
		{`"tool_calls":[{"index":1,"id"`, `"tool_calls":[{},{"index":1,"id"`, "2 calls in one delta"},
		{`"\"x\"}"`, `"\"x\""`, "arguments that are no object"},
		{`"finish_reason":"tool_calls"`, `"finish_reason":"stop"`, `finish reason "stop"`},
		{`"finish_reason":"tool_calls"`, `"finish_reason":null`, "no finish reason"},
		{`,"finish_reason":null`, ``, "no member finish_reason"},
		{`"choices":[],"usage"`, `"choices":[],"used"`, "usage was asked for: true, came: false"},
		{`"choices":[],"usage"`, `"choices":[{"index":0,"delta":{},"finish_reason":null}],"usage"`, "one last chunk"},
		{"data: [DONE]\n\n", ``, "no [DONE]"},
	},
	callwright.WireResponses: {
		{"event: response.created\n", "event: response.made\n", "the first event"},
		{"event: response.output_item.added\n", "event: response.output_item.begun\n", "no item is open"},
		{"event: response.content_part.added\n", "event: response.content_part.begun\n", "outside its part"},
		{`"output_index":1`, `"output_index":0`, "output_index: expected 1, got 0"},
		{`"content_index":0`, `"content":0`, "content_index: expected a number"},
		{`"item_id":"`, `"item_id":"other_`, "item_id: expected"},
		{`"created_at":`, `"made_at":`, "created_at: expected a number"},
		{`"status":"in_progress","call_id"`, `"call_id"`, "status: expected"},
		{`"delta":"{\"at\":"`, `"delta":""`, "arguments: expected"},
		{`"annotations":[]`, `"notes":[]`, "annotations: expected a list"},
		{"event: response.output_item.done\n", "event: response.output_item.ended\n", "an item inside another"},
		{"event: response.completed\n", "event: response.ended\n", "the stream has no end"},
		{`"output":[{`, `"output":[],"put":[{`, "expected the items as they were done"},
	},
	callwright.WireAnthropic: {
		{`"usage":{"input_tokens":0,`, `"usage":{`, "usage.input_tokens: expected a number"},
		{`"output_tokens":5`, `"output":5`, "usage.output_tokens: expected a number"},
		{`"type":"content_block_delta","index":0`, `"type":"content_block_delta"`, "index: expected a number"},
		{`{"type":"text","text":""}`, `{"type":"text"}`, "text: expected a string"},
		{"event: content_block_stop\n", "event: content_block_end\n", "a block inside another"},
		{"event: message_start\n", "event: message_begin\n", "the first event"},
		{"event: message_stop\n", "event: message_end\n", "the stream has no end"},
		{`"id":"c1",`, ``, "id: expected a string"},
		{`"stop_reason":"tool_use"`, `"stop_reason":"end_turn"`, `stop reason "end_turn"`},
	},
	callwright.WireGemini: {
		{`"finishReason":"STOP"`, `"reason":"STOP"`, "no finish reason"},
		{`"usageMetadata":`, `"usageMetadata":null,"used":`, "usageMetadata: expected an object"},
		{`"args":`, `"with":`, "args: expected an object"},
		{`"role":"model"`, `"role":"user"`, "role: expected"},
	},
	callwright.WireOllama: {
		{`"done":true`, `"done":false`, "done is false"},
		{`"arguments":{`, `"with":{`, "arguments: expected an object"},
		{`"content":""`, `"said":""`, "content: expected a string"},
		{`"done_reason":`, `"reason":`, "done_reason: expected"},
	},
}

// Clients have nothing to say against what the encoders write, and something against whatever is missing of it.
func TestComplaints(t *testing.T) {
	for _, c := range codecs.All() {
		inCall := 1 + slices.IndexFunc(spoken, func(ev callwright.Event) bool { _, is := ev.(callwright.CallDelta); return is })
		stream := string(wiretest.EncodeBatches(c, []callwright.Batch{{Events: spoken[:inCall]}, {Events: spoken[inCall:]}}))
		kind := c.NewStreamEncoder(&callwright.Request{}).ContentType()
		if got := wiretest.StreamComplaints(c.Name(), kind, []byte(stream), true); len(got) > 0 {
			t.Errorf("%s: complaints of a sound stream: %q", c.Name(), got)
		}
		if !wiretest.HasTerminator(c.Name(), []byte(stream)) {
			t.Errorf("%s: a whole stream is not told from a cut one: %s", c.Name(), stream)
		}
		for _, m := range missed[c.Name()] {
			without := strings.ReplaceAll(stream, m.was, m.now)
			if without == stream {
				t.Errorf("%s: expected %s in %s", c.Name(), m.was, stream)
			}
			got := wiretest.StreamComplaints(c.Name(), kind, []byte(without), true)
			if !strings.Contains(strings.Join(got, "\n"), m.says) {
				t.Errorf("%s, %s for %s: expected a complaint with %q, got %q", c.Name(), m.now, m.was, m.says, got)
			}
		}
	}
}
