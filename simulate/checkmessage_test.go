package simulate_test

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/callwright/callwright/simulate"
)

// use returns a message with calls of these ids, result is one with their results.
func use(ids ...string) string {
	var out []string
	for _, id := range ids {
		out = append(out, `{"type":"tool_use","id":"`+id+`","name":"a","input":{}}`)
	}
	return assistant(out...)
}

func result(ids ...string) string {
	var out []string
	for _, id := range ids {
		out = append(out, `{"type":"tool_result","tool_use_id":"`+id+`","content":"x"}`)
	}
	return `{"role":"user","content":[` + strings.Join(out, ",") + `]}`
}

func assistant(blocks ...string) string {
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

// textBlock returns a block of text, userBlocks a message of a user.
func textBlock(text string) string { return `{"type":"text","text":"` + text + `"}` }

func userBlocks(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

// tool declares a tool with more members.
func tool(members string) string { return `"tools":[{"name":"a",` + members + `}]` }

// marks declares tools of which n are marked as what to cache up to.
func marks(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`{"name":"a%d","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}`, i))
	}
	return `"tools":[` + strings.Join(out, ",") + `]`
}

const (
	oneUse  = `{"type":"tool_use","id":"c","name":"a","input":{}}`
	thought = `{"type":"redacted_thinking","data":"x"}`
	budget  = `"thinking":{"type":"enabled","budget_tokens":1024}`
	said    = `{"role":"user","content":"x"}`
)

var messageCases = []checkList{
	{simulate.Anthropic, "anthropic", []checkCase{
		{"unknown-member", `"seed":1`, "seed: Extra inputs are not permitted", `"top_k":1`},
		{"unknown-member", tool(`"input_schema":{"type":"object"},"parallel":1`), "tools.0.custom.parallel: Extra inputs are not permitted", tool(`"input_schema":{"type":"object"},"eager_input_streaming":true`)},
		{"unknown-member", talk(`{"role":"user","content":"x","name":"n"}`), "messages.1.name: Extra inputs are not permitted", talk(said)},
		{"unknown-member", talk(userBlocks(`{"type":"text","text":"x","id":"1"}`)), "messages.1.content.0.text.id: Extra inputs are not permitted", talk(userBlocks(`{"type":"text","text":"x","cache_control":{}}`))},
		{"unknown-member", `"tool_choice":{"type":"none","disable_parallel_tool_use":true}`, "tool_choice.none.disable_parallel_tool_use: Extra inputs", `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`},
		{"tools", `"tools":[{"name":"a.b","input_schema":{"type":"object"}}]`, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", `"tools":[{"name":"a-b","input_schema":{"type":"object"}}]`},
		{"tools", `"tools":[{"name":"` + strings.Repeat("a", 129) + `","input_schema":{"type":"object"}}]`, "tools.0.custom.name", `"tools":[{"name":"` + strings.Repeat("a", 128) + `","input_schema":{"type":"object"}}]`},
		{"tools", `"tools":[{"name":"a","input_schema":{"type":"object"}},{"name":"a","input_schema":{"type":"object"}}]`, "tools: Tool names must be unique.", `"tools":[{"name":"a","input_schema":{"type":"object"}},{"name":"A","input_schema":{"type":"object"}}]`},
		{"tools", tool(`"description":"d"`), "tools.0.custom.input_schema: Field required", `"tools":[{"name":"web_search","type":"web_search_20250305"}]`},
		{"tools", tool(`"input_schema":{}`), "tools.0.custom.input_schema.type: Field required", tool(`"input_schema":{"type":"object"}`)},
		{"tools", tool(`"input_schema":{"type":"string"}`), "tools.0.custom.input_schema.type: Input should be 'object'", tool(`"input_schema":{"type":"object"}`)},
		{"tools", tool(`"input_schema":{"type":"object","anyOf":[]}`), "input_schema does not support oneOf, allOf, or anyOf at the top level", tool(`"input_schema":{"type":"object","properties":{"b":{"anyOf":[]}}}`)},
		{"strict-schema", tool(`"strict":true,"input_schema":{"type":"object"}`), "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false", tool(`"strict":true,"input_schema":{"type":"object","additionalProperties":false}`)},
		{"strict-schema", `"output_config":{"format":{"type":"json_schema","schema":{"type":"integer","minimum":1,"maximum":2}}}`, "output_config.format.schema: For 'integer' type, properties minimum, maximum are not supported",
			`"output_config":{"format":{"type":"json_schema","schema":{"type":"integer","enum":[1]}}}`},
		{"choice", `"tools":null,"tool_choice":{"type":"auto"}`, "tool_choice may only be specified while providing tools.", `"tool_choice":{"type":"auto"}`},
		{"choice", `"tool_choice":{"type":"tool","name":"b"}`, "Tool 'b' not found in provided tools", `"tool_choice":{"type":"tool","name":"a"}`},
		{"thinking", `"thinking":{"type":"enabled"}`, "thinking.enabled.budget_tokens: Field required", budget},
		{"thinking", `"thinking":{"type":"enabled","budget_tokens":1023}`, "Input should be greater than or equal to 1024", budget},
		{"thinking", `"max_tokens":1024,` + budget, "`max_tokens` must be greater than `thinking.budget_tokens`.", `"max_tokens":1025,` + budget},
		{"thinking", `"tool_choice":{"type":"any"},` + budget, "Thinking may not be enabled when tool_choice forces tool use.", `"tool_choice":{"type":"auto"},` + budget},
		{"thinking", `"temperature":0.5,` + budget, "`temperature` may only be set to 1 when thinking is enabled.", `"temperature":1,` + budget},
		{"cache", marks(5), "A maximum of 4 blocks with cache_control may be provided. Found 5.", marks(4)},
		{"cache", `"cache_control":{"type":"ephemeral"},` + marks(4), "Found 5.", `"cache_control":{"type":"ephemeral"},` + marks(3)},
		{"cache", `"system":[{"type":"text","text":"","cache_control":{"type":"ephemeral"}}]`, "system.0.text: cache_control cannot be set for empty text blocks", `"system":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]`},
		{"cache", tool(`"input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"},"defer_loading":true`), "Tool 'a' cannot have both defer_loading=true and cache_control set.", tool(`"input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"},"defer_loading":false`)},
		{"sampling", `"temperature":1.5`, "temperature: range: 0..1", `"temperature":0.5`},
		{"sampling", `"stop_sequences":["\n"]`, "stop_sequences: each stop sequence must contain non-whitespace", `"stop_sequences":["\n."]`},
		{"first-role", `"messages":[{"role":"assistant","content":"x"}]`, `first message must use the "user" role`, `"messages":[{"role":"user","content":"x"}]`},
		{"empty", talk(userBlocks(textBlock(""))), "messages: text content blocks must be non-empty", talk(userBlocks(textBlock("x")))},
		{"empty", talk(userBlocks(textBlock(` \n`))), "must contain non-whitespace text", talk(assistant(textBlock(`\n`), oneUse), result("c"))},
		{"empty", talk(`{"role":"user","content":" "}`), "must contain non-whitespace text", talk(said)},
		{"empty", talk(`{"role":"user","content":""}`), "messages.1: user messages must have non-empty content", talk(`{"role":"assistant","content":""}`, said)},
		{"empty", talk(`{"role":"user","content":[]}`), "messages.1: user messages must have non-empty content", talk(said)},
		{"empty", `"system":" "`, "system: text content blocks must contain non-whitespace text", `"system":""`},
		{"tools-for-history", `"tools":null,` + talk(use("c"), result("c")), "Requests which contain `tool_use` or `tool_result` blocks must define tools", talk(use("c"), result("c")) + `,"tool_choice":{"type":"none"}`},
		{"calls", talk(use("a.b"), result("a.b")), "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", talk(use("a-b"), result("a-b"))},
		{"calls", talk(use(""), result("")), "tool_use.id: String should match", talk(use("c"), result("c"))},
		{"calls", talk(strings.ReplaceAll(use("c"), `"name":"a"`, `"name":"a.b"`), result("c")), "tool_use.name: String should match", talk(use("c"), result("c"))},
		{"calls", talk(strings.ReplaceAll(use("c"), `{}`, `"{}"`), result("c")), "tool_use.input: Input should be a valid dictionary", talk(use("c"), result("c"))},
		{"calls", talk(use("c"), result("c"), use("c"), result("c")), "messages.3.content.0: `tool_use` ids must be unique", talk(use("c"), result("c"), use("d"), result("d"))},
		{"pairing", talk(use("c"), said), "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: c.", talk(use("c"), result("c"), said)},
		{"pairing", talk(use("c", "d"), result("c")), "immediately after: d.", talk(use("c", "d"), result("d", "c"))},
		{"pairing", talk(use("c")), "immediately after: c.", talk(use("c"), result("c"))},
		{"pairing", talk(use("c"), userBlocks(textBlock("x"), `{"type":"tool_result","tool_use_id":"c"}`)), "immediately after: c.", talk(use("c"), userBlocks(`{"type":"tool_result","tool_use_id":"c"}`, textBlock("x")))},
		{"pairing", talk(result("c")), "messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: c.", talk(use("c"), result("c"))},
		{"pairing", talk(use("c"), result("c", "c")), "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: c", talk(use("c"), result("c"))},
		{"signature", talk(assistant(`{"type":"thinking","thinking":"x"}`), said), "messages.1.content.0.thinking.signature: Field required", talk(assistant(thought), said)},
		{"signature", talk(assistant(`{"type":"thinking","thinking":"","signature":""}`), said), "each thinking block must contain thinking", talk(assistant(thought), said)},
		{"signature", talk(assistant(`{"type":"thinking","thinking":"x","signature":"theirs"}`), said), "messages.1.content.0: Invalid `signature` in `thinking` block", talk(assistant(thought), said)},
		{"thinking-first", budget + "," + talk(use("c"), result("c")), "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.", budget + "," + talk(assistant(thought, oneUse), result("c"))},
		{"thinking-first", budget + "," + talk(use("c"), result("c"), use("d"), result("d")), "messages.3.content.0.type", budget + "," + talk(use("c"), result("c"), `{"role":"assistant","content":"x"}`, said)},
		{"trailing-space", talk(`{"role":"assistant","content":"x "}`), "messages: final assistant content cannot end with trailing whitespace", talk(`{"role":"assistant","content":"x"}`)},
	}},
	{simulate.Anthropic, "anthropic-4.5", []checkCase{
		{"both-samplings", `"temperature":0.5,"top_p":0.5`, "`temperature` and `top_p` cannot both be specified for this model. Please use only one.", `"top_p":0.5`},
		{"system-role", talk(`{"role":"system","content":"x"}`, said), `messages: Unexpected role \"system\".`, `"system":"x"`},
	}},
	{simulate.Anthropic, "anthropic-5.5", []checkCase{
		{"no-sampling", `"temperature":1`, "`temperature` is deprecated for this model.", `"max_tokens":1`},
		{"forced-choice", `"tool_choice":{"type":"any"}`, "tool_choice forces tool use is not compatible with this model.", `"tool_choice":{"type":"auto"}`},
		{"prefill", talk(`{"role":"assistant","content":"x"}`), "This model does not support assistant message prefill.", talk(`{"role":"assistant","content":"x"}`, said)},
		{"adaptive", budget, "thinking.type.enabled", `"thinking":{"type":"adaptive"}`},
	}},
}

// sealed returns a signature of a wire, in the form that the server gives.
func sealed(wire string) string {
	return base64.StdEncoding.EncodeToString([]byte("sim:" + wire + ":x"))
}

// items returns the input of a request to Responses.
func items(all ...string) string {
	return `"input":[{"role":"user","content":"Hi"},` + strings.Join(all, ",") + `]`
}

func functionCall(id, members string) string {
	return `{"type":"function_call","call_id":"` + id + `","name":"a","arguments":"{}"` + members + `}`
}

func output(id string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"x"}`
}

func reasoned(id, content string) string {
	return `{"type":"reasoning","id":"` + id + `","summary":[],"encrypted_content":"` + content + `"}`
}

var responsesCases = []checkList{
	{simulate.Responses, "openai", []checkCase{
		{"unknown-member", `"stop":"x"`, "Unknown parameter: 'stop'. unknown_parameter", `"store":false`},
		{"max-output-tokens", `"max_output_tokens":15`, "Expected a value >= 16, but got 15 instead. integer_below_min_value", `"max_output_tokens":16`},
		{"max-output-tokens", `"max_output_tokens":8`, "but got 8 instead.", `"max_output_tokens":100`},
		{"tools", `"tools":[{"type":"function","function":{"name":"a"}}]`, "Missing required parameter: 'tools[0].name'. missing_required_parameter", `"tools":[{"type":"function","name":"a"}]`},
		{"tools", `"tools":[{"type":"function","name":"` + long64 + long64 + `c"}]`, "maximum length 128", `"tools":[{"type":"function","name":"` + long64 + long64 + `"}]`},
		{"tools", `"tools":[{"type":"function","name":"a","strict":true,"parameters":{"type":"object"}}]`, "invalid_function_parameters", `"tools":[{"type":"function","name":"a","parameters":{"type":"object"}}]`},
		{"strict-format", `"text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object"}}}`, "Invalid schema for response_format 'n'", `"text":{"format":{"type":"json_schema","name":"n","strict":false,"schema":{"type":"object"}}}`},
		{"choice", `"tools":null,"tool_choice":"required"`, "Tool choice 'required' must be specified with 'tools' parameter.", `"tool_choice":"required"`},
		{"choice", `"tool_choice":{"type":"function","name":"b"}`, "Tool choice 'function' not found in 'tools' parameter.", `"tool_choice":{"type":"function","name":"a"}`},
		{"content", items(`{"role":"assistant","content":[{"type":"input_text","text":"x"}]}`), "Invalid value: 'input_text'. Supported values are: 'output_text', 'refusal'. invalid_value", items(`{"role":"assistant","content":[{"type":"output_text","text":"x"}]}`)},
		{"content", items(`{"role":"user","content":[{"type":"text","text":"x"}]}`), "Invalid value: 'text'.", items(`{"role":"user","content":[{"type":"input_text","text":"x"}]}`)},
		{"ids", items(functionCall("c", `,"id":"call_1"`), output("c")), "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.", items(functionCall("c", `,"id":"fc_1"`), output("c"))},
		{"ids", items(functionCall(long64+"c", ""), output(long64+"c")), "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64", items(functionCall(long64, ""), output(long64))},
		{"ids", items(functionCall("", ""), output("")), "Invalid 'input[1].call_id': empty string.", items(functionCall("c", ""), output("c"))},
		{"arguments", items(strings.ReplaceAll(functionCall("c", ""), `"{}"`, `{}`), output("c")), "Invalid type for 'input[1].arguments': expected a string, but got an object instead.", items(functionCall("c", ""), output("c"))},
		{"pairing", items(functionCall("c", "")), "No tool output found for function call c.", items(functionCall("c", ""), output("c"))},
		{"pairing", items(output("c"), functionCall("c", "")), "No tool call found for function call output with call_id c.", items(functionCall("c", ""), functionCall("d", ""), output("d"), output("c"))},
		{"reasoning", items(reasoned("rs_1", sealed("responses"))), "Item 'rs_1' of type 'reasoning' was provided without its required following item.", items(reasoned("rs_1", sealed("responses")), functionCall("c", ""), output("c"))},
		{"reasoning", items(reasoned("rs_1", sealed("responses")), said), "without its required following item.", items(reasoned("rs_1", sealed("responses")), `{"role":"assistant","content":"x"}`)},
		{"reasoning", items(reasoned("rs_1", ""), functionCall("c", ""), output("c")), "Item with id 'rs_1' not found.", items(functionCall("c", ""), output("c"))},
		{"reasoning", items(reasoned("rs_1", "theirs"), functionCall("c", ""), output("c")), "could not be verified.", items(reasoned("rs_1", sealed("responses")), functionCall("c", ""), output("c"))},
		{"reasoning", items(functionCall("c", `,"id":"fc_sim1_0"`), output("c")), "Item 'fc_sim1_0' of type 'function_call' was provided without its required 'reasoning' item: 'rs_sim1'.",
			items(reasoned("rs_sim1", sealed("responses")), functionCall("c", `,"id":"fc_sim1_0"`), output("c"))},
		{"json-word", `"text":{"format":{"type":"json_object"}}`, "must contain the word 'json' in some form", `"text":{"format":{"type":"json_object"}},"input":"As JSON."`},
	}},
	{simulate.Responses, "openai-reasoning", []checkCase{
		{"sampling", `"temperature":0.2`, "Unsupported value: 'temperature' does not support 0.2", `"temperature":1`},
	}},
	{simulate.Responses, "openai-5.6", nil}, // it takes tools here
}
