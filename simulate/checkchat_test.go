package simulate_test

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/simulate"
)

// many writes n texts made by a format that takes a number, with commas between them.
func many(n int, format string) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return strings.Join(out, ",")
}

// talk returns a conversation that opens with a user.
func talk(messages ...string) string {
	return `"messages":[{"role":"user","content":"Hi"},` + strings.Join(messages, ",") + `]`
}

// chatCalls returns a message with calls of these ids.
func chatCalls(ids ...string) string {
	var out []string
	for _, id := range ids {
		out = append(out, `{"id":"`+id+`","type":"function","function":{"name":"a","arguments":"{}"}}`)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(out, ",") + `]}`
}

func chatResult(id string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":"x"}`
}

// withMember adds a member to an object that is text.
func withMember(object, member string) string {
	return strings.TrimSuffix(object, "}") + "," + member + "}"
}

// chatTool declares a function with more members.
func chatTool(members string) string {
	return `"tools":[{"type":"function","function":{"name":"a",` + members + `}}]`
}

// strictTool declares a strict function with a schema of one property a.
func strictTool(property string) string {
	return chatTool(`"strict":true,"parameters":{"type":"object","properties":{"a":` + property + `},"required":["a"],"additionalProperties":false}`)
}

var long41, long64 = strings.Repeat("c", 41), strings.Repeat("c", 64)

var chatCases = []checkList{
	{simulate.OpenAI, "chat", []checkCase{
		{"tool-count", `"tools":[` + many(129, `{"type":"function","function":{"name":"a%d"}}`) + `]`,
			"Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead. array_above_max_length",
			`"tools":[` + many(128, `{"type":"function","function":{"name":"a%d"}}`) + `]`},
		{"tool-count", `"tools":[]`, "Invalid 'tools': empty array.", `"tools":null`},
		{"tool-name", `"tools":[{"type":"function","function":{"name":"a.b"}}]`, "Invalid 'tools[0].function.name': string does not match pattern.", `"tools":[{"type":"function","function":{"name":"a-b"}}]`},
		{"tool-name", `"tools":[{"type":"function","function":{"name":"` + long64 + `c"}}]`, "maximum length 64, but got a string with length 65", `"tools":[{"type":"function","function":{"name":"` + long64 + `"}}]`},
		{"tool-name", `"tools":[{"type":"function","function":{}}]`, "empty_string", `"tools":[{"type":"custom","custom":{"name":"a"}}]`},
		{"choice", `"tools":null,"tool_choice":"auto"`, "'tool_choice' is only allowed when 'tools' are specified.", `"tool_choice":"auto"`},
		{"choice", `"tool_choice":{"type":"function","function":{"name":"b"}}`, "Tool choice 'b' not found in 'tools' parameter.", `"tool_choice":{"type":"function","function":{"name":"a"}}`},
		{"role", talk(`{"role":"robot","content":"x"}`), "Invalid value: 'robot'. Supported values are: 'system'", talk(`{"role":"developer","content":"x"}`)},
		{"content", talk(`{"role":"assistant","content":null}`), "Invalid value for 'content': expected a string, got null.", talk(`{"role":"assistant","content":""}`)},
		{"content", talk(chatCalls("c"), `{"role":"tool","tool_call_id":"c"}`), "expected a string, got null", talk(chatCalls("c"), chatResult("c"))},
		{"result-content", talk(chatCalls("c"), `{"role":"tool","tool_call_id":"c","content":[{"type":"image_url"}]}`), "Invalid content type 'image_url'",
			talk(chatCalls("c"), `{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"x"}]}`)},
		{"calls", talk(chatCalls(), `{"role":"user","content":"x"}`), "Invalid 'messages[1].tool_calls': empty array.", talk(chatCalls("c"), chatResult("c"))},
		{"calls", talk(chatCalls(long41), chatResult(long41)), "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
			talk(chatCalls(long41[1:]), chatResult(long41[1:]))},
		{"calls", talk(chatCalls("c"), chatResult(long41)), "Invalid 'messages[2].tool_call_id': string too long.", talk(chatCalls("c"), chatResult("c"))},
		{"calls", talk(strings.ReplaceAll(chatCalls("c"), `"{}"`, `{}`), chatResult("c")), "expected a string, but got an object instead.", talk(chatCalls("c"), chatResult("c"))},
		{"pairing", talk(chatCalls("c", "d"), chatResult("c")), "The following tool_call_ids did not have response messages: d", talk(chatCalls("c", "d"), chatResult("d"), chatResult("c"))},
		{"pairing", talk(chatCalls("c"), `{"role":"user","content":"x"}`, chatResult("c")), "did not have response messages: c", talk(chatCalls("c"), chatResult("c"), `{"role":"user","content":"x"}`)},
		{"pairing", talk(chatResult("c")), "must be a response to a preceding message with 'tool_calls'.", talk(chatCalls("c"), chatResult("c"))},
		{"pairing", talk(chatCalls("c"), chatResult("c"), chatResult("c")), "must be a response to a preceding", talk(chatCalls("c"), chatResult("c"), chatCalls("c"), chatResult("c"))},
	}},
	{simulate.OpenAI, "openai", []checkCase{
		{"unknown-member", `"foo":1`, "Unknown parameter: 'foo'.", `"seed":1`},
		{"unknown-member", `"tools":[{"type":"function","eager":true,"function":{"name":"a"}}]`, "Unknown parameter: 'tools[0].eager'.", `"tools":[{"type":"function","function":{"name":"a"}}]`},
		{"unknown-member", chatTool(`"cache_control":{}`), "Unknown parameter: 'tools[0].function.cache_control'.", chatTool(`"description":"d"`)},
		{"schema", chatTool(`"parameters":{"type":"array"}`), `schema must be a JSON Schema of 'type: \"object\"', got 'type: \"array\"'.`, chatTool(`"parameters":{"type":"object"}`)},
		{"schema", chatTool(`"parameters":{"properties":{}}`), `got 'type: None'`, chatTool(`"parameters":{"type":"object","properties":{}}`)},
		{"schema", chatTool(`"parameters":{"type":"object","anyOf":[]}`), "not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.", chatTool(`"parameters":{"type":"object","properties":{"anyOf":{"type":"string"}}}`)},
		{"schema", chatTool(`"parameters":{"type":"object","properties":{"a":{"type":"array"}}}`), "Invalid schema for function 'a': In context=('properties', 'a'), array schema missing items.",
			chatTool(`"parameters":{"type":"object","properties":{"a":{"type":"array","items":{}}}}`)},
		{"schema", chatTool(`"strict":true,"parameters":{"type":"object","properties":{}}`), "In context=(), 'additionalProperties' is required to be supplied and to be false.",
			chatTool(`"strict":false,"parameters":{"type":"object","properties":{}}`)},
		{"schema", chatTool(`"strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`), "Missing 'a'.", strictTool(`{"type":["string","null"]}`)},
		{"schema", chatTool(`"strict":true,"parameters":{"type":"object","properties":{},"required":["b"],"additionalProperties":false}`), "Extra required key 'b' supplied.", strictTool(`{"type":"string"}`)},
		{"schema", strictTool(`{"type":"string","minLength":1}`), "In context=('properties', 'a'), 'minLength' is not permitted.", strictTool(`{"type":"string","pattern":"a"}`)},
		{"schema", strictTool(`{"oneOf":[{"type":"string"}]}`), "'oneOf' is not permitted.", strictTool(`{"anyOf":[{"type":"string"}]}`)},
		{"schema", strictTool(`{"type":"string","default":"x"}`), "'default' is not permitted.", chatTool(`"strict":true,"parameters":{"type":"object","properties":{"default":{"type":"string"}},"required":["default"],"additionalProperties":false}`)},
		{"schema", strictTool(`{"type":"string","format":"uri"}`), "'uri' is not a valid format.", strictTool(`{"type":"string","format":"uuid"}`)},
		{"schema", strictTool(`{"description":"any"}`), "schema must have a 'type' key.", strictTool(`{"enum":["x"]}`)},
		{"schema", strictTool(`{"$ref":"#","description":"d"}`), "$ref cannot have keywords {'description'}.", strictTool(`{"$ref":"#"}`)},
		{"schema", strictTool(`{"enum":[` + many(1001, "%d") + `]}`), "enum has more than 1000 values.", strictTool(`{"enum":[` + many(1000, "%d") + `]}`)},
		{"schema", strictTool(nested(10)), "nested deeper than 10 levels.", strictTool(nested(9))},
		{"schema", chatTool(`"strict":true,"parameters":{"type":"object","properties":{` + many(5001, `"p%d":{"type":"null"}`) + `},"required":[` + many(5001, `"p%d"`) + `],"additionalProperties":false}`),
			"more than 5000 properties", chatTool(`"strict":true,"parameters":{"type":"object","properties":{` + many(5000, `"p%d":{"type":"null"}`) + `},"required":[` + many(5000, `"p%d"`) + `],"additionalProperties":false}`)},
		{"strict-format", `"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}}`, "Invalid schema for response_format 'n': In context=()",
			`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}`},
		{"parallel", `"tools":null,"parallel_tool_calls":true`, "'parallel_tool_calls' is only allowed when 'tools' are specified.", `"parallel_tool_calls":true`},
		{"stream-options", `"stream_options":{"include_usage":true}`, "The 'stream_options' parameter is only allowed when 'stream' is enabled.", ``},
		{"stop-count", `"stop":["1","2","3","4","5"]`, "Invalid 'stop': array too long.", `"stop":["1","2","3","4"]`},
		{"json-word", `"response_format":{"type":"json_object"}`, "'messages' must contain the word 'json' in some form", talk(`{"role":"user","content":"As JSON."}`) + `,"response_format":{"type":"json_object"}`},
	}},
	{simulate.OpenAI, "openai-reasoning", []checkCase{
		{"sampling", `"temperature":0.2`, "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported. unsupported_value", `"temperature":1`},
		{"sampling", `"top_p":0.2`, "Unsupported parameter: 'top_p' is not supported with this model. unsupported_parameter", `"top_p":null`},
		{"max-tokens", `"max_tokens":9`, "Use 'max_completion_tokens' instead.", `"max_completion_tokens":9`},
		{"unsupported", `"parallel_tool_calls":false`, "Unsupported parameter: 'parallel_tool_calls'", `"seed":1`},
		{"unsupported", `"stop":"x"`, "Unsupported parameter: 'stop'", `"seed":1`},
	}},
	{simulate.OpenAI, "openai-5.6", []checkCase{
		{"tools-with-reasoning", ``, "Function tools with reasoning_effort are not supported for strict-openai-5.6 in /v1/chat/completions.", `"reasoning_effort":"none"`},
		{"tools-with-reasoning", `"reasoning_effort":"low"`, "use /v1/responses or set reasoning_effort to 'none'.", `"reasoning_effort":"low","tools":null`},
	}},
	{simulate.OpenAI, "mistral", []checkCase{
		{"unknown-member", `"seed":1`, "extra_forbidden", `"random_seed":1`},
		{"unknown-member", talk(`{"role":"assistant","content":"x","reasoning_content":"y"}`, `{"role":"user","content":"x"}`), `["body","messages",1,"assistant","reasoning_content"]`,
			talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`)},
		{"call-id", talk(chatCalls("call_ABC1"), chatResult("call_ABC1")), "Tool call id was call_ABC1 but must be a-z, A-Z, 0-9, with a length of 9.", talk(chatCalls("callXABC1"), chatResult("callXABC1"))},
		{"call-id", talk(chatCalls("callABC1"), chatResult("callABC1")), "with a length of 9.", talk(chatCalls("callABC12"), chatResult("callABC12"))},
		{"order", talk(chatCalls("callABC12"), chatResult("callABC12"), `{"role":"user","content":"x"}`), "Unexpected role 'user' after role 'tool'",
			talk(chatCalls("callABC12"), chatResult("callABC12"), `{"role":"assistant","content":"OK."}`, `{"role":"user","content":"x"}`)},
		{"order", talk(`{"role":"assistant","content":"x"}`), "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant", talk(`{"role":"assistant","content":"x","prefix":true}`)},
		{"pairing", talk(chatCalls("callABC12", "callABC13"), chatResult("callABC12")), "Not the same number of function calls and responses", talk(chatCalls("callABC12"), chatResult("callABC12"))},
		{"pairing", talk(chatResult("callABC12")), "Not the same number of function calls and responses", talk(chatCalls("callABC12"), chatResult("callABC12"))},
		{"empty", talk(`{"role":"assistant","content":""}`, `{"role":"user","content":"x"}`), "Assistant message must have either content or tool_calls, but not none.",
			talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`)},
	}},
	{simulate.OpenAI, "deepseek", []checkCase{
		{"reasoning", talk(chatCalls("c"), chatResult("c")), "Missing `reasoning_content` field in the assistant message at message index 1.", talk(withMember(chatCalls("c"), `"reasoning_content":""`), chatResult("c"))},
		{"reasoning", talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`), "message index 1", talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`) + `,"thinking":{"type":"disabled"}`},
		{"forced-choice", `"tool_choice":"required"`, "Thinking mode does not support this tool_choice", `"tool_choice":"required","thinking":{"type":"disabled"}`},
	}},
	{simulate.OpenAI, "moonshot", []checkCase{
		{"reasoning", talk(withMember(chatCalls("c"), `"reasoning_content":""`), chatResult("c")), "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
			talk(withMember(chatCalls("c"), `"reasoning_content":" "`), chatResult("c"))},
		{"reasoning", talk(chatCalls("c"), chatResult("c")), "at index 1", talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`)},
		{"schema", chatTool(`"parameters":{"type":"object","properties":{"p":{"type":"string","anyOf":[]}}}`), "At path 'properties.p': when using anyOf, type should be defined in anyOf items",
			chatTool(`"parameters":{"type":"object","properties":{"p":{"anyOf":[{"type":"string"}]}}}`)},
		{"empty", talk(`{"role":"user","content":[{"type":"text","text":""}]}`), "text content is empty", talk(`{"role":"user","content":[{"type":"text","text":" "}]}`)},
		{"forced-choice", `"tool_choice":{"type":"function","function":{"name":"a"}}`, "incompatible with thinking enabled", `"tool_choice":"auto"`},
	}},
	{simulate.OpenAI, "qwen", []checkCase{
		{"forced-choice", `"tool_choice":"required","enable_thinking":true`, "does not support being set to required or object in thinking mode", `"tool_choice":"required","enable_thinking":false`},
	}},
	{simulate.OpenAI, "xai", []checkCase{
		{"unsupported", `"stop":["x"]`, `{"code":"Client specified an invalid argument","error":"Argument not supported on this model: stop"}`, `"temperature":0.5`},
	}},
	{simulate.OpenAI, "llama.cpp", []checkCase{
		{"order", talk(`{"role":"user","content":"x"}`), "Jinja Exception: After the optional system message, conversation roles must alternate", talk(`{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`)},
		{"order", talk(chatCalls("c"), chatResult("c"), `{"role":"user","content":"x"}`), `"code":500`, talk(chatCalls("c"), chatResult("c"), `{"role":"assistant","content":"x"}`, `{"role":"user","content":"x"}`)},
		{"pattern", chatTool(`"parameters":{"type":"object","properties":{"p":{"type":"string","pattern":"^a"}}}`), "Pattern must start with '^' and end with '$'",
			chatTool(`"parameters":{"type":"object","properties":{"pattern":{"type":"string","pattern":"^a$"}}}`)},
		{"grammar", `"grammar":"root ::= x"`, "Cannot use custom grammar constraints with tools.", `"grammar":"root ::= x","tools":null`},
	}},
	{simulate.OpenAI, "vllm", []checkCase{
		{"auto", ``, "requires --enable-auto-tool-choice and --tool-call-parser to be set", `"tool_choice":"required"`},
		{"auto", `"tool_choice":"auto"`, `"type":"BadRequestError","param":null,"code":400`, `"tools":null`},
		{"arguments", `"tool_choice":"required",` + talk(strings.ReplaceAll(chatCalls("c"), `"{}"`, `"{\"a\":\"x"`), chatResult("c")), "Unterminated string starting at: line 1 column 6 (char 5)",
			`"tool_choice":"required",` + talk(chatCalls("c"), chatResult("c"))},
	}},
	{simulate.OpenAI, "ollama", []checkCase{
		{"arguments", talk(strings.ReplaceAll(chatCalls("c"), `"{}"`, `"{"`), chatResult("c")), "invalid tool call arguments", talk(chatCalls("c"), chatResult("c"))},
	}},
	{simulate.Responses, "deepseek", []checkCase{
		{"adjacency", items(functionCall("c", ""), `{"role":"assistant","content":"x"}`, functionCall("d", ""), output("c"), output("d")), "No tool output found for function call c.",
			items(`{"role":"assistant","content":"x"}`, functionCall("c", ""), functionCall("d", ""), output("c"), output("d"))},
	}},
	{simulate.OpenAI, "groq", []checkCase{
		{"json-with-tools", `"response_format":{"type":"json_object"}`, "json mode cannot be combined with tool/function calling", `"response_format":{"type":"json_object"},"tools":null`},
		{"reasoning-content", talk(`{"role":"assistant","content":"x","reasoning_content":"y"}`, `{"role":"user","content":"x"}`), "property 'reasoning_content' is unsupported",
			talk(`{"role":"assistant","content":"x","reasoning":"y"}`, `{"role":"user","content":"x"}`)},
	}},
}

// nested returns a strict schema of objects inside one another.
func nested(levels int) string {
	schema := `{"type":"string"}`
	for range levels {
		schema = `{"type":"object","properties":{"a":` + schema + `},"required":["a"],"additionalProperties":false}`
	}
	return schema
}
