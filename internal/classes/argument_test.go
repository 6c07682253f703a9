package classes_test

// Native calls whose name, id or arguments are wrong.

// made are the scenes of one native call each: its damage, and what is meant.
func made(class string, at []api, tools request, all []damage) (out []scene) {
	for _, d := range all {
		calls := []call{{name: d.wantName, args: d.want}}
		if d.wantName == "" {
			calls[0].name = d.name
		}
		out = append(out, scene{class: class, name: d.what, at: at, ask: tools, replies: replied(native(d.name, d.args)), want: want{calls: calls, named: d.named, quiet: d.quiet}})
	}
	return out
}

// A damage is a call as the provider sends it, and the arguments and the name that the client must get; an empty name is the same.
type damage struct{ what, name, args, want, wantName, named, quiet string }

// jsonText are the APIs whose arguments are text.
var jsonText = []api{chat, responses}

var argumentScenes = concat(
	[]scene{
		{class: "F17", name: "cut inside a text", at: jsonText, doors: apis, ask: question("write_file"), replies: []reply{{answer: cutAnswer("length")}}, want: want{finish: "length"}},
		{class: "F17", name: "cut, and the reason says stop", at: jsonText[:1], doors: apis, ask: question("write_file"), replies: []reply{{answer: cutAnswer("stop")}}, want: want{fails: []string{"truncated", "invalid_tool_call"}}},
		{class: "F17", name: "cut at the limit, and the reason says calls", at: jsonText[:1], doors: apis[:1], ask: limited("write_file"), replies: []reply{{answer: cutAnswer("tool_calls")}}, want: want{finish: "length"}},
		{class: "F17", name: "cut inside a text of a stream", at: []api{anthropic}, only: "stream", doors: apis, ask: question("write_file"), replies: []reply{{answer: cutAnswer("max_tokens")}}, want: want{finish: "length"}},
		{class: "F17", name: "cut once", at: jsonText[:1], doors: apis, ask: question("write_file"), replies: replied(cutAnswer("length"), native("write_file", `{"path":"a","content":"whole"}`)),
			want: want{calls: []call{{name: "write_file", args: `{"path":"a","content":"whole"}`}}}},
	},
	made("F18", jsonText, question("write_file", "run_command"), []damage{
		{what: "a key without its first quote", name: "write_file", args: `{"path":"b",content":"d"}`, want: `{"path":"b","content":"d"}`},
		{what: "keys without quotes", name: "run_command", args: `{command:"ls"}`, want: `{"command":"ls"}`},
		{what: "single quotes", name: "run_command", args: `{'command':'ls'}`, want: `{"command":"ls"}`},
		{what: "a comma at the end", name: "run_command", args: `{"command":"ls",}`, want: `{"command":"ls"}`},
		{what: "a special token behind", name: "run_command", args: `{"command":"ls"}<|endoftext|>`, want: `{"command":"ls"}`},
		{what: "the token of an end of calls behind", name: "run_command", args: `{"command":"ls"}<|call|>`, want: `{"command":"ls"}`},
		{what: "a closing brace is missing", name: "write_file", args: `{"path":"a","content":"b","tags":["04.html"]`, want: `{"path":"a","content":"b","tags":["04.html"]}`},
	}),
	made("F18", jsonText, question("search"), []damage{
		{what: "words of Python", name: "search", args: `{"queries":["a"],"exact":True}`, want: `{"queries":["a"],"exact":true}`},
	}),
	made("F18", []api{anthropic}, question("run_command"), []damage{
		{what: "a comma at the end of a streamed input", name: "run_command", args: `{"command":"ls",}`, want: `{"command":"ls"}`},
	}),
	[]scene{
		{class: "F18", name: "nothing to mend, then right", at: jsonText, doors: apis, ask: question("run_command"), replies: replied(native("run_command", `{"command" "ls" : }`), native("run_command", `{"command":"ls"}`)), want: want{calls: ls}},
		{class: "F18", name: "a brace inside a text", at: jsonText, ask: question("write_file"), replies: replied(native("write_file", `{"path":"a","content":"x}{y",}`)), want: want{calls: []call{{name: "write_file", args: `{"path":"a","content":"x}{y"}`}}}},
	},
	made("F19", apis, question("search"), []damage{
		{what: "a list", name: "search", args: `{"queries":"[\"test\"]"}`, want: `{"queries":["test"]}`},
		{what: "a number and a Boolean", name: "search", args: `{"queries":["a"],"max_results":"10","exact":"true"}`, want: `{"queries":["a"],"max_results":10,"exact":true}`},
		{what: "an object", name: "search", args: `{"queries":["a"],"headers":"{\"User-Agent\":\"x\"}"}`, want: `{"queries":["a"],"headers":{"User-Agent":"x"}}`},
		{what: "an empty list", name: "search", args: `{"queries":"[]"}`, want: `{"queries":[]}`},
	}),
	made("F19", apis, question("write_file"), []damage{
		{what: "texts stay texts", name: "write_file", args: `{"path":"001","content":"true","tags":"[\"a\"]"}`, want: `{"path":"001","content":"true","tags":["a"]}`},
	}),
	made("F20", jsonText, question("get_weather"), []damage{{what: "encoded twice", name: "get_weather", args: `"{\"city\":\"Oslo\"}"`, want: oslo}}),
	made("F20", []api{anthropic, gemini, ollama}, question("get_weather"), []damage{{what: "a text in place of an object", name: "get_weather", args: `"{\"city\":\"Oslo\"}"`, want: oslo}}),
	[]scene{
		{class: "F20", name: "an object in place of a text", only: "whole", doors: apis, ask: question("get_weather"), replies: []reply{{body: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`}},
			want: want{calls: weather}},
		{class: "F20", name: "an object in place of a streamed text", only: "stream", doors: apis, ask: question("get_weather"),
			replies: []reply{{frames: []string{chatChunk(m{"tool_calls": []any{m{"index": 0, "id": "call_1", "type": "function", "function": m{"name": "get_weather", "arguments": m{"city": "Oslo"}}}}}, nil), chatChunk(m{}, "tool_calls"), "[DONE]"}}},
			want:    want{calls: weather}},
		{class: "F20", name: "a history with objects, to a receiver of texts", doors: []api{ollama, anthropic, gemini}, ask: after("get_weather", call{id: "call_past00001", name: "get_weather", args: oslo}, "12"), replies: replied(sunny),
			refuse: func(r *received) *refusal {
				for _, msg := range list(r.body, "messages") {
					for _, c := range list(msg, "tool_calls") {
						if _, ok := member(c, "function", "arguments").(string); !ok {
							return &refusal{400, stated("arguments: Input should be a valid string", "", nil)}
						}
					}
				}
				return nil
			}, want: want{text: "It is sunny.", quiet: "another API's form needs no repair"}},
		{class: "F20", name: "a history with texts, to a receiver of objects", at: []api{ollama}, doors: []api{chat, responses}, ask: after("get_weather", call{id: "call_past00001", name: "get_weather", args: oslo}, "12"), replies: replied(sunny),
			refuse: func(r *received) *refusal {
				for _, msg := range list(r.body, "messages") {
					for _, c := range list(msg, "tool_calls") {
						if _, ok := member(c, "function", "arguments").(m); !ok {
							return &refusal{400, `{"error":"Value looks like object, but can't find closing '}' symbol"}`}
						}
					}
				}
				return nil
			}, want: want{text: "It is sunny.", quiet: "another API's form needs no repair"}},
	},
	made("F21", apis, question("get_weather"), []damage{
		{what: "an empty text for a choice", name: "get_weather", args: `{"city":"Oslo","unit":""}`, want: oslo},
		{what: "null", name: "get_weather", args: `{"city":"Oslo","days":null}`, want: oslo},
		{what: "the word null for a number", name: "get_weather", args: `{"city":"Oslo","days":"null"}`, want: oslo},
		{what: "the word undefined for a choice", name: "get_weather", args: `{"city":"Oslo","unit":"undefined"}`, want: oslo},
		{what: "an empty text for a number", name: "get_weather", args: `{"city":"Oslo","days":""}`, want: oslo},
	}),
	made("F22", apis, question("read_file", "write_file"), []damage{
		{what: "another case", name: "Read_File", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "other separators", name: "read-file", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "camel case", name: "readFile", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "the prefix of another namespace", name: "repo_browser.read_file", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "the prefix functions", name: "functions.read_file", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "the prefix tool", name: "tool:read_file", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
		{what: "prefixes and an index", name: "google:tool:read_file:index:0", args: `{"path":"a"}`, want: `{"path":"a"}`, wantName: "read_file"},
	}),
	[]scene{
		{class: "F22", name: "a prefix shortened", ask: request{turns: question().turns, define: []tool{{"mcp__puppeteer__puppeteer_navigate", toolbox["list_all"]}}}, replies: replied(native("mcp__puppeteer_navigate", "{}")),
			want: want{calls: []call{{name: "mcp__puppeteer__puppeteer_navigate", args: "{}"}}}},
		{class: "F22", name: "never the nearest name", at: apis, ask: request{turns: question().turns, define: []tool{{"kanban_link", toolbox["list_all"]}, {"kanban_show", toolbox["list_all"]}}}, replies: replied(native("kanban_list", "{}"), native("kanban_show", "{}")),
			want: want{calls: []call{{name: "kanban_show", args: "{}"}}}},
		{class: "F22", name: "an unknown name, every time", at: apis, ask: question("read_file"), replies: replied(native("launch", "{}")), want: want{fails: []string{"invalid_tool_call"}}},
	},
	made("F23", apis, request{turns: question().turns, define: []tool{{"open", `{"type":"object","properties":{"filePath":{"type":"string"},"lineCount":{"type":"integer"}},"required":["filePath"],"additionalProperties":false}`}}}, []damage{
		{what: "snake case", name: "open", args: `{"file_path":"a"}`, want: `{"filePath":"a"}`},
		{what: "another case", name: "open", args: `{"filepath":"a","LineCount":2}`, want: `{"filePath":"a","lineCount":2}`},
		{what: "kebab case", name: "open", args: `{"file-path":"a"}`, want: `{"filePath":"a"}`},
	}),
	[]scene{
		{class: "F23", name: "the arguments below args", at: apis, ask: question("get_weather"), replies: replied(native("get_weather", `{"args":{"city":"Oslo"}}`), native("get_weather", oslo)), want: want{calls: weather, named: "F19"}},
		{class: "F23", name: "the arguments below input, as text", at: apis, ask: question("get_weather"), replies: replied(native("get_weather", `{"input":"{\"city\":\"Oslo\"}"}`), native("get_weather", oslo)), want: want{calls: weather, named: "F19"}},
	},
	made("F24", jsonText, question("list_all", "get_weather"), []damage{
		{what: "an empty text", name: "list_all", args: "", want: "{}"},
		{what: "a blank", name: "list_all", args: " ", want: "{}"},
		{what: "an empty object before the arguments", name: "get_weather", args: `{}{"city":"Oslo"}`, want: oslo},
	}),
	[]scene{
		{class: "F24", name: "an empty object before streamed arguments", at: []api{anthropic}, only: "stream", doors: apis, ask: question("get_weather"), replies: replied(native("get_weather", `{}{"city":"Oslo"}`)), want: want{calls: weather}},
		{class: "F24", name: "no arguments at all", only: "whole", doors: apis, ask: question("list_all"), replies: []reply{{body: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"list_all"}}]},"finish_reason":"tool_calls"}]}`}},
			want: want{calls: []call{{name: "list_all", args: "{}"}}}},
		{class: "F24", name: "a history with an empty input", doors: jsonText, at: []api{anthropic, gemini, ollama, chat}, ask: after("list_all", call{id: "call_past00001", name: "list_all", args: ""}, "none"), replies: replied(sunny),
			refuse: func(r *received) *refusal {
				for _, c := range pastArguments(r) {
					if object(c) == nil {
						return &refusal{400, stated("input: Input should be a valid dictionary", "", nil)}
					}
				}
				return nil
			}, want: want{text: "It is sunny.", named: "F49"}},
	},
	made("F31", apis, question("get_message"), []damage{
		{what: "an integer of 19 digits", name: "get_message", args: `{"id":2512292042121000001}`, want: `{"id":2512292042121000001}`, quiet: "nothing is changed"},
		{what: "an integer of 30 digits", name: "get_message", args: `{"id":123456789012345678901234567891}`, want: `{"id":123456789012345678901234567891}`, quiet: "nothing is changed"},
		{what: "an integer in quotes", name: "get_message", args: `{"id":"2512292042121000001"}`, want: `{"id":2512292042121000001}`, named: "F19"},
	}),
	inText([]written{{class: "F31", name: "in a call in the text", said: "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\", \"offset\": 9007199254740993}}\n</tool_call>",
		calls: []call{{name: "read_file", args: `{"path":"a","offset":9007199254740993}`}}, named: "F02"},
		{class: "F31", name: "in elements", said: "<function=read_file>\n<parameter=path>\na\n</parameter>\n<parameter=offset>\n9007199254740993\n</parameter>\n</function>",
			calls: []call{{name: "read_file", args: `{"path":"a","offset":9007199254740993}`}}, named: "F03"}}),
	[]scene{{class: "F31", name: "in the history", at: apis, ask: after("get_message", call{id: "call_past00001", name: "get_message", args: `{"id":2512292042121000001}`}, "hi"), replies: replied(sunny),
		want: want{text: "It is sunny.", quiet: "nothing is changed", sent: func(all []*received) string {
			for _, c := range pastArguments(all[0]) {
				if !sameJSON(c, `{"id":2512292042121000001}`) {
					return "the provider got " + c
				}
			}
			return expect(len(pastArguments(all[0])) == 1, "the provider got no call")
		}}}},
)

// swallowedScenes are calls whose values or keys hold the rest of their own call.
var swallowedScenes = concat(
	made("F60", apis, question("write_file"), []damage{
		{what: "the rest of the call inside a value", name: "write_file", args: `{"path":"a","content":"See you on Monday.</content>\n<parameter name=\"tags\">[\"a\"]"}`, want: `{"path":"a","content":"See you on Monday.","tags":["a"]}`},
		{what: "the rest of the call inside a value, in a form of elements", name: "write_file", args: `{"path":"a</parameter>\n<parameter name=\"content\">text"}`, want: `{"path":"a","content":"text"}`},
	}),
	made("F60", apis, question("read_file"), []damage{{what: "marks of a template in a key", name: "read_file", args: `{"path</arg_key>":"/srv"}`, want: `{"path":"/srv"}`}}),
)

// limited is question with an output limit that the answers of these scenes reach.
func limited(tools ...string) request {
	q := question(tools...)
	q.more = map[api]string{chat: `"max_tokens": 20`}
	return q
}

// cutAnswer is a call that ends inside its last argument.
func cutAnswer(finish string) answer {
	a := native("write_file", `{"path":"a.txt","content":"the first half of`)
	a.finish = finish
	if finish == "length" {
		a.finish = ""
		a.cutShort = true
	}
	return a
}

// pastArguments are the arguments of the calls of a history, as JSON or as texts of it.
func pastArguments(r *received) (out []string) {
	add := func(v any) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		} else if v != nil {
			out = append(out, text(v))
		}
	}
	for _, msg := range list(r.body, "messages") {
		for _, c := range list(msg, "tool_calls") {
			add(member(c, "function", "arguments"))
		}
		for _, b := range list(msg, "content") {
			if str(b, "type") == "tool_use" {
				add(member(b, "input"))
			}
		}
	}
	for _, it := range list(r.body, "input") {
		if str(it, "type") == "function_call" {
			add(member(it, "arguments"))
		}
	}
	for _, c := range list(r.body, "contents") {
		for _, p := range list(c, "parts") {
			add(member(p, "functionCall", "args"))
		}
	}
	return out
}

func concat(all ...[]scene) (out []scene) {
	for _, s := range all {
		out = append(out, s...)
	}
	return out
}
