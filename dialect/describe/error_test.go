package describe_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/describe"
)

// What does not hold is an error that names the key and says what is wrong, or what was read instead.
func TestErrors(t *testing.T) {
	const sound = `<act>{"name": "search", "arguments": {"q": "x"}}</act>`
	for _, c := range []struct {
		d         describe.Description
		key, says string
	}{
		{describe.Description{}, "example", "expected one call"},
		{describe.Description{Example: strings.Repeat("x", 5000)}, "example", "at most 4096 bytes"},
		{describe.Description{Example: "\xff"}, "example", "UTF-8"},
		{describe.Description{Example: sound, Format: "yaml"}, "format", `expected json, xml or custom, got "yaml"`},
		{describe.Description{Example: sound, Parser: "regexp"}, "parser", "expected auto, object"},
		{describe.Description{Example: sound, SchemaStyle: "google"}, "schema_style", "expected openai, anthropic or custom"},
		{describe.Description{Example: sound, Name: "My Format"}, "name", "lower case"},
		{describe.Description{Example: sound, Name: "hermes"}, "name", "a format that is known"},
		{describe.Description{Example: sound, Quirks: []string{"singlecall"}}, "quirks", "expected single_call or a sentence"},
		{describe.Description{Example: sound, Quirks: make([]string, 20)}, "quirks", "at most 16"},
		{describe.Description{Example: "I call the weather now."}, "example", "no call is found in it: expected a JSON object"},
		{describe.Description{Example: sound, Format: describe.XML, Parser: describe.Tags}, "example", "no call is found in it: expected a tag with a name around one tag for each argument"},
		{describe.Description{Example: `Then I write call(search, {"q": "x"}) somewhere`}, "example", `expected a call of search with {"q": "x"}`},
		{describe.Description{Example: `<act>{"name": "search", "arguments": {"q": "x"}} and so on</act>`}, "example", "and so on"},
		{describe.Description{Example: "For example:\n" + sound}, "example", "read "},
	} {
		_, err := c.d.Compile()
		e, ok := errors.AsType[*describe.Error](err)
		if !ok || e.Key != c.key || !strings.Contains(e.Message, c.says) {
			t.Errorf("%+v: %v, want %s: %s", c.d, err, c.key, c.says)
		}
	}
}

// A quirk is what the model is told, and the style of schemas how its tools are.
func TestPrompt(t *testing.T) {
	tool := []string{`"parameters":{"type":"object"`, `"input_schema":{"type":"object"`, "- q (string, required): what to look for"}
	for i, style := range []describe.SchemaStyle{describe.OpenAI, describe.Anthropic, describe.InWords} {
		d := describe.Description{Example: `<act>{"name": "search", "arguments": {"q": "x"}}</act>`, SchemaStyle: style, Quirks: []string{describe.SingleCall, "Think before you call."}}
		f, err := d.Compile()
		if err != nil {
			t.Fatal(err)
		}
		got := f.RenderTools(searching, rendering)
		for k, text := range tool {
			if strings.Contains(got, text) != (k == i) {
				t.Errorf("%s: %q in\n%s", style, text, got)
			}
		}
		for _, text := range []string{"Think before you call.", "at most one call", `<act>{"name": "{function-name}", "arguments": {"{parameter-name}": "{value}"}}</act>`} {
			if !strings.Contains(got, text) {
				t.Errorf("%s: %q is not in\n%s", style, text, got)
			}
		}
		if strings.Contains(got, "Several calls") {
			t.Errorf("%s: several calls are offered:\n%s", style, got)
		}
	}
}
