package provider

import (
	"strings"

	"github.com/callwright/callwright/caps"
)

// templateMarks map strings in chat templates to the dialect in which the model writes tool calls. An entry matches if
// the template contains all its strings. The first match applies.
var templateMarks = []struct {
	has     []string
	dialect string
}{
	{[]string{"<|tool_calls_section_begin|>"}, "kimi_k2"},
	{[]string{"<｜tool▁calls▁begin｜>", "```json"}, "deepseek_v3"},
	{[]string{"<｜tool▁calls▁begin｜>"}, "deepseek_v31"},
	{[]string{"<minimax:tool_call>"}, "minimax_m2"},
	{[]string{"<|channel|>", "<|call|>"}, "harmony"},
	{[]string{"<tool_call>", "<arg_key>"}, "glm45"},
	{[]string{"<function=", "<parameter="}, "qwen3_coder"},
	{[]string{"[TOOL_CALLS]", "[ARGS]"}, "mistral_args"},
	{[]string{"[TOOL_CALLS]"}, "mistral_array"},
	{[]string{"<|START_ACTION|>"}, "cohere_cmd3"},
	{[]string{"<|python_tag|>"}, "llama3_json"},
	{[]string{"<tool_call>", "</tool_call>", "arguments"}, "hermes"},
}

// dialectOf returns the dialect of a model by its chat template, else by its architecture, or "" if both are unknown.
func dialectOf(template, architecture string) string {
marks:
	for _, m := range templateMarks {
		for _, text := range m.has {
			if !strings.Contains(template, text) {
				continue marks
			}
		}
		return m.dialect
	}
	if architecture == "" {
		return ""
	}
	return caps.ShippedFor("", architecture).Dialect
}

// thinkMarks are the delimiters of reasoning in chat templates.
var thinkMarks = []struct{ open, close string }{
	{"<think>", "</think>"}, {"<seed:think>", "</seed:think>"}, {"<mm:think>", "</mm:think>"}, {"[THINK]", "[/THINK]"},
	{"<|START_THINKING|>", "<|END_THINKING|>"}, {"<|open|>think<|sep|>", "<|close|>think<|sep|>"},
}

// opensReasoning reports whether a chat template can open reasoning at the end of the prompt, so that the response
// begins within the reasoning. After add_generation_prompt in Jinja templates, or at the end of other templates, it
// contains an opening delimiter that is not closed immediately.
func opensReasoning(template string) bool {
	tail := strings.TrimSpace(template)
	at := strings.LastIndex(tail, "add_generation_prompt")
	for _, m := range thinkMarks {
		if at < 0 {
			if strings.HasSuffix(tail, m.open) {
				return true
			}
			continue
		}
		for _, after := range strings.Split(tail[at:], m.open)[1:] {
			if !strings.HasPrefix(strings.TrimLeft(strings.ReplaceAll(after, `\n`, "\n"), " \t\r\n"), m.close) {
				return true
			}
		}
	}
	return false
}

// reasoningStartOf returns the value of the fact reasoning_start by a chat template: "primed", or "" if the template
// does not open reasoning.
func reasoningStartOf(template string) string {
	if opensReasoning(template) {
		return "primed"
	}
	return ""
}
