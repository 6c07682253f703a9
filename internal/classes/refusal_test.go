package classes_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Requests that a provider refuses before its model runs.

// defining is a request with one tool of this schema.
func defining(name, schema string) request {
	return request{turns: question().turns, define: []tool{{name, schema}}}
}

// A declared tool is one as a provider got it.
type declaredTool struct {
	at, name string // at is the path in the request
	schema   m
	raw      m
}

// declaredTools are the tools of a request.
func declaredTools(r *received) (out []declaredTool) {
	for i, t := range list(r.body, "tools") {
		at := fmt.Sprintf("tools[%d]", i)
		for k, f := range list(t, "functionDeclarations") {
			s, _ := member(f, "parameters").(m)
			if j, ok := member(f, "parametersJsonSchema").(m); ok {
				s = j
			}
			out = append(out, declaredTool{fmt.Sprintf("%s.function_declarations[%d]", at, k), str(f, "name"), s, f.(m)})
		}
		if f, ok := member(t, "function").(m); ok {
			s, _ := f["parameters"].(m)
			out = append(out, declaredTool{at + ".function", str(f, "name"), s, f})
		} else if name := str(t, "name"); name != "" {
			s, _ := member(t, "input_schema").(m)
			if p, ok := member(t, "parameters").(m); ok {
				s = p
			}
			out = append(out, declaredTool{at, name, s, t.(m)})
		}
	}
	return out
}

// eachSchema visits a schema and those inside it. It stops at the first complaint.
func eachSchema(s m, at string, visit func(s m, at string) string) string {
	if s == nil {
		return ""
	}
	if why := visit(s, at); why != "" {
		return why
	}
	props, _ := s["properties"].(m)
	for name, p := range props {
		sub, _ := p.(m)
		if why := eachSchema(sub, at+".properties."+name, visit); why != "" {
			return why
		}
	}
	if items, ok := s["items"].(m); ok {
		if why := eachSchema(items, at+".items", visit); why != "" {
			return why
		}
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		for i, sub := range list(s, word) {
			o, _ := sub.(m)
			if why := eachSchema(o, fmt.Sprintf("%s.%s[%d]", at, word, i), visit); why != "" {
				return why
			}
		}
	}
	return ""
}

// refusing refuses requests with a tool of which check complains, with a body made of the complaint.
func refusing(status int, body func(why string) string, check func(t declaredTool) string) func(*received) *refusal {
	return func(r *received) *refusal {
		for _, t := range declaredTools(r) {
			if why := check(t); why != "" {
				return &refusal{status, body(why)}
			}
		}
		return nil
	}
}

func googleError(why string) string {
	return text(m{"error": m{"code": 400, "message": why, "status": "INVALID_ARGUMENT"}})
}

func anthropicError(why string) string {
	return text(m{"type": "error", "error": m{"type": "invalid_request_error", "message": why}})
}

func openaiError(why string) string { return stated(why, "invalid_function_parameters", nil) }

func nameError(why string) string { return stated(why, "invalid_value", nil) }

func engineError(why string) string {
	return text(m{"error": m{"code": 400, "message": why, "type": "invalid_request_error"}})
}

// openAPIWords are the members of a schema that Gemini takes in parameters.
var openAPIWords = []string{"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern",
	"example", "anyOf", "propertyOrdering", "default", "items", "minimum", "maximum"}

func geminiSchema(t declaredTool) string {
	if _, ok := t.raw["parametersJsonSchema"]; ok {
		return ""
	}
	return eachSchema(t.schema, t.at+".parameters", func(s m, at string) string {
		for word := range s {
			if !slices.Contains(openAPIWords, word) {
				return fmt.Sprintf("Invalid JSON payload received. Unknown name \"%s\" at '%s': Cannot find field.", word, at)
			}
		}
		for i, v := range list(s, "enum") {
			if _, ok := v.(string); !ok {
				return fmt.Sprintf("Invalid value at '%s.enum[%d]' (TYPE_STRING), %v", at, i, v)
			}
		}
		if kind := strings.ToLower(str(s, "type")); kind == "array" && s["items"] == nil {
			return "* GenerateContentRequest." + at + ".items: missing field."
		}
		return ""
	})
}

const (
	hardSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false,"properties":{"city":{"type":"string","const":"Oslo"},"n":{"type":"integer","exclusiveMinimum":0,"multipleOf":1,"enum":[7,8]},"l":{"type":"array"}},"required":["city"]}`
	rootSchema = `{"type":"object","oneOf":[{"properties":{"city":{"type":"string"}},"required":["city"]},{"properties":{"lat":{"type":"number"}},"required":["lat"]}]}`
	openSchema = `{"type":"object","properties":{"city":{"type":"string"},"targets":{"type":"array"}},"required":["city"]}`
)

func rootCombinator(t declaredTool) string {
	for _, word := range []string{"oneOf", "allOf", "anyOf"} {
		if t.schema[word] != nil {
			return t.at + ".custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
		}
	}
	return ""
}

func arrayItems(t declaredTool) string {
	return eachSchema(t.schema, "", func(s m, at string) string {
		if s["type"] == "array" && s["items"] == nil {
			return "Invalid schema for function '" + t.name + "': In context=('properties', 'targets'), array schema missing items."
		}
		return ""
	})
}

// strictRules are OpenAI's for tools that are strict.
func strictRules(t declaredTool) string {
	if t.raw["strict"] != true {
		return ""
	}
	return eachSchema(t.schema, "", func(s m, at string) string {
		props, _ := s["properties"].(m)
		if s["type"] != "object" {
			return ""
		}
		if s["additionalProperties"] != false {
			return "Invalid schema for function '" + t.name + "': In context=(), 'additionalProperties' is required to be supplied and to be false."
		}
		if len(list(s, "required")) != len(props) {
			return "Invalid schema for function '" + t.name + "': In context=(), 'required' is required to be supplied and to be an array including every key in properties."
		}
		return ""
	})
}

func badPattern(t declaredTool) string {
	return eachSchema(t.schema, "", func(s m, at string) string {
		p := str(s, "pattern")
		if p != "" && !(strings.HasPrefix(p, "^") && strings.HasSuffix(p, "$")) {
			return "failed to parse grammar: Pattern must start with '^' and end with '$'"
		}
		if strings.Contains(p, `\d`) || strings.Contains(p, `\w`) {
			return "Failed to initialize samplers: failed to parse grammar"
		}
		return ""
	})
}

func noMinItems(t declaredTool) string {
	return eachSchema(t.schema, "", func(s m, at string) string {
		if s["minItems"] != nil {
			return "The provided JSON schema contains features not supported by xgrammar: minItems"
		}
		return ""
	})
}

// named refuses tools whose name does not fit a pattern.
func named(pattern string) func(declaredTool) string {
	re := regexp.MustCompile(pattern)
	return func(t declaredTool) string {
		if re.MatchString(t.name) && len(t.name) <= 64 {
			return ""
		}
		if len(t.name) > 64 {
			return fmt.Sprintf("Invalid '%s.name': string too long. Expected a string with maximum length 64, but got a string with length %d instead.", t.at, len(t.name))
		}
		return fmt.Sprintf("Invalid '%s.name': string does not match pattern. Expected a string that matches the pattern '%s'.", t.at, pattern)
	}
}

// without refuses requests with a member.
func without(status int, body string, path ...any) func(*received) *refusal {
	return func(r *received) *refusal {
		if member(r.body, path...) != nil {
			return &refusal{status, body}
		}
		return nil
	}
}

// sentName is a call of the first tool, by the name under which the provider got it.
func sentName(args string) []reply {
	return []reply{{byName: args}}
}

// chosen refuses a tool choice that demands a call.
func chosen(body string) func(*received) *refusal {
	return func(r *received) *refusal {
		switch c := r.body["tool_choice"].(type) {
		case string:
			if c != "auto" && c != "none" {
				return &refusal{400, body}
			}
		case m:
			if kind := str(c, "type"); kind != "auto" && kind != "none" {
				return &refusal{400, body}
			}
		}
		return nil
	}
}

// thinking makes a request that asks for reasoning in the client's API.
func thinking(q request) request {
	q.more = map[api]string{chat: `"reasoning_effort": "high"`, responses: `"reasoning": {"effort": "high"}`, anthropic: `"thinking": {"type": "enabled", "budget_tokens": 2048}, "max_tokens": 4096`}
	return q
}

// manyTools is a request with more tools than OpenAI takes.
func manyTools(n int) request {
	q := request{turns: question().turns, define: []tool{{"get_weather", toolbox["get_weather"]}}}
	for i := 1; i < n; i++ {
		q.define = append(q.define, tool{fmt.Sprintf("other_%d", i), toolbox["list_all"]})
	}
	return q
}

func tooMany(body string) func(*received) *refusal {
	return func(r *received) *refusal {
		if n := len(declaredTools(r)); n > 128 {
			return &refusal{400, strings.ReplaceAll(body, "N", fmt.Sprint(n))}
		}
		return nil
	}
}

var refusalScenes = []scene{
	{class: "F35", name: "by Gemini", at: []api{gemini}, provider: "gemini", model: "gemini-2.5-pro", doors: apis, ask: defining("get_weather", hardSchema), refuse: refusing(400, googleError, geminiSchema), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F35", name: "by an unknown provider of its API", at: []api{gemini}, doors: apis, ask: defining("get_weather", hardSchema), refuse: refusing(400, googleError, geminiSchema), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F35", name: "through a proxy of OpenAI's API", doors: apis, ask: defining("get_weather", hardSchema), refuse: refusing(400, googleError, geminiSchema), replies: replied(native("get_weather", oslo)), want: want{calls: weather, named: "F37"}},

	{class: "F36", name: "by Anthropic", at: []api{anthropic}, provider: "anthropic", model: "claude-sonnet-4-5", doors: apis, ask: defining("get_weather", rootSchema), refuse: refusing(400, anthropicError, rootCombinator), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F36", name: "through a proxy of OpenAI's API", doors: apis, ask: defining("get_weather", rootSchema), refuse: refusing(400, openaiError, rootCombinator), replies: replied(native("get_weather", oslo)), want: want{calls: weather, named: "F37"}},
	{class: "F36", name: "a call that breaks the folded alternative", at: []api{anthropic}, provider: "anthropic", model: "claude-sonnet-4-5", doors: apis, only: "whole", ask: defining("get_weather", rootSchema), refuse: refusing(400, anthropicError, rootCombinator),
		replies: replied(native("get_weather", `{"town":"Oslo"}`), native("get_weather", oslo)), want: want{calls: weather}},

	{class: "F37", name: "a list without items, by OpenAI", provider: "openai", model: "gpt-4o", doors: apis, ask: defining("get_weather", openSchema), refuse: refusing(400, openaiError, arrayItems), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F37", name: "a list without items, by an unknown provider", at: []api{chat, responses}, doors: apis, ask: defining("get_weather", openSchema), refuse: refusing(400, openaiError, arrayItems), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F37", name: "a strict tool that is open", provider: "openai", model: "gpt-4o", doors: []api{chat, responses},
		ask: request{turns: question().turns, more: map[api]string{
			chat:      `"tools": [{"type":"function","function":{"name":"get_weather","strict":true,"parameters":` + toolbox["get_weather"] + `}}]`,
			responses: `"tools": [{"type":"function","name":"get_weather","strict":true,"parameters":` + toolbox["get_weather"] + `}]`}},
		refuse: refusing(400, openaiError, strictRules), replies: replied(native("get_weather", `{"city":"Oslo","unit":null,"days":null}`)), want: want{calls: weather}},

	{class: "F38", name: "a pattern without anchors", provider: "llamacpp", doors: apis, ask: defining("get_weather", `{"type":"object","properties":{"city":{"type":"string","pattern":"[A-Z][a-z]+"}},"required":["city"]}`), refuse: refusing(400, engineError, badPattern), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F38", name: "classes of characters in a list, by an unknown engine", doors: apis, ask: defining("get_weather", `{"type":"object","properties":{"city":{"type":"string"},"zips":{"type":"array","items":{"type":"string","pattern":"^\\d{5}$"}}},"required":["city"]}`),
		refuse: refusing(400, engineError, badPattern), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F38", name: "a bound of lists", provider: "vllm", doors: apis, ask: defining("get_weather", `{"type":"object","properties":{"city":{"type":"string"},"l":{"type":"array","minItems":1,"items":{"type":"string"}}},"required":["city"]}`),
		refuse: refusing(400, engineError, noMinItems), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F38", name: "no constraint, and nobody says so", doors: apis, ask: defining("get_weather", `{"type":"object","properties":{"city":{"type":"string","pattern":"^[A-Z][a-z]+$"}},"required":["city"]}`), replies: replied(native("get_weather", `{"city":"oslo 1"}`), native("get_weather", oslo)),
		want: want{calls: weather, named: "F19"}},

	{class: "F39", name: "a dot, by OpenAI", provider: "openai", model: "gpt-4o", doors: []api{chat, responses, gemini, ollama}, ask: defining("weather.get", toolbox["get_weather"]), refuse: refusing(400, nameError, named(`^[a-zA-Z0-9_-]+$`)), replies: sentName(oslo),
		want: want{calls: []call{{name: "weather.get", args: oslo}}}},
	{class: "F39", name: "blanks and colons, by an unknown provider", at: []api{chat, anthropic}, doors: apis, ask: defining("my server:get weather", toolbox["get_weather"]), refuse: refusing(400, nameError, named(`^[a-zA-Z0-9_-]+$`)), replies: sentName(oslo),
		want: want{calls: []call{{name: "my server:get weather", args: oslo}}}},
	{class: "F39", name: "too long", at: []api{chat, gemini}, doors: apis, ask: defining("mcp__"+strings.Repeat("long_", 14)+"name", toolbox["get_weather"]), refuse: refusing(400, nameError, named(`^[a-zA-Z0-9_-]+$`)), replies: sentName(oslo),
		want: want{calls: []call{{name: "mcp__" + strings.Repeat("long_", 14) + "name", args: oslo}}}},
	{class: "F39", name: "two names that become one", provider: "openai", model: "gpt-4o", doors: []api{chat, gemini}, ask: request{turns: question().turns, define: []tool{{"notion.search", toolbox["get_weather"]}, {"notion_search", toolbox["list_all"]}}},
		refuse: refusing(400, nameError, named(`^[a-zA-Z0-9_-]+$`)), replies: sentName(oslo), want: want{calls: []call{{name: "notion.search", args: oslo}}}},

	{class: "F40", name: "a parameter by its name", doors: []api{chat, responses}, ask: withMore(`"parallel_tool_calls": false`), refuse: without(400, stated("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", "unsupported_parameter", m{"param": "parallel_tool_calls"}), "parallel_tool_calls"),
		replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F40", name: "strict of a tool", doors: []api{chat}, ask: request{turns: question().turns, more: map[api]string{chat: `"tools": [{"type":"function","function":{"name":"get_weather","strict":true,"parameters":` + toolbox["get_weather"] + `}}]`}},
		refuse: without(422, text(m{"detail": []any{m{"type": "extra_forbidden", "loc": []any{"body", "tools", 0, "function", "strict"}, "msg": "Extra inputs are not permitted", "input": true}}}), "tools", 0, "function", "strict"), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F40", name: "a member of a tool, by Anthropic's API", at: []api{anthropic}, doors: []api{anthropic}, ask: request{turns: question().turns, more: map[api]string{anthropic: `"tools": [{"name":"get_weather","eager_input_streaming":true,"input_schema":` + toolbox["get_weather"] + `}]`}},
		refuse: without(400, anthropicError("tools.0.custom.eager_input_streaming: Extra inputs are not permitted"), "tools", 0, "eager_input_streaming"), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F40", name: "the usage of a stream", doors: []api{chat}, only: "stream", ask: withMore(`"stream_options": {"include_usage": true}`),
		refuse: without(400, stated("Unrecognized request argument supplied: stream_options", "", nil), "stream_options"), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F40", name: "a member of the body, in words of a proxy", doors: []api{chat}, ask: withMore(`"search_content_types": ["a"]`), refuse: without(400, engineError("Extra inputs are not permitted, field: 'search_content_types'"), "search_content_types"), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},

	{class: "F41", name: "thinking, by Anthropic", at: []api{anthropic}, provider: "anthropic", model: "claude-sonnet-4-5", doors: []api{anthropic}, ask: thinking(choosing("required", "get_weather")), refuse: func(r *received) *refusal {
		if str(r.body, "thinking", "type") == "enabled" {
			return chosen(anthropicError("Thinking may not be enabled when tool_choice forces tool use."))(r)
		}
		return nil
	}, replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F41", name: "a model that thinks", doors: apis[:4], ask: choosing("required", "get_weather"), refuse: chosen(stated("Thinking mode does not support this tool_choice", "invalid_request_error", nil)), replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F41", name: "a named tool in thinking mode", doors: apis[:4], ask: choosing("get_weather", "get_weather read_file"), refuse: chosen(stated("<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode", "invalid_parameter_error", nil)),
		replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F41", name: "ignored", doors: apis[:4], only: "whole", ask: choosing("get_weather", "get_weather read_file"), replies: replied(native("read_file", `{"path":"a"}`), native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F41", name: "none, and a call all the same", doors: apis[:4], ask: choosing("none", "get_weather"), replies: replied(answer{text: "It is sunny.", calls: weather}), want: want{text: "It is sunny."}},

	{class: "F42", name: "a model that says so", doors: []api{chat, responses, anthropic}, ask: thinking(question("get_weather")), refuse: func(r *received) *refusal {
		if effort := str(r.body, "reasoning_effort"); r.body["tools"] != nil && effort != "none" && effort != "" {
			return &refusal{400, stated("Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Please use /v1/responses instead.", "", m{"param": "reasoning_effort"})}
		}
		return nil
	}, replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F42", name: "a model that is known for it", provider: "openai", model: "gpt-5.6", doors: apis, ask: question("get_weather"), refuse: func(r *received) *refusal {
		if r.body["tools"] != nil && str(r.body, "reasoning_effort") != "none" {
			return &refusal{400, stated("Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.", "", m{"param": "reasoning_effort"})}
		}
		return nil
	}, replies: replied(native("get_weather", oslo)), want: want{calls: weather}},

	{class: "F43", name: "a tool of free text", at: []api{chat, anthropic}, doors: []api{responses}, ask: request{turns: question().turns, more: map[api]string{responses: `"tools": [{"type":"custom","name":"apply_patch","description":"Apply a patch."}]`}},
		replies: sentName(`{"input":"*** Begin Patch"}`), want: want{calls: []call{{name: "apply_patch", args: `"*** Begin Patch"`}}}},
	{class: "F43", name: "a hosted tool beside one of the client", at: []api{chat, anthropic}, doors: []api{responses}, ask: request{turns: question().turns, more: map[api]string{responses: `"tools": [{"type":"web_search"},{"type":"function","name":"get_weather","parameters":` + toolbox["get_weather"] + `}]`}},
		refuse: func(r *received) *refusal {
			if len(declaredTools(r)) != 1 || len(list(r.body, "tools")) != 1 {
				return &refusal{400, stated("Unsupported tool type", "", nil)}
			}
			return nil
		}, replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F43", name: "a namespace", at: []api{chat, anthropic, gemini, ollama}, doors: []api{responses}, ask: request{turns: question().turns, more: map[api]string{responses: `"tools": [{"type":"namespace","name":"weather","description":"x","tools":[{"type":"function","name":"get_weather","parameters":` + toolbox["get_weather"] + `}]}]`}},
		replies: sentName(oslo), want: want{calls: weather}},

	{class: "F44", name: "by Anthropic", at: []api{anthropic}, provider: "anthropic", model: "claude-sonnet-4-5", doors: apis, ask: untooledPast(), refuse: func(r *received) *refusal {
		if r.body["tools"] == nil && strings.Contains(string(r.raw), `"tool_use"`) {
			return &refusal{400, anthropicError("Requests which include `tool_use` or `tool_result` blocks must define tools")}
		}
		return nil
	}, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F44", name: "through a proxy of OpenAI's API", doors: apis, ask: untooledPast(), refuse: func(r *received) *refusal {
		if r.body["tools"] == nil && strings.Contains(string(r.raw), `"tool_calls"`) {
			return &refusal{400, stated("The toolConfig field must be defined when using toolUse and toolResult content blocks.", "", nil)}
		}
		return nil
	}, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F45", name: "by OpenAI", provider: "openai", model: "gpt-4o", doors: apis, ask: manyTools(222), refuse: tooMany(stated("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length N instead.", "array_above_max_length", m{"param": "tools"})),
		replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F45", name: "by an unknown provider", doors: apis, ask: manyTools(140), refuse: tooMany(stated("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length N instead.", "array_above_max_length", m{"param": "tools"})),
		replies: replied(native("get_weather", oslo)), want: want{calls: weather}},
	{class: "F45", name: "an error, as configured", settings: "tools_over_limit: error", provider: "openai", model: "gpt-4o", doors: apis, ask: manyTools(140), replies: replied(native("get_weather", oslo)), want: want{fails: []string{"invalid_request", "too_large", "unsupported"}}},
}

// withMore is a question about the weather with a further member of the body.
func withMore(more string) request {
	q := question("get_weather")
	q.more = map[api]string{chat: more, responses: more}
	return q
}

// untooledPast is a history with a call, and no tools.
func untooledPast() request {
	q := after("get_weather", call{id: "call_past00001", name: "get_weather", args: oslo}, "12 degrees")
	q.tools = nil
	return q
}
