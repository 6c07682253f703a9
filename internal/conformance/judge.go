package conformance

import (
	"regexp"
	"slices"
	"strings"
)

// marks are prefixes of tool calls that models write as text. If a request declares tools, a server must parse them.
var marks = []string{
	"<tool_call>", "<function=", "<function_calls>", "<invoke name=", "<|tool_call", "<｜tool", "<｜DSML｜", "[TOOL_CALLS]",
	"<|python_tag|>", "<|channel|>",
	"<minimax:tool_call>", "<tool_calls>",
}

// idForms are the call ids that an API accepts: up to 40 characters in Chat Completions, a pattern in Messages, and 1
// to 64 characters in Responses: https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
var idForms = map[string]*regexp.Regexp{
	Chat: regexp.MustCompile(`^.{1,40}$`), Responses: regexp.MustCompile(`^.{1,64}$`), Anthropic: regexp.MustCompile(`^[a-zA-Z0-9_-]+$`),
}

// judge checks a decoded answer by the rules common to all APIs.
func (c *client) judge(a *answer) {
	c.judgeIDs(a)
	mixed := slices.ContainsFunc(a.broken, func(v violation) bool { return v.check == "stream_index" || v.check == "call_form" })
	for _, one := range a.calls {
		if one.args == "" || takesNothing(a.request, one.name) {
			a.expect(strings.TrimSpace(one.args) != "", "empty_arguments", "the call of %s has no arguments, not even {}", one.name)
		}
		if a.finish == finishLength || mixed || isChain(one.args) || strings.TrimSpace(one.args) == "" {
			continue
		}
		t, err := parse([]byte(one.args))
		a.expect(err == nil && t.isObject(), "arguments_json", "the arguments of %s are not a JSON object: %s", one.name, short(one.args))
	}
	if a.finishReason != "" {
		a.expect(a.finish != "", "finish_known", "the API has no finish reason %q", a.finishReason)
	} else if !a.request.stream {
		a.expect(false, "finish_known", "the answer has no finish reason")
	}
	switch {
	case a.finish == "" || a.finish == finishOther:
	case len(a.calls) == 0:
		a.expect(a.finish != finishCalls, "finish_stop", "an answer without a call ends with %q", a.finishReason)
	case !isNamed(a.request.choice):
		a.expect(a.finish == c.form.finishCalls || a.finish == finishLength, "finish_calls", "an answer with a call ends with %q", a.finishReason)
	}
	for _, mark := range []string{"<think>", "</think>"} {
		a.expect(!strings.Contains(a.text, mark), "reasoning_apart", "the text has %s: %s", mark, short(a.text))
	}
	if a.request.tools != nil {
		i := slices.IndexFunc(marks, func(mark string) bool { return strings.Contains(a.text, mark) })
		a.expect(i < 0, "text_markup", "the text has the markup of a call: %s", short(a.text))
	}
}

func (c *client) judgeIDs(a *answer) {
	form := idForms[c.form.name]
	seen := map[string]bool{}
	for _, one := range a.calls {
		if form != nil {
			a.expect(one.id != "", "id_present", "the call of %s has no id", one.name)
		}
		if one.id == "" {
			continue
		}
		a.expect(form == nil || form.MatchString(one.id), "id_form", "the API does not accept the id %q in later requests", one.id)
		if len(a.calls) > 1 {
			a.expect(!seen[one.id], "id_unique", "two calls of one answer have the id %q", one.id)
		}
		seen[one.id] = true
	}
}

// isNamed reports whether a tool choice is the name of a tool.
func isNamed(choice string) bool {
	return choice != "" && choice != "auto" && choice != "required" && choice != "none"
}

// takesNothing reports whether the named tool has no parameters.
func takesNothing(a *request, name string) bool {
	i := slices.IndexFunc(a.tools, func(t tool) bool { return t.name == name })
	return i >= 0 && a.tools[i].schema == noParameters
}
