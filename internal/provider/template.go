package provider

import (
	"strings"

	"github.com/callwright/callwright/caps"
)

// templateMarks are texts in chat templates that write calls in a dialect: all of has occur there. More special ones
// come first.
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

// dialectOf returns the dialect of a model by the template of its conversations, else by its architecture, "" where
// neither says it.
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

// thinkMarks are the marks around reasoning in templates.
var thinkMarks = []struct{ open, close string }{
	{"<think>", "</think>"}, {"<seed:think>", "</seed:think>"}, {"<mm:think>", "</mm:think>"}, {"[THINK]", "[/THINK]"},
	{"<|START_THINKING|>", "<|END_THINKING|>"}, {"<|open|>think<|sep|>", "<|close|>think<|sep|>"},
}

// opensReasoning reports whether a chat template opens reasoning before the answer, at least for some requests: behind
// the generation prompt of Jinja templates, or at its very end, it has a mark that is not closed at once.
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

// reasoningStartOf is the value of reasoning_start by a template, "" where it does not say so.
func reasoningStartOf(template string) string {
	if opensReasoning(template) {
		return "primed"
	}
	return ""
}
