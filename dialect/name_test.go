package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// A name that holds a whole call is read; any other is left alone.
func TestFromName(t *testing.T) {
	for name, want := range map[string]string{
		"note<arg_key>text</arg_key><arg_value>a b</arg_value>":              "glm45",
		"note\n<arg_key>text</arg_key>\n<arg_value>a b":                      "glm45",
		`note{"text": "a b"}`:                                                "bare_json",
		"note(text='a b')":                                                   "pythonic",
		`functions.note:0<|tool_call_argument_begin|>{"text": "a b"}`:        "kimi_k2",
		"<function=note><parameter=text>a b</parameter>":                     "qwen3_coder",
		"note><parameter=text>a b</parameter></function>":                    "qwen3_coder",
		`invoke name="note"><parameter name="text">a b</parameter></invoke>`: "anthropic_invoke",
		`<tool_call>{"name": "note", "arguments": {"text": "a b"}}`:          "hermes",
		`note[ARGS]{"text": "a b"}`:                                          "mistral_args",
		"note":                                                               "",
		"note<|channel|>json":                                                "",
		"drop<arg_key>text</arg_key><arg_value>a b</arg_value>":              "",
		`note{"text": "a`:                                                    "",
		`note{"text": "a b"} and ping{}`:                                     "",
		"<tool_call>{\"name\": \"ping\"}</tool_call><tool_call>{\"name\": \"ping\"}</tool_call>": "",
	} {
		c, ok := dialect.FromName(name, dialect.Options{Tools: tools, Quoted: []string{name}, ReasoningPrimed: true})
		switch {
		case ok != (want != ""):
			t.Errorf("%s: read %t", name, ok)
		case ok && (c.Name != "note" || c.Format != want || !strings.Contains(c.JSON+joinArgs(c), "a b")):
			t.Errorf("%s: %s as %s: %s %q", name, c.Name, c.Format, c.JSON, c.Args)
		}
	}
}

func joinArgs(c *dialect.Call) string {
	var b strings.Builder
	for _, a := range c.Args {
		b.WriteString(a.Key + "=" + a.Text + " ")
	}
	return b.String()
}

// Plain text in a tag is the argument of the only tool, as a guess; a format with such a tag says the tool's name.
func TestPlainText(t *testing.T) {
	only := []dialect.Tool{{Name: "run", Params: []dialect.Param{{Name: "command", Types: []string{"string"}, Required: true}, {Name: "timeout", Types: []string{"integer"}}}}}
	for _, c := range []struct {
		about, text, want string
		o                 dialect.Options
	}{
		{"a guess that is allowed", "<tool>ls -la | grep '<x'</tool>", "run", dialect.Options{Tools: only, Heuristic: true}},
		{"a guess that is not", "<tool>ls -la</tool>", "", dialect.Options{Tools: only}},
		{"several tools", "<tool>ls -la</tool>", "", dialect.Options{Tools: tools, Heuristic: true}},
		{"the tag of another format", "<tool_call>ls -la</tool_call>", "malformed", dialect.Options{Tools: only, Heuristic: true}},
		{"a name and text", "<tool: function>\nrun ls -la\n</tool>", "run", dialect.Options{Tools: only}},
		{"two of them", "<tool: function>\nrun ls\n</tool>\n<tool: function>\nrun pwd\n</tool>", "run run", dialect.Options{Tools: only}},
		{"one that was cut", "<tool: function>\nrun ls", "truncated", dialect.Options{Tools: only}},
	} {
		if got := found(c.o, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// A format that was asked for by name gives its name to calls in marks that it shares.
func TestHintNamesTheFormat(t *testing.T) {
	text := `<tool_call>{"name": "ping", "arguments": {}}</tool_call>`
	for hint, want := range map[string]string{"": "hermes", "granite4": "granite4", "mistral_args": "hermes"} {
		for _, it := range scan(dialect.Options{Tools: tools, Hint: hint}, text) {
			if it.Kind == dialect.CallFound && it.Call.Format != want {
				t.Errorf("%q: %s, want %s", hint, it.Call.Format, want)
			}
		}
	}
}

// Tools are listed the way each family is used to, and each listing says what a tool takes.
func TestListings(t *testing.T) {
	for format, want := range map[string][]string{
		"hermes":        {"<tools>\n{\"type\":\"function\""},
		"qwen3_coder":   {"<name>find_train</name>", "<type>integer</type>", "<required>from</required>"},
		"harmony":       {"namespace functions {", "// Finds trains.", "from: string,", "seats?: number,", "type ping = () => any;"},
		"deepseek_v31":  {"### find_train\nDescription: Finds trains.", "Parameters: {"},
		"deepseek_v32":  {"<functions>\n[{", "</functions>"},
		"mistral_args":  {"[AVAILABLE_TOOLS] [{", "[/AVAILABLE_TOOLS]"},
		"minimax_m2":    {"<tool>{", "</tools>"},
		"llama3_json":   {"{\n    \"type\": \"function\""},
		"gemma4":        {"<|tool>declaration:find_train{description:<|\"|>Finds trains.<|\"|>,parameters:{"},
		"functiongemma": {"<start_function_declaration>declaration:ping{"},
		"cohere_cmd3":   {"# Available Tools\n[{"},
		"lfm2":          {"List of tools: [{"},
	} {
		f, _ := dialect.Lookup(format)
		got := f.RenderTools(tools, dialect.RenderOptions{})
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", format, w, got)
			}
		}
	}
}
