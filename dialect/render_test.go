package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// The prompt says what may and must be called.
func TestRenderChoice(t *testing.T) {
	for _, c := range []struct {
		format string
		o      dialect.RenderOptions
		want   []string
		not    string
	}{
		{"hermes", dialect.RenderOptions{Wording: "general"}, []string{"answer in plain text", "Several calls"}, "must"},
		{"hermes", dialect.RenderOptions{Model: "qwen2.5:7b"}, []string{"You may call one or more functions", `{"name": <function-name>, "arguments": <args-json-object>}`}, "Make at most"},
		{"hermes", dialect.RenderOptions{Model: "Hermes-3-Llama-3.1-8B"}, []string{"You are a function calling AI model."}, "{\"name\": <function-name>, \"arguments\": <args-json-object>}"},
		{"hermes", dialect.RenderOptions{Choice: dialect.AnyTool, Wording: "general"}, []string{"\nYou must call a tool.\n"}, "plain text"},
		{"hermes", dialect.RenderOptions{Choice: dialect.OneTool, Tool: "note", Parallel: dialect.Single}, []string{"\nYou must call the tool note.\n", "at most one call"}, "Several"},
		{"envelope", dialect.RenderOptions{}, []string{`"toolCalls"`, "needsMoreWork"}, "plain text"},
		{"scratchpad", dialect.RenderOptions{}, []string{`"answer"`, "at most one call"}, "Several"},
		{"qwen3_coder", dialect.RenderOptions{}, []string{"<function=example_function_name>", "with NO suffix"}, "plain text"},
		{"qwen3_coder", dialect.RenderOptions{Wording: "general"}, []string{"<function={function-name}>", "without quotes"}, "must"},
	} {
		f, ok := dialect.Lookup(c.format)
		if !ok {
			t.Fatalf("no format %s", c.format)
		}
		got := f.RenderTools(tools, c.o)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s %+v lacks %q:\n%s", c.format, c.o, w, got)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s %+v says %q:\n%s", c.format, c.o, c.not, got)
		}
	}
	if f, _ := dialect.Lookup("hermes"); f.RenderTools(nil, dialect.RenderOptions{}) != "" || f.RenderCalls(nil) != "" || f.RenderResults(nil) != "" {
		t.Error("nothing is rendered as something")
	}
}

// A schema is rendered as it was written, white space aside.
func TestRenderSchema(t *testing.T) {
	f, _ := dialect.Lookup("hermes")
	tool := dialect.Tool{Name: "a", Description: "\"A\"\n", Schema: []byte(`{ "type": "object", "properties": {"n": {"maximum": 9007199254740993}} }`)}
	want := `{"type":"function","function":{"name":"a","description":"\"A\"\n","parameters":{"type":"object","properties":{"n":{"maximum":9007199254740993}}}}}`
	if got := f.RenderTools([]dialect.Tool{tool}, dialect.RenderOptions{}); !strings.Contains(got, "\n"+want+"\n") {
		t.Errorf("want %s in:\n%s", want, got)
	}
}
