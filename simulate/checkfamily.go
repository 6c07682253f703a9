package simulate

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// failedMistral returns the JSON body of an error response of Mistral. Validation errors have a "detail" list instead.
func failedMistral(f *failure) string {
	if f.details != "" {
		return object(member{"detail", list([]string{f.details})})
	}
	kind := f.kind
	if kind == "" {
		kind = "invalid_request_error"
	}
	return object(member{"object", `"error"`}, member{"message", quote(f.message)}, member{"type", quote(kind)},
		member{"param", "null"}, member{"code", orNull(f.code)})
}

// failedXAI returns the JSON body of an error response of xAI, with the members "code" and "error".
func failedXAI(f *failure) string {
	return object(member{"code", `"Client specified an invalid argument"`}, member{"error", quote(f.message)})
}

// mistralMembers are the permitted top-level fields of a request to Mistral.
var mistralMembers = strings.Fields(`model messages stream stream_options tools tool_choice parallel_tool_calls response_format
	max_tokens stop random_seed temperature top_p presence_penalty frequency_penalty n prediction prompt_mode reasoning_effort
	safe_prompt metadata guardrails prompt_cache_key service_tier`)

// familyChecks are additional checks of providers that implement OpenAI's API. They run first, because these providers
// have their own messages for conditions that openAIChecks also reject.
var familyChecks = []check{
	mistralCheck("unknown-member", "members that the API does not have", "", "", func(doc *node) *failure {
		if names := unknown(doc, mistralMembers); names != nil {
			return forbidden(doc.at(names[0]).raw, `"body"`, quote(names[0]))
		}
		for i, m := range doc.at("messages").list() {
			if m.at("role").str() == "assistant" && m.has("reasoning_content") {
				return forbidden(m.at("reasoning_content").raw, `"body"`, `"messages"`, strconv.Itoa(i), `"assistant"`, `"reasoning_content"`)
			}
		}
		return nil
	}),
	mistralCheck("call-id", "ids of calls have 9 letters or digits", "invalid_function_call", "3280", func(doc *node) *failure {
		for _, m := range doc.at("messages").list() {
			ids := []*node{m.at("tool_call_id")}
			for _, c := range m.at("tool_calls").list() {
				ids = append(ids, c.at("id"))
			}
			for _, id := range ids {
				if id.is("string") && (len(id.text) != 9 || !isWord(id.text, "", 9)) {
					return no("", "Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9.", id.text)
				}
			}
		}
		return nil
	}),
	mistralCheck("order", "no user or system message behind results, no assistant at the end but to be continued",
		"invalid_request_message_order", "3230", func(doc *node) *failure {
			last := ""
			for _, m := range doc.at("messages").list() {
				role := m.at("role").str()
				if last == "tool" && (role == "user" || role == "system") {
					return no("", "Unexpected role '%s' after role 'tool'", role)
				}
				if last = role; role == "assistant" && m.at("prefix").isTrue() {
					last = "prefix"
				}
			}
			if last == "assistant" || last == "system" {
				return no("", "Expected last role User or Tool (or Assistant with prefix True) for serving but got %s", last)
			}
			return nil
		}),
	mistralCheck("pairing", "as many results as calls", "invalid_request_message_order", "3230", func(doc *node) *failure {
		open := 0
		for _, m := range doc.at("messages").list() {
			if m.at("role").str() == "tool" {
				if open--; open < 0 {
					break
				}
				continue
			}
			if open != 0 {
				break
			}
			open = len(m.at("tool_calls").list())
		}
		if open == 0 {
			return nil
		}
		return no("", "Not the same number of function calls and responses")
	}),
	mistralCheck("empty", "an assistant's message has content or calls", "invalid_request_assistant_message", "3240",
		func(doc *node) *failure {
			for _, m := range doc.at("messages").list() {
				if content := m.at("content"); m.at("role").str() == "assistant" && len(m.at("tool_calls").list()) == 0 &&
					content.str() == "" && len(content.list()) == 0 {
					return no("", "Assistant message must have either content or tool_calls, but not none.")
				}
			}
			return nil
		}),
	familyCheck("deepseek", "reasoning", "every message of the model carries what it thought", func(doc *node) *failure {
		if i := missingThought(doc, func(m *node) bool { return m.has("reasoning_content") }); i >= 0 {
			return no("", "Missing `reasoning_content` field in the assistant message at message index %d. The `reasoning_content` in the thinking mode must be passed back to the API.", i).
				as("invalid_request_error")
		}
		return nil
	}),
	familyCheck("deepseek", "forced-choice", "no demand for a call while the model thinks", func(doc *node) *failure {
		if choice := doc.at("tool_choice"); thinking(doc) && (choice.str() == "required" || choice.is("object")) {
			return no("", "Thinking mode does not support this tool_choice").as("invalid_request_error")
		}
		return nil
	}),
	familyCheck("moonshot", "reasoning", "a message with calls carries what the model thought, which is not empty", func(doc *node) *failure {
		kept := func(m *node) bool {
			return len(m.at("tool_calls").list()) == 0 || m.at("reasoning_content").str() != ""
		}
		if i := missingThought(doc, kept); i >= 0 {
			return no("", "thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i)
		}
		return nil
	}),
	familyCheck("moonshot", "forced-choice", "no demand for a call while the model thinks", func(doc *node) *failure {
		if choice := doc.at("tool_choice"); thinking(doc) && (choice.str() == "required" || choice.is("object")) {
			return no("", "tool_choice 'specified' is incompatible with thinking enabled")
		}
		return nil
	}),
	familyCheck("moonshot", "schema", "the types of alternatives stand with them", func(doc *node) *failure {
		for _, t := range doc.at("tools").list() {
			why := walkSchema(t.at("function", "parameters"), nil, func(n *node, path []string) string {
				if n.has("anyOf") && n.has("type") {
					return "At path '" + strings.Join(path, ".") +
						"': when using anyOf, type should be defined in anyOf items instead of the parent schema"
				}
				return ""
			})
			if why != "" {
				return no("", "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <%s>", why)
			}
		}
		return nil
	}),
	familyCheck("moonshot", "empty", "parts of text are not empty", func(doc *node) *failure {
		for _, m := range doc.at("messages").list() {
			for _, p := range m.at("content").list() {
				if p.at("type").str() == "text" && p.at("text").str() == "" {
					return no("", "Invalid request: text content is empty")
				}
			}
		}
		return nil
	}),
	familyCheck("qwen", "forced-choice", "no demand for a call while the model thinks", func(doc *node) *failure {
		if choice := doc.at("tool_choice"); doc.at("enable_thinking").isTrue() && (choice.str() == "required" || choice.is("object")) {
			return no("", "The tool_choice parameter does not support being set to required or object in thinking mode")
		}
		return nil
	}),
	familyCheck("xai", "unsupported", "no penalties and no stop texts", func(doc *node) *failure {
		for _, name := range []string{"presence_penalty", "frequency_penalty", "stop"} {
			if doc.has(name) {
				return no("", "Argument not supported on this model: %s", name)
			}
		}
		return nil
	}),
	{CheckInfo: CheckInfo{"adjacency", Responses, "deepseek", "nothing stands between calls and their outputs"},
		examine: func(doc *node) *failure {
			var open []string
			for _, item := range doc.at("input").list() {
				id := item.at("call_id").str()
				switch kind := item.at("type").str(); {
				case kind == "function_call":
					open = append(open, id)
				case kind == "function_call_output":
					open = slices.DeleteFunc(open, func(s string) bool { return s == id })
				case len(open) > 0:
					return no("input", "No tool output found for function call %s.", open[0])
				}
			}
			return nil
		}},
	familyCheck("groq", "json-with-tools", "no answer in JSON beside tools", func(doc *node) *failure {
		if kind := doc.at("response_format", "type").str(); doc.has("tools") && (kind == "json_object" || kind == "json_schema") {
			return no("", "json mode cannot be combined with tool/function calling")
		}
		return nil
	}),
	familyCheck("groq", "reasoning-content", "thoughts come back under another name", func(doc *node) *failure {
		for i, m := range doc.at("messages").list() {
			if m.at("role").str() == "assistant" && m.has("reasoning_content") {
				return no("", "'messages.%d' : for 'role:assistant' the following must be satisfied[('messages.%d' : property 'reasoning_content' is unsupported)]", i, i)
			}
		}
		return nil
	}),
}

func mistralCheck(name, doc, kind, code string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, OpenAI, "mistral", doc}, kind: kind, code: code, examine: look}
}

func familyCheck(profile, name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, OpenAI, profile, doc}, examine: look}
}

// forbidden returns Mistral's validation error for an unknown member. loc is the path as JSON values, input the
// member's value.
func forbidden(input string, loc ...string) *failure {
	return &failure{status: http.StatusUnprocessableEntity, message: "Extra inputs are not permitted",
		details: object(member{"type", `"extra_forbidden"`}, member{"loc", list(loc)}, member{"msg", `"Extra inputs are not permitted"`},
			member{"input", input})}
}

// thinking reports whether the request leaves thinking enabled. Providers with this check enable it by default.
func thinking(doc *node) bool { return doc.at("thinking", "type").str() != "disabled" }

// missingThought returns the index of the first assistant message for which kept returns false, -1 if there is none or
// if thinking is disabled.
func missingThought(doc *node, kept func(*node) bool) int {
	if !thinking(doc) {
		return -1
	}
	return slices.IndexFunc(doc.at("messages").list(), func(m *node) bool { return m.at("role").str() == "assistant" && !kept(m) })
}
