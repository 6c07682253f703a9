package simulate_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// invalid is the word that errors of a wire have for requests that are no good. Ollama has none.
var invalid = map[string]string{
	simulate.OpenAI: "invalid_request_error", simulate.Responses: "invalid_request_error", simulate.Anthropic: "invalid_request_error",
	simulate.Gemini: "INVALID_ARGUMENT",
}

// functions declares one function to Gemini.
func functions(f object) []object { return []object{{"functionDeclarations": []object{f}}} }

// calling tells Gemini whether to call, and which functions alone.
func calling(mode string, allowed ...string) object {
	config := object{"mode": mode}
	if allowed != nil {
		config["allowedFunctionNames"] = allowed
	}
	return object{"functionCallingConfig": config}
}

// What the cases of TestUnsoundRequestsAreRefused are made of.
var (
	unsoundCall = func(id string) object {
		return object{"id": id, "type": "function", "function": object{"name": "get_weather", "arguments": "{}"}}
	}
	unsoundUse = func(id string, input any) object {
		return object{"type": "tool_use", "id": id, "name": "get_weather", "input": input}
	}
	unsoundResult = func(id string) object { return object{"type": "tool_result", "tool_use_id": id, "content": "x"} }
	user          = object{"role": "user", "content": "Hi"}
	unsoundSaid   = func(content ...object) object { return object{"role": "assistant", "content": content} }
	unsoundAsked  = func(content ...object) object { return object{"role": "user", "content": content} }
	unsoundText   = []object{{"text": "Hi"}}
	unsoundMade   = object{"functionCall": object{"name": "get_weather", "args": object{}}}
	answer        = object{"functionResponse": object{"name": "get_weather", "response": object{"output": "x"}}}
)

// unsoundCases are those of TestUnsoundRequestsAreRefused.
var unsoundCases = []struct {
	wire, name string
	members    object
	want       string
}{
	{simulate.OpenAI, "no model", object{"model": ""}, "you must provide a model"},
	{simulate.OpenAI, "no messages", object{"messages": []object{}}, "'messages'"},
	{simulate.OpenAI, "wrong type", object{"stream": "yes"}, "could not parse"},
	{simulate.OpenAI, "no tools in the list", object{"tools": []object{}}, "'tools'"},
	{simulate.OpenAI, "bad tool name", object{"tools": []object{{"type": "function", "function": object{"name": "a.b"}}}}, "does not match pattern"},
	{simulate.OpenAI, "bad schema", object{"tools": []object{{"type": "function", "function": object{"name": "a", "parameters": object{"type": "array"}}}}}, `"object"`},
	{simulate.OpenAI, "tool type", object{"tools": []object{{"type": "magic"}}}, "tools[0].type"},
	{simulate.OpenAI, "choice of an unknown tool", object{"tool_choice": object{"type": "function", "function": object{"name": "x"}}}, `"x" not found`},
	{simulate.OpenAI, "role", object{"messages": []object{{"role": "robot", "content": "x"}}}, "messages[0].role"},
	{simulate.OpenAI, "content", object{"messages": []object{{"role": "user", "content": 3}}}, "messages[0].content"},
	{simulate.OpenAI, "null content", object{"messages": []object{{"role": "user", "content": nil}}}, "got null"},
	{simulate.OpenAI, "orphan result", object{"messages": []object{user, {"role": "tool", "tool_call_id": "c", "content": "x"}}}, "preceding message"},
	{simulate.OpenAI, "orphan call", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{unsoundCall("c")}}, user}}, "did not have response messages: c"},
	{simulate.OpenAI, "open call", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{unsoundCall("c")}}}}, "did not have response messages: c"},
	{simulate.OpenAI, "same id twice", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{unsoundCall("c"), unsoundCall("c")}}}}, "duplicate id"},
	{simulate.OpenAI, "long id", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{unsoundCall(strings.Repeat("c", 41))}}}}, "at most 40"},
	{simulate.Anthropic, "no model", object{"model": ""}, "model: Field required"},
	{simulate.Anthropic, "no limit", object{"max_tokens": nil}, "max_tokens: Field required"},
	{simulate.Anthropic, "no messages", object{"messages": []object{}}, "messages"},
	{simulate.Anthropic, "unknown member", object{"seed": 1}, "seed: Extra inputs are not permitted"},
	{simulate.Anthropic, "temperature", object{"temperature": 1.5}, "temperature"},
	{simulate.Anthropic, "no schema", object{"tools": []object{{"name": "a"}}}, "input_schema"},
	{simulate.Anthropic, "tool twice", object{"tools": []object{{"name": "a", "input_schema": object{"type": "object"}}, {"name": "a", "input_schema": object{"type": "object"}}}}, "unique"},
	{simulate.Anthropic, "choice", object{"tool_choice": object{"type": "required"}}, "tool_choice.type"},
	{simulate.Anthropic, "first message", object{"messages": []object{{"role": "assistant", "content": "x"}}}, "first message"},
	{simulate.Anthropic, "role", object{"messages": []object{user, {"role": "tool", "content": "x"}}}, "messages.1.role"},
	{simulate.Anthropic, "empty content", object{"messages": []object{{"role": "user", "content": ""}}}, "non-empty content"},
	{simulate.Anthropic, "empty text", object{"messages": []object{unsoundAsked(object{"type": "text", "text": ""})}}, "must be non-empty"},
	{simulate.Anthropic, "input as text", object{"messages": []object{user, unsoundSaid(unsoundUse("c", "{}")), unsoundAsked(unsoundResult("c"))}}, "Input should be an object"},
	{simulate.Anthropic, "id", object{"messages": []object{user, unsoundSaid(unsoundUse("a.b", object{})), unsoundAsked(unsoundResult("a.b"))}}, "does not match pattern"},
	{simulate.Anthropic, "orphan result", object{"messages": []object{unsoundAsked(unsoundResult("c"))}}, "unexpected `tool_use_id`"},
	{simulate.Anthropic, "orphan call", object{"messages": []object{user, unsoundSaid(unsoundUse("c", object{})), user}}, "without `tool_result`"},
	{simulate.Anthropic, "text before results", object{"messages": []object{user, unsoundSaid(unsoundUse("c", object{})), unsoundAsked(object{"type": "text", "text": "x"}, unsoundResult("c"))}}, "before other content"},
	{simulate.Anthropic, "unsigned thinking", object{"messages": []object{user, unsoundSaid(object{"type": "thinking", "thinking": "x"})}}, "signature"},
	{simulate.Anthropic, "white space at the end", object{"messages": []object{user, {"role": "assistant", "content": "x "}}}, "trailing whitespace"},
	{simulate.Anthropic, "calls without tools", object{"tools": nil, "messages": []object{user, unsoundSaid(unsoundUse("c", object{})), unsoundAsked(unsoundResult("c"))}}, "must define tools"},

	{simulate.Responses, "no model", object{"model": ""}, "'model'"},
	{simulate.Responses, "no input", object{"input": []object{}}, "'input'"},
	{simulate.Responses, "wrong type", object{"stream": "yes"}, "could not parse"},
	{simulate.Responses, "earlier answer", object{"previous_response_id": "resp_1"}, "Previous response with id 'resp_1' not found."},
	{simulate.Responses, "tool type", object{"tools": []object{{"name": "a"}}}, "tools[0].type"},
	{simulate.Responses, "bad tool name", object{"tools": []object{{"type": "function", "name": "a.b"}}}, "does not match pattern"},
	{simulate.Responses, "bad schema", object{"tools": []object{{"type": "function", "name": "a", "parameters": object{"type": "array"}}}}, `"object"`},
	{simulate.Responses, "choice of an unknown tool", object{"tool_choice": object{"type": "function", "name": "x"}}, `"x" not found`},
	{simulate.Responses, "choice without tools", object{"tools": nil, "tool_choice": "required"}, "must be specified with"},
	{simulate.Responses, "role", object{"input": []object{{"role": "tool", "content": "x"}}}, "input[0].role"},
	{simulate.Responses, "content", object{"input": []object{{"role": "user", "content": 3}}}, "input[0].content"},
	{simulate.Responses, "orphan result", object{"input": []object{user, {"type": "function_call_output", "call_id": "c", "output": "x"}}}, "no tool call found"},
	{simulate.Responses, "orphan call", object{"input": []object{user, {"type": "function_call", "call_id": "c", "name": "a", "arguments": "{}"}}}, "No tool output found for function call c."},
	{simulate.Responses, "arguments", object{"input": []object{user, {"type": "function_call", "call_id": "c", "name": "a", "arguments": object{}}}}, "expected a string"},
	{simulate.Responses, "no id", object{"input": []object{user, {"type": "function_call", "name": "a", "arguments": "{}"}}}, "call_id and name"},
	{simulate.Gemini, "no contents", object{"contents": []object{}}, "contents is not specified"},
	{simulate.Gemini, "no parts", object{"contents": []object{{"role": "user"}}}, "parts must not be empty"},
	{simulate.Gemini, "role", object{"contents": []object{{"role": "assistant", "parts": unsoundText}}}, "valid role"},
	{simulate.Gemini, "bad tool name", object{"tools": functions(object{"name": "1a"})}, "Invalid function name"},
	{simulate.Gemini, "bad schema", object{"tools": functions(object{"name": "a", "parameters": object{"type": "ARRAY"}})}, "expected an object"},
	{simulate.Gemini, "choice without tools", object{"tools": nil, "toolConfig": calling("ANY")}, "without function_declarations"},
	{simulate.Gemini, "choice of an unknown tool", object{"toolConfig": calling("ANY", "x")}, `"x" is not declared`},
	{simulate.Gemini, "orphan result", object{"contents": []object{{"role": "user", "parts": []object{answer}}}}, "equal to the number of function call parts"},
	{simulate.Gemini, "orphan call", object{"contents": []object{{"role": "user", "parts": unsoundText}, {"role": "model", "parts": []object{unsoundMade}}}}, "equal to the number of function call parts"},
	{simulate.Gemini, "text behind a call", object{"contents": []object{{"role": "model", "parts": []object{unsoundMade}}, {"role": "user", "parts": unsoundText}}}, "equal to the number of function call parts"},
	{simulate.Gemini, "arguments as text", object{"contents": []object{{"role": "model", "parts": []object{{"functionCall": object{"name": "a", "args": "{}"}}}}}}, "protobuf.Struct"},
	{simulate.Gemini, "result as text", object{"contents": []object{{"parts": []object{{"functionResponse": object{"name": "a", "response": "x"}}}}}}, "protobuf.Struct"},
	{simulate.Gemini, "result without a name", object{"contents": []object{{"parts": []object{{"functionResponse": object{"response": object{}}}}}}}, "Name cannot be empty"},
	{simulate.Ollama, "no model", object{"model": ""}, "model is required"},
	{simulate.Ollama, "list as content", object{"messages": []object{{"role": "user", "content": []object{}}}}, "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"},
	{simulate.Ollama, "arguments as text", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{{"function": object{"name": "a", "arguments": "{}"}}}}}}, "type api.ToolCallFunctionArguments"},
	{simulate.Ollama, "role", object{"messages": []object{{"role": "robot", "content": "x"}}}, "invalid role: robot"},
	{simulate.Ollama, "no name", object{"tools": []object{{"type": "function"}}}, "tools[0].function.name"},
}

// Requests that real servers refuse. Each body is laid over a sound one.
func TestUnsoundRequestsAreRefused(t *testing.T) {
	for _, tc := range unsoundCases {
		t.Run(tc.wire+"/"+tc.name, func(t *testing.T) {
			base, s := start(t, simulate.Weather())
			c := conversation{model: "m", tools: true, messages: ask("Hi"), members: tc.members}
			got := send(t, base, tc.wire, c.body(tc.wire))
			if got.status != http.StatusBadRequest || !strings.Contains(got.err, tc.want) || !strings.Contains(got.err, invalid[tc.wire]) {
				t.Errorf("want 400 with %q, got %s", tc.want, got)
			}
			if seen := s.Requests(); len(seen) != 1 || !strings.Contains(seen[0].Refused, tc.want) {
				t.Errorf("want the refusal recorded, got %+v", seen)
			}
		})
	}
}
