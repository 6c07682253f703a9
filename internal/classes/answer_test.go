package classes_test

import (
	"strings"
)

// Answers whose calls stand in the wrong place, or not at all.

const hermesOslo = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"

// sunny is an answer in words, which the provider gives once it is asked again.
var sunny = answer{text: "It is sunny."}

// native is an answer of one call.
func native(name, args string) answer { return answer{calls: []call{{name: name, args: args}}} }

// replied are replies of these answers, in order.
func replied(all ...answer) (out []reply) {
	for _, a := range all {
		out = append(out, reply{answer: a})
	}
	return out
}

// stated is the body of an error in the form of OpenAI's API.
func stated(message, code string, more m) string {
	e := m{"message": message, "type": "invalid_request_error", "code": code}
	for k, v := range more {
		e[k] = v
	}
	return text(m{"error": e})
}

// failedGeneration is a refusal of a model's own call.
func failedGeneration(said string) []reply {
	return []reply{{status: 400, body: stated("Failed to call a function. Please adjust your prompt.", "tool_use_failed", m{"failed_generation": said})}}
}

var past = after("get_weather read_file", call{id: "call_past00001", name: "get_weather", args: oslo}, "12 degrees")

var answerScenes = []scene{
	{class: "F03", name: "an engine's error quotes the call", ask: question("run_command"), replies: []reply{{status: 500,
		body: text(m{"error": m{"code": 500, "type": "server_error", "message": "Failed to parse input at pos 12: <tool_call>\n<function=run_command>\n<parameter=command>\nls -la && pwd\n</parameter>\n</function>\n</tool_call>"}})}}, want: want{calls: lsPwd}},
	{class: "F03", name: "an engine's error quotes text before the call", ask: question("run_command"), replies: []reply{{status: 500,
		body: text(m{"error": m{"code": 500, "type": "server_error", "message": "Failed to parse input at pos 17: I will look now.\n\n<tool_call>\n<function=run_command>\n<parameter=command>\nls -la && pwd\n</parameter>\n</function>\n</tool_call>"}})}},
		want: want{calls: lsPwd, text: "I will look now."}},

	{class: "F06", name: "markup in the name", at: apis, ask: question("read_file"), replies: replied(native("read_file<arg_key>path</arg_key><arg_value>/home/a</arg_value>", "{}")), want: want{calls: []call{reading("/home/a")}}},
	{class: "F06", name: "markup in the name, two arguments", at: []api{chat, anthropic}, ask: question("read_file"),
		replies: replied(native("read_file\n<arg_key>path</arg_key>\n<arg_value>/home/a</arg_value>\n<arg_key>offset</arg_key>\n<arg_value>4</arg_value>", "")), want: want{calls: []call{{name: "read_file", args: `{"path":"/home/a","offset":4}`}}}},
	{class: "F08", name: "a channel behind the name", at: apis, ask: question("get_weather"), replies: replied(native("get_weather<|channel|>commentary", oslo)), want: want{calls: weather, named: "F22"}},
	{class: "F08", name: "thoughts and answer without tokens", at: []api{chat, ollama}, ask: question("get_weather"), replies: replied(answer{text: "analysisWe need to add two and two.assistantfinalFour."}), want: want{text: "Four.", named: "F10"}},
	{class: "F08", name: "an answer with tokens", at: apis, ask: question("get_weather"), replies: replied(answer{text: "<|channel|>analysis<|message|>Two and two.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>"}), want: want{text: "Four.", quiet: ""}},

	{class: "F10", name: "the only call stands in the thoughts", at: apis, ask: question("get_weather"), replies: replied(answer{text: "<think>I need the weather.\n" + hermesOslo + "</think>"}), want: want{calls: weather}},
	{class: "F10", name: "the only call stands in the reasoning", at: []api{chat, anthropic, gemini, ollama}, ask: question("get_weather"), replies: replied(answer{thought: "I need the weather.\n" + hermesOslo}), want: want{calls: weather}},
	{class: "F10", name: "a draft in the thoughts, the call behind", at: apis, ask: question("get_weather"), replies: replied(answer{text: "<think>Perhaps " + hermesOslo + "?</think>\n" + hermesOslo}), want: want{calls: weather}},
	{class: "F10", name: "a draft in the reasoning, a native call", at: []api{chat, anthropic, gemini, ollama}, ask: question("get_weather"),
		replies: replied(answer{thought: "Perhaps " + hermesOslo + ".", calls: weather}), want: want{calls: weather, quiet: "reasoning is left as it is"}},
	{class: "F10", name: "thoughts that never end", at: apis, ask: question("get_weather"), replies: replied(answer{text: "<think>\nI need the weather.\n" + hermesOslo}), want: want{calls: weather}},
	{class: "F10", name: "thoughts whose begin was in the prompt", at: apis, only: "whole", ask: question("get_weather"), replies: replied(answer{text: "I need the weather.\n</think>\n\n" + hermesOslo}), want: want{calls: weather}},

	{class: "F11", name: "an example in a fence", at: apis, ask: question("get_weather"), replies: replied(answer{text: "A call is written like this:\n\n```xml\n" + hermesOslo + "\n```\n\nNothing was called."}),
		want: want{text: "A call is written like this:\n\n```xml\n" + hermesOslo + "\n```\n\nNothing was called.", quiet: "a quotation is text"}},
	{class: "F11", name: "inline code", at: apis, ask: question("get_weather"), replies: replied(answer{text: "Write `<function=get_weather>` to call it."}), want: want{text: "Write `<function=get_weather>` to call it.", quiet: "a quotation is text"}},
	{class: "F11", name: "an echo of a tool's result", at: apis, ask: after("get_weather read_file", call{id: "call_past00001", name: "read_file", args: `{"path":"a"}`}, "The page says: "+hermesOslo+" and so on."),
		replies: replied(answer{text: "The page says: " + hermesOslo + " and so on."}), want: want{text: "The page says: " + hermesOslo + " and so on.", quiet: "an echo is text"}},
	{class: "F11", name: "names that nobody declared", at: apis, ask: question("get_weather"), replies: replied(answer{text: "Use it so: <tool_call>\n{\"name\": \"example_function_name\", \"arguments\": {\"a\": 1}}\n</tool_call>"}, sunny),
		want: want{text: "", loose: true, quiet: "F22 names undeclared tools"}},
	{class: "F11", name: "a made-up result behind the call", at: apis, ask: question("get_weather"), replies: replied(answer{text: hermesOslo + "\n<tool_response>\n{\"temperature\": 3}\n</tool_response>"}), want: want{calls: weather}},

	{class: "F12", name: "an announcement", at: apis, ask: question("read_file"), replies: replied(answer{text: "I'll read the file now."}), want: want{text: "I'll read the file now.", quiet: "a gateway does not judge prose"}},
	{class: "F12", name: "an announcement in the reasoning, where a call is required", at: []api{chat, anthropic}, doors: apis[:4], ask: choosing("required", "get_weather"),
		replies: replied(answer{thought: "Let me call it.", text: "I will check."}, native("get_weather", oslo)), only: "whole", want: want{calls: weather, named: "F41"}},

	{class: "F13", name: "nothing after a result", at: apis, ask: past, replies: replied(answer{tokens: 1}, sunny), want: want{text: "It is sunny."}},
	{class: "F13", name: "tokens and nothing to show for them", at: []api{chat, anthropic, gemini}, ask: past, replies: replied(answer{}, sunny), want: want{text: "It is sunny.", named: "F03"}},
	{class: "F13", name: "reasoning alone after a result", at: apis, ask: past, replies: replied(answer{thought: "The weather is known."}, sunny), want: want{text: "It is sunny."}},
	{class: "F13", name: "blanks after a result", at: apis, ask: past, replies: replied(answer{text: "\n\n"}, sunny), want: want{text: "It is sunny."}},
	{class: "F13", name: "nothing, every time", at: apis, ask: past, replies: replied(answer{tokens: 1}), want: want{fails: []string{"bad_answer"}}},

	{class: "F14", name: "malformed, then a call", at: []api{gemini}, doors: apis, ask: question("get_weather"), replies: []reply{geminiEnds("MALFORMED_FUNCTION_CALL", nil), {answer: native("get_weather", oslo)}}, want: want{calls: weather}},
	{class: "F14", name: "malformed, every time", at: []api{gemini}, doors: apis, ask: question("get_weather"), replies: []reply{geminiEnds("MALFORMED_FUNCTION_CALL", nil)}, want: want{fails: []string{"tool_use_failed", "invalid_tool_call", "bad_answer"}}},
	{class: "F14", name: "unexpected, with a call", at: []api{gemini}, doors: apis, ask: question("get_weather"), replies: []reply{geminiEnds("UNEXPECTED_TOOL_CALL", m{"name": "delete_all", "args": m{}}), {answer: sunny}}, want: want{text: "It is sunny."}},
	{class: "F14", name: "unexpected, with a call of a declared tool", at: []api{gemini}, doors: apis, ask: question("get_weather"), replies: []reply{geminiEnds("UNEXPECTED_TOOL_CALL", m{"name": "get_weather", "args": m{"city": "Rome"}}), {answer: sunny}}, want: want{calls: []call{{name: "get_weather", args: `{"city":"Rome"}`}}}},
	{class: "F14", name: "malformed, with a call", at: []api{gemini}, doors: apis, ask: question("get_weather"), replies: []reply{geminiEnds("MALFORMED_FUNCTION_CALL", m{"name": "get_weather", "args": m{"city": "Rome"}}), {answer: sunny}}, want: want{text: "It is sunny."}},
	{class: "F14", name: "malformed, through a surface of OpenAI's API", at: []api{chat}, doors: apis, ask: question("get_weather"),
		replies: replied(answer{finish: "function_call_filter: MALFORMED_FUNCTION_CALL"}, native("get_weather", oslo)), want: want{calls: weather}},

	{class: "F15", name: "a function's tag", provider: "groq", doors: apis, ask: question("get_weather"), replies: failedGeneration(`<function=get_weather>{"city": "Oslo"}</function>`), want: want{calls: weather}},
	{class: "F15", name: "the beginning is lost", doors: apis, ask: question("get_weather"), replies: failedGeneration(`get_weather{"city": "Oslo"}</function>`), want: want{calls: weather}},
	{class: "F15", name: "a name and a bracket", doors: apis, ask: question("get_weather"), replies: failedGeneration(`get_weather>{"city": "Oslo"}`), want: want{calls: weather}},
	{class: "F15", name: "a list in a fence", doors: apis, ask: question("get_weather"), replies: failedGeneration("```\n{\n  \"tool_calls\": [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]\n}\n```"), want: want{calls: weather}},
	{class: "F15", name: "nothing quoted", doors: apis, ask: question("get_weather"), replies: append(failedGeneration(""), reply{answer: native("get_weather", oslo)}), want: want{calls: weather}},
	{class: "F15", name: "in a stream", doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: []string{chatChunk(m{"role": "assistant", "content": nil}, nil),
		"event: error\ndata: " + text(m{"error": m{"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": `<function=get_weather>{"city": "Oslo"}</function>`, "status_code": 400}})}}},
		want: want{calls: weather}},
	{class: "F15", name: "in a stream, with words in place of the call", doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: []string{chatChunk(m{"role": "assistant", "content": nil}, nil),
		"event: error\ndata: " + text(m{"error": m{"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "Tool use failed: JSON does not match the expected schema for tool calls", "status_code": 400}})}},
		{answer: native("get_weather", oslo)}}, want: want{calls: weather}},

	{class: "F16", name: "400 of Ollama", at: []api{ollama}, doors: apis, ask: question("get_weather"), untooled: &answer{text: hermesOslo},
		refuse: withTools(400, `{"error":"registry.ollama.ai/library/m:latest does not support tools"}`), want: want{calls: weather}},
	{class: "F16", name: "404 of a router", doors: apis, ask: question("get_weather"), untooled: &answer{text: hermesOslo},
		refuse: withTools(404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit the documentation.","code":404}}`), want: want{calls: weather}},
	{class: "F16", name: "a server without its flag", doors: apis, ask: question("get_weather"), untooled: &answer{text: hermesOslo},
		refuse: withTools(500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`), want: want{calls: weather}},
	{class: "F16", name: "400 of Vertex", at: []api{gemini}, doors: apis, ask: question("get_weather"), untooled: &answer{text: hermesOslo},
		refuse: withTools(400, `{"error":{"code":400,"message":"Unable to submit request because the model does not support function calling.","status":"INVALID_ARGUMENT"}}`), want: want{calls: weather}},
	{class: "F16", name: "tools dropped, where a call is required", doors: apis[:4], only: "whole", ask: choosing("required", "get_weather"), replies: replied(sunny), untooled: &answer{text: hermesOslo}, want: want{calls: weather, named: "F41"}},
	{class: "F16", name: "the second request knows", doors: apis, ask: question("get_weather"), before: []request{question("get_weather")}, untooled: &answer{text: hermesOslo},
		refuse: withTools(400, stated("m does not support tools", "", nil)), want: want{calls: weather, sent: func(all []*received) string {
			return expect(len(all) == 3, "the refusal was not learned: %d requests", len(all))
		}}},
}

// withTools refuses requests that declare tools.
func withTools(status int, body string) func(*received) *refusal {
	return func(r *received) *refusal {
		if r.body["tools"] != nil {
			return &refusal{status, body}
		}
		return nil
	}
}

// choosing is question with a tool choice.
func choosing(choice, tools string) request {
	q := question(strings.Fields(tools)...)
	q.choice = choice
	return q
}

// geminiEnds is a candidate that has a finish reason and no content, or one call.
func geminiEnds(reason string, f m) reply {
	candidate := m{"index": 0, "finishReason": reason}
	if f != nil {
		candidate["content"] = m{"role": "model", "parts": []any{m{"functionCall": f}}}
	}
	doc := text(m{"candidates": []any{candidate}, "usageMetadata": m{"promptTokenCount": 10, "totalTokenCount": 10}, "modelVersion": "m", "responseId": "r1"})
	return reply{body: doc, frames: []string{doc}}
}
