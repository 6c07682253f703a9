package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// callStreams are the events of streams with a call, by wire: what comes before it, another call, the beginning of the call with its name, its
// arguments, its own end where the API has one, the finish reason and the end mark. Of APIs whose calls come whole there is none.
var callStreams = map[callwright.WireName]struct{ before, other, name, arguments, end, finish, mark string }{
	callwright.WireOpenAI: {
		before:    `data: {"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"I look."},"finish_reason":null}]}`,
		other:     `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c0","type":"function","function":{"name":"stat","arguments":"{\"path\":\"/a\"}"}}]},"finish_reason":null}]}`,
		name:      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c1","type":"function","function":{"name":"ls","arguments":""}}]},"finish_reason":null}]}`,
		arguments: `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"finish_reason":null}]}`,
		finish:    `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		mark:      `data: [DONE]`,
	},
	callwright.WireAnthropic: {
		before: `data: {"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
		other: `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c0","name":"stat","input":{}}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"/a\"}"}}

data: {"type":"content_block_stop","index":0}`,
		name:      `data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"ls","input":{}}}`,
		arguments: `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
		end:       `data: {"type":"content_block_stop","index":1}`,
		finish:    `data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}`,
		mark:      `data: {"type":"message_stop"}`,
	},
	callwright.WireResponses: {
		before: `data: {"type":"response.created","response":{"id":"a","object":"response","status":"in_progress","model":"m","output":[]}}`,
		other: `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f0","call_id":"c0","name":"stat","arguments":""}}

data: {"type":"response.function_call_arguments.delta","output_index":0,"item_id":"f0","delta":"{\"path\":\"/a\"}"}

data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f0","call_id":"c0","name":"stat","arguments":"{\"path\":\"/a\"}"}}`,
		name:      `data: {"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f1","call_id":"c1","name":"ls","arguments":""}}`,
		arguments: `data: {"type":"response.function_call_arguments.delta","output_index":1,"item_id":"f1","delta":"{}"}`,
		end:       `data: {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f1","call_id":"c1","name":"ls","arguments":""}}`,
		mark:      `data: {"type":"response.completed","response":{"id":"a","object":"response","status":"completed","model":"m","output":[]}}`,
	},
}

// TestCallWithoutArguments: a stream that ends behind the name of its last call was cut, unless something says that the call or the answer was finished. No
// arguments are made up for it.
func TestCallWithoutArguments(t *testing.T) {
	for _, c := range codecs.All() {
		s, ok := callStreams[c.Name()]
		if !ok {
			continue
		}
		for _, tc := range []struct {
			what   string
			events []string
			cut    bool
		}{
			{"a name", []string{s.before, s.name, s.mark}, true},
			{"a name behind another call", []string{s.before, s.other, s.name, s.mark}, true},
			{"a name at the beginning", []string{s.name, s.mark}, true},
			{"arguments", []string{s.before, s.other, s.name, s.arguments, s.mark}, false},
			{"the end of the call", []string{s.before, s.other, s.name, s.end, s.mark}, s.end == ""},
			{"a finish reason", []string{s.before, s.other, s.name, s.finish, s.mark}, s.finish == ""},
			{"all", []string{s.before, s.other, s.name, s.arguments, s.end, s.finish, s.mark}, false},
		} {
			var b strings.Builder
			for _, e := range tc.events {
				if e != "" {
					b.WriteString(e + "\n\n")
				}
			}
			got := wiretest.Decode(c, strings.NewReader(b.String()))
			called := strings.Contains(got.Dump(), "\ncall ") && strings.Contains(got.Dump(), "ls")
			if tc.cut && callwright.KindOf(got.Err) != callwright.KindTruncated || !tc.cut && (got.Err != nil || !called) {
				t.Errorf("%s, %s: %v, %s", c.Name(), tc.what, got.Err, got.Dump())
			}
		}
	}
}
