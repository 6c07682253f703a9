package simulate

import (
	"fmt"
	"slices"
	"strings"
)

// openAIMembers are the permitted top-level fields of a Chat Completions request.
var openAIMembers = strings.Fields(`model messages stream stream_options tools tool_choice parallel_tool_calls response_format
	reasoning_effort verbosity max_completion_tokens max_tokens stop seed temperature top_p presence_penalty frequency_penalty
	logprobs top_logprobs logit_bias n store metadata modalities audio prediction service_tier prompt_cache_key
	prompt_cache_options prompt_cache_retention safety_identifier web_search_options moderation user functions function_call`)

// openAIChecks are the checks of Chat Completions. Checks of the profile "chat" are common to compatible servers;
// checks of "openai" exist only at OpenAI.
var openAIChecks = []check{
	openAICheck("unknown-member", "members that the API does not have", "unknown_parameter", func(doc *node) *failure {
		if names := unknown(doc, openAIMembers); names != nil {
			return no(names[0], "Unknown parameter: '%s'.", names[0])
		}
		for _, t := range elements(doc.at("tools"), "tools[%d]") {
			names := unknown(t.node, []string{"type", "function", "custom"})
			for _, name := range unknown(t.get("function"), []string{"name", "description", "parameters", "strict"}) {
				names = append(names, "function."+name)
			}
			if names != nil {
				at := t.at + "." + names[0]
				return no(at, "Unknown parameter: '%s'.", at)
			}
		}
		return nil
	}),
	chatCheck("tool-count", "between 1 and 128 tools", "", func(doc *node) *failure {
		tools := doc.at("tools")
		if tools.is("array") && len(tools.items) == 0 {
			return emptyArray("tools")
		}
		return tooMany("tools", tools.list(), 128)
	}),
	chatCheck("tool-name", "names of tools are words of at most 64 characters", "", func(doc *node) *failure {
		for _, t := range elements(doc.at("tools"), "tools[%d].function") {
			if t.get("type").str() == "custom" {
				continue
			}
			if f := openAIName(t.at+".name", t.get("function", "name").str(), 64); f != nil {
				return f
			}
		}
		return nil
	}),
	openAICheck("schema", "schemas of arguments are objects, and their arrays have items", "invalid_function_parameters",
		func(doc *node) *failure {
			for _, t := range elements(doc.at("tools"), "tools[%d].function") {
				if f := openAIFunction(t.get("function"), t.at+".parameters"); f != nil {
					return f
				}
			}
			return nil
		}),
	openAICheck("strict-format", "schemas of strict answers keep to the subset", "", func(doc *node) *failure {
		form := doc.at("response_format", "json_schema")
		if !form.at("strict").isTrue() {
			return nil
		}
		if why := strictSchema(form.at("schema")); why != "" {
			return no("response_format", "Invalid schema for response_format '%s': %s", form.at("name").str(), why)
		}
		return nil
	}),
	chatCheck("choice", "a choice of tools needs tools, and the tool that is chosen", "", func(doc *node) *failure {
		choice := doc.at("tool_choice")
		name := choice.at("function", "name").str() + choice.at("custom", "name").str()
		declared := func(t *node) bool { return t.at("function", "name").str()+t.at("custom", "name").str() == name }
		switch {
		case doc.has("tool_choice") && !doc.has("tools"):
			return no("tool_choice", "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
		case name != "" && !slices.ContainsFunc(doc.at("tools").list(), declared):
			return no("tool_choice", "Tool choice '%s' not found in 'tools' parameter.", name)
		}
		return nil
	}),
	openAICheck("parallel", "a word on parallel calls needs tools", "", func(doc *node) *failure {
		if doc.has("parallel_tool_calls") && !doc.has("tools") {
			return no("parallel_tool_calls", "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.")
		}
		return nil
	}),
	openAICheck("stream-options", "options of a stream need a stream", "", func(doc *node) *failure {
		if doc.has("stream_options") && !doc.at("stream").isTrue() {
			return no("stream_options", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
		}
		return nil
	}),
	openAICheck("stop-count", "at most 4 stop texts", "", func(doc *node) *failure { return tooMany("stop", doc.at("stop").list(), 4) }),
	chatCheck("role", "roles that the API has", "invalid_value", func(doc *node) *failure {
		for _, m := range elements(doc.at("messages"), "messages[%d]") {
			role := m.get("role").str()
			if !slices.Contains([]string{"system", "assistant", "user", "function", "tool", "developer"}, role) {
				return no(m.at+".role", "Invalid value: '%s'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.", role)
			}
		}
		return nil
	}),
	chatCheck("content", "only an assistant's message with calls may be without content", "", func(doc *node) *failure {
		for _, m := range elements(doc.at("messages"), "messages.[%d]") {
			if !m.node.has("content") && (m.get("role").str() != "assistant" || !m.node.has("tool_calls") &&
				!m.node.has("function_call") && !m.node.has("refusal")) {
				return no(m.at+".content", "Invalid value for 'content': expected a string, got null.")
			}
		}
		return nil
	}),
	chatCheck("result-content", "results are text", "invalid_value", func(doc *node) *failure {
		for _, m := range elements(doc.at("messages"), "messages[%d]") {
			if m.get("role").str() != "tool" {
				continue
			}
			for _, p := range m.under("content", ".content[%d]") {
				if kind := p.get("type").str(); kind != "text" {
					return no(p.at, "Invalid content type '%s' in a message with role 'tool'. Only 'text' is supported.", kind)
				}
			}
		}
		return nil
	}),
	chatCheck("calls", "calls have an id of at most 40 characters, and text as arguments", "", func(doc *node) *failure {
		for _, m := range elements(doc.at("messages"), "messages[%d]") {
			if calls := m.get("tool_calls"); calls.is("array") && len(calls.items) == 0 {
				return emptyArray(m.at + ".tool_calls")
			}
			for _, c := range m.under("tool_calls", ".tool_calls[%d]") {
				args := c.get("function", "arguments")
				if c.get("type").str() == "function" && !args.is("string") {
					return no(c.at+".function.arguments",
						"Invalid type for '%s.function.arguments': expected a string, but got %s instead.", c.at, aKind(args)).as("invalid_type")
				}
				if f := tooLong(c.at+".id", c.get("id").str(), 40); f != nil {
					return f
				}
			}
			if f := tooLong(m.at+".tool_call_id", m.get("tool_call_id").str(), 40); f != nil {
				return f
			}
		}
		return nil
	}),
	chatCheck("pairing", "every call is answered directly behind it, and every answer has a call", "", openAIPairing),
	openAICheck("json-word", "an answer in JSON must be asked for in words too", "", func(doc *node) *failure {
		if doc.at("response_format", "type").str() != "json_object" || doc.at("messages") == nil ||
			strings.Contains(strings.ToLower(doc.at("messages").raw), "json") {
			return nil
		}
		return no("messages", "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
	}),
	reasoningCheck(OpenAI, "sampling", "sampling that reasoning models refuse", reasoningSampling),
	reasoningCheck(OpenAI, "max-tokens", "the limit's old name", func(doc *node) *failure {
		if doc.has("max_tokens") {
			return no("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.").as("unsupported_parameter")
		}
		return nil
	}),
	reasoningCheck(OpenAI, "unsupported", "members that reasoning models refuse", func(doc *node) *failure {
		for _, name := range []string{"stop", "parallel_tool_calls"} {
			if doc.has(name) {
				return no(name, "Unsupported parameter: '%s' is not supported with this model.", name).as("unsupported_parameter")
			}
		}
		return nil
	}),
	{CheckInfo: CheckInfo{"tools-with-reasoning", OpenAI, "openai-5.6", "tools are for Responses while the model reasons"},
		examine: func(doc *node) *failure {
			if !doc.has("tools") || doc.at("reasoning_effort").str() == "none" {
				return nil
			}
			return no("reasoning_effort", "Function tools with reasoning_effort are not supported for %s in /v1/chat/completions. "+
				"To use function tools, use /v1/responses or set reasoning_effort to 'none'.", doc.at("model").str())
		}},
}

func chatCheck(name, doc, code string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, OpenAI, "chat", doc}, code: code, examine: look}
}

func openAICheck(name, doc, code string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, OpenAI, "openai", doc}, code: code, examine: look}
}

func reasoningCheck(wire, name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, wire, "openai-reasoning", doc}, examine: look}
}

// openAIPairing checks that tool messages directly follow the assistant message with their calls, that every call has a
// result, and that every result has a call.
func openAIPairing(doc *node) *failure {
	var open []string
	unanswered := func() *failure {
		if len(open) == 0 {
			return nil
		}
		return no("messages", "An assistant message with 'tool_calls' must be followed by tool messages responding to each "+
			"'tool_call_id'. The following tool_call_ids did not have response messages: %s", strings.Join(open, ", "))
	}
	for _, m := range elements(doc.at("messages"), "messages.[%d]") {
		if m.get("role").str() != "tool" {
			if f := unanswered(); f != nil {
				return f
			}
			for _, c := range m.get("tool_calls").list() {
				open = append(open, c.at("id").str())
			}
			continue
		}
		i := slices.Index(open, m.get("tool_call_id").str())
		if i < 0 {
			return no(m.at+".role", "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
		}
		open = slices.Delete(open, i, i+1)
	}
	return unanswered()
}

// reasoningSampling rejects sampling parameters that OpenAI's reasoning models do not support.
func reasoningSampling(doc *node) *failure {
	if t := doc.at("temperature"); t.is("number") && t.text != "1" {
		return no("temperature", "Unsupported value: 'temperature' does not support %s with this model. Only the default (1) value is supported.", t.text).as("unsupported_value")
	}
	for _, name := range []string{"top_p", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs", "logit_bias"} {
		if doc.has(name) {
			return no(name, "Unsupported parameter: '%s' is not supported with this model.", name).as("unsupported_parameter")
		}
	}
	return nil
}

// OpenAI's error messages for invalid values. at is the path of the value, such as "tools[0].function.name".

func openAIName(at, name string, most int) *failure {
	switch {
	case name == "":
		return no(at, "Invalid '%s': empty string. Expected a string with minimum length 1, but got an empty string instead.",
			at).as("empty_string")
	case !isWord(name, "_-", len(name)):
		return no(at, "Invalid '%s': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", at).as("invalid_value")
	}
	return tooLong(at, name, most)
}

func tooLong(at, text string, most int) *failure {
	if len(text) <= most {
		return nil
	}
	return no(at, "Invalid '%s': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", at, most, len(text)).as("string_above_max_length")
}

func tooMany(at string, list []*node, most int) *failure {
	if len(list) <= most {
		return nil
	}
	return no(at, "Invalid '%s': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", at, most, len(list)).as("array_above_max_length")
}

func emptyArray(at string) *failure {
	return no(at, "Invalid '%s': empty array. Expected an array with minimum length 1, but got an empty array instead.", at).as("empty_array")
}

// aKind returns the JSON type of a value with its article, such as "an object".
func aKind(n *node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.kind == "object" || n.kind == "array":
		return "an " + n.kind
	}
	return fmt.Sprintf("a %s", n.kind)
}
