package classes_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// Streams whose pieces are hard to put together, and texts that are easily damaged or lost.

// delta is a chunk with pieces of calls, each a JSON object.
func delta(calls ...string) string {
	list := make([]any, len(calls))
	for i, c := range calls {
		list[i] = json.RawMessage(c)
	}
	return chatChunk(m{"tool_calls": list}, nil)
}

// frames are a stream of chunks that ends with calls.
func frames(all ...string) []reply {
	return []reply{{frames: append(append([]string{chatChunk(m{"role": "assistant", "content": nil}, nil)}, all...), chatChunk(m{}, "tool_calls"), "[DONE]")}}
}

var (
	rome     = call{name: "get_weather", args: `{"city":"Rome"}`}
	twoTowns = []call{weather[0], rome}
	mixed    = []call{weather[0], reading("a")}
)

// item events of the Responses API.
func responseEvents(deltas, done, final string) []string {
	item := func(args, status string) m {
		return m{"id": "fc_0", "type": "function_call", "status": status, "call_id": "call_1", "name": "get_weather", "arguments": args}
	}
	out := []string{text(m{"type": "response.created", "sequence_number": 0, "response": m{"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress", "output": []any{}}}),
		text(m{"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item("", "in_progress")})}
	if deltas != "" {
		out = append(out, text(m{"type": "response.function_call_arguments.delta", "sequence_number": 2, "output_index": 0, "item_id": "fc_0", "delta": deltas}))
	}
	return append(out, text(m{"type": "response.function_call_arguments.done", "sequence_number": 3, "output_index": 0, "item_id": "fc_0", "arguments": done}),
		text(m{"type": "response.output_item.done", "sequence_number": 4, "output_index": 0, "item": item(final, "completed")}),
		text(m{"type": "response.completed", "sequence_number": 5, "response": m{"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": []any{item(final, "completed")},
			"usage": m{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}}))
}

// splitBytes is a streamed answer that leaves in pieces of one byte.
func splitBytes(a api, ans answer) reply {
	return reply{handle: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		all := ""
		for _, e := range ans.events(a) {
			all += framed(a, e)
		}
		for i := range len(all) {
			io.WriteString(w, all[i:i+1])
			if all[i] >= 0x80 {
				http.NewResponseController(w).Flush()
			}
		}
	}}
}

const umlauts = "Ich prüfe ÄÖÜ und 😀 für Sie."

var streamScenes = concat(
	[]scene{
		{class: "F25", name: "no deltas", at: []api{responses}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: responseEvents("", oslo, oslo)}}, want: want{calls: weather}},
		{class: "F25", name: "arguments in the item alone", at: []api{responses}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: responseEvents("", "", oslo)}}, want: want{calls: weather}},
		{class: "F25", name: "nothing in the final events", at: []api{responses}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: responseEvents(oslo, "", "")}}, want: want{calls: weather}},

		{class: "F26", name: "one index, no ids", doors: apis, only: "stream", ask: question("get_weather", "read_file"), replies: frames(
			delta(`{"index":0,"type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`),
			delta(`{"index":0,"type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`)), want: want{calls: mixed}},
		{class: "F26", name: "one index, the same name", doors: apis, only: "stream", ask: question("get_weather"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":""}}`), delta(`{"index":0,"function":{"arguments":"{\"city\":"}}`), delta(`{"index":0,"function":{"arguments":"\"Oslo\"}"}}`),
			delta(`{"index":0,"id":"call_2","type":"function","function":{"name":"get_weather","arguments":""}}`), delta(`{"index":0,"function":{"arguments":"{\"city\":\"Rome\"}"}}`)), want: want{calls: twoTowns}},
		{class: "F26", name: "one index twice in the first chunk", doors: apis, only: "stream", ask: question("get_weather", "read_file"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`, `{"index":0,"id":"call_2","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`)), want: want{calls: mixed}},
		{class: "F26", name: "interleaved", doors: apis, only: "stream", ask: question("get_weather", "read_file"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"ci"}}`), delta(`{"index":1,"id":"call_2","type":"function","function":{"name":"read_file","arguments":"{\"pa"}}`),
			delta(`{"index":0,"function":{"arguments":"ty\":\"Oslo\"}"}}`), delta(`{"index":1,"function":{"arguments":"th\":\"a\"}"}}`)), want: want{calls: mixed}},
		{class: "F26", name: "no index at all", doors: apis, only: "stream", ask: question("get_weather", "read_file"), replies: frames(
			delta(`{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), delta(`{"id":"call_2","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`)), want: want{calls: mixed}},
		{class: "F26", name: "whole arguments again in each piece", doors: apis, only: "stream", ask: question("get_weather"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":"}}`), delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`)), want: want{calls: weather}},

		{class: "F27", name: "the arguments under the next index", doors: apis, only: "stream", ask: question("get_weather"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":""}}`), delta(`{"index":1,"function":{"arguments":"{\"city\":"}}`), delta(`{"index":1,"function":{"arguments":"\"Oslo\"}"}}`)), want: want{calls: weather}},
		{class: "F27", name: "each piece under another index", doors: apis, only: "stream", ask: question("get_weather"), replies: frames(
			delta(`{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{"}}`), delta(`{"index":1,"id":null,"function":{"name":null,"arguments":"\"city\":"}}`), delta(`{"index":2,"function":{"arguments":"\"Oslo\"}"}}`)), want: want{calls: weather}},

		{class: "F28", name: "one id for all calls", at: []api{chat, responses, anthropic}, ask: question("get_weather"), replies: replied(answer{calls: []call{{"call_same00001", "get_weather", oslo}, {"call_same00001", "get_weather", rome.args}}}), want: want{calls: twoTowns}},
		{class: "F28", name: "no ids", only: "whole", doors: apis, ask: question("get_weather"), replies: []reply{{body: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]},"finish_reason":"tool_calls"}]}`}},
			want: want{calls: twoTowns}},
		{class: "F28", name: "the id of the round before", at: []api{chat, responses, anthropic}, doors: []api{chat, responses, anthropic}, before: []request{question("get_weather")}, onward: true, ask: question("get_weather"),
			replies: replied(answer{calls: []call{{"terminal_46", "get_weather", oslo}}}, answer{calls: []call{{"terminal_46", "get_weather", rome.args}}}), want: want{calls: []call{rome}}},
		{class: "F28", name: "an id with a number that begins anew", doors: []api{chat, responses, anthropic}, before: []request{question("get_weather")}, onward: true, ask: question("get_weather"),
			replies: replied(answer{calls: []call{{"functions.get_weather:0", "get_weather", oslo}}}, answer{calls: []call{{"functions.get_weather:0", "get_weather", rome.args}}}), want: want{calls: []call{rome}}},
		{class: "F28", name: "a history with one id in two rounds", doors: []api{chat, responses, anthropic}, at: []api{chat, anthropic, responses}, ask: request{tools: []string{"get_weather"}, turns: []turn{{role: "user", text: "Hm?"},
			{role: "assistant", calls: []call{{"terminal_46", "get_weather", oslo}}}, {role: "tool", results: []result{{id: "terminal_46", name: "get_weather", text: "12"}}},
			{role: "assistant", calls: []call{{"terminal_46", "get_weather", rome.args}}}, {role: "tool", results: []result{{id: "terminal_46", name: "get_weather", text: "20"}}}}}, replies: replied(sunny), refuse: uniqueIDs, want: want{text: "It is sunny."}},

		{class: "F30", name: "stop beside calls", at: []api{chat, anthropic}, doors: apis, ask: question("get_weather"), replies: replied(answer{calls: weather, finish: "stop"}), want: want{calls: weather}},
		{class: "F30", name: "calls without any", at: []api{chat}, doors: apis, ask: question("get_weather"), replies: replied(answer{text: "It is sunny.", finish: "tool_calls"}), want: want{text: "It is sunny."}},
		{class: "F30", name: "tool_use without any", at: []api{anthropic}, doors: apis, ask: question("get_weather"), replies: replied(answer{text: "It is sunny.", finish: "tool_use"}), want: want{text: "It is sunny."}},
		{class: "F30", name: "a filter beside a call", at: []api{chat}, doors: apis, ask: question("get_weather"), replies: replied(answer{calls: weather, finish: "content_filter"}), want: want{calls: weather}},

		{class: "F32", name: "characters cut by packets", doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{splitBytes(chat, answer{text: umlauts})}, want: want{text: umlauts, quiet: "nothing is changed"}},
		{class: "F32", name: "characters of arguments cut by packets", at: []api{anthropic}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{splitBytes(anthropic, native("get_weather", `{"city":"Tromsø 😀"}`))},
			want: want{calls: []call{{name: "get_weather", args: `{"city":"Tromsø 😀"}`}}, quiet: "nothing is changed"}},
		{class: "F32", name: "surrogates in two deltas", doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: []string{
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A \ud83d"},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"\ude00 b"},"finish_reason":null}]}`, chatChunk(m{}, "stop"), "[DONE]"}}}, want: want{text: "A 😀 b"}},
		{class: "F32", name: "surrogates in two deltas of arguments", at: []api{chat}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: []string{
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"\ud83d"}}]},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\ude00\"}"}}]},"finish_reason":null}]}`, chatChunk(m{}, "tool_calls"), "[DONE]"}}},
			want: want{calls: []call{{name: "get_weather", args: `{"city":"😀"}`}}}},
		{class: "F32", name: "surrogates in two deltas of Anthropic's API", at: []api{anthropic}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: halved(answer{text: "A 😀 b"}.events(anthropic))}}, want: want{text: "A 😀 b"}},
		{class: "F32", name: "surrogates in two lines", at: []api{ollama}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: halved(answer{text: "A 😀 b"}.events(ollama))}}, want: want{text: "A 😀 b"}},
		{class: "F32", name: "entities of a native value stay", at: apis, ask: question("write_file"), replies: replied(native("write_file", `{"path":"a","content":"a &lt; b &amp;&amp; c"}`)), want: want{calls: []call{{name: "write_file", args: `{"path":"a","content":"a &lt; b &amp;&amp; c"}`}}, quiet: "nothing is changed"}},
	},
	inText([]written{
		{class: "F32", name: "line ends inside an element", said: "<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n\n  two\n\nlines\n\n</parameter>\n</function>",
			calls: []call{{name: "write_file", args: `{"path":"a","content":"\n  two\n\nlines\n"}`}}, named: "F03"},
		{class: "F32", name: "a closing tag inside a value", said: "<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nwrite </parameter> at the end\n</parameter>\n</function>",
			calls: []call{{name: "write_file", args: `{"path":"a","content":"write </parameter> at the end"}`}}, named: "F03"},

		{class: "F33", name: "text before, between and behind", said: "One.\n" + hermesOslo + "\nTwo.\n" + strings.ReplaceAll(hermesOslo, "Oslo", "Rome") + "\nThree.", calls: twoTowns, rest: "One. Two. Three.", named: "F02"},
		{class: "F33", name: "the same call twice", said: hermesOslo + "\n" + hermesOslo, calls: []call{weather[0], weather[0]}, named: "F02"},
		{class: "F33", name: "a sibling of no declared tool", said: "One.\n" + hermesOslo + "\n" + strings.ReplaceAll(hermesOslo, "get_weather", "nothing_such"), calls: weather, rest: "One.", named: "F02"},
	}),
	[]scene{
		{class: "F33", name: "native calls twice, and text", at: apis, ask: question("get_weather"), replies: replied(answer{text: "Looking twice.", calls: []call{weather[0], weather[0]}}), want: want{text: "Looking twice.", calls: []call{weather[0], weather[0]}, quiet: "nothing is changed"}},
		{class: "F34", name: "an answered call beside the finished document", doors: []api{chat}, ask: request{tools: []string{"get_weather"}, turns: past.turns,
			more: map[api]string{chat: `"response_format": {"type":"json_schema","json_schema":{"name":"w","schema":{"type":"object","properties":{"degrees":{"type":"integer"}},"required":["degrees"]}}}`}},
			replies: replied(answer{text: `{"degrees":12}`, calls: weather}), want: want{text: `{"degrees":12}`}},
		{class: "F34", name: "the answered call once more", at: []api{chat}, doors: apis, ask: request{tools: []string{"get_weather"}, more: map[api]string{}, turns: append(past.turns, turn{role: "user", text: "And?"})},
			replies: replied(native("get_weather", oslo)), want: want{calls: weather, quiet: "a client's own loop"}},
	},
)

// halved are the events of a text with an emoji, which is cut between its surrogates at the end of the first piece.
func halved(events []string) (out []string) {
	for _, e := range events {
		if before, behind, ok := strings.Cut(e, "😀"); ok {
			out = append(out, before+`\ud83d"`+behind[strings.IndexByte(behind, '"')+1:], strings.ReplaceAll(e, "A 😀", `\ude00`))
			continue
		}
		out = append(out, e)
	}
	return out
}

// uniqueIDs refuses histories in which two calls have one id, or a call no result.
func uniqueIDs(r *received) *refusal {
	seen := map[string]bool{}
	for _, id := range pastIDs(r) {
		if seen[id] || id == "" {
			return &refusal{400, stated("messages: each tool_use must have a single result. Found multiple with id: "+id, "", nil)}
		}
		seen[id] = true
	}
	return nil
}

// pastIDs are the ids of the calls of a history.
func pastIDs(r *received) (out []string) {
	for _, msg := range list(r.body, "messages") {
		for _, c := range list(msg, "tool_calls") {
			out = append(out, str(c, "id"))
		}
		for _, b := range list(msg, "content") {
			if str(b, "type") == "tool_use" {
				out = append(out, str(b, "id"))
			}
		}
	}
	for _, it := range list(r.body, "input") {
		if str(it, "type") == "function_call" {
			out = append(out, str(it, "call_id"))
		}
	}
	return out
}
