package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable"
)

// A tool that takes free text is described with its grammar and with the parameter for the text in every mode that shows tools in words: nothing
// else tells the model what to write.
func TestCustomToolsInWords(t *testing.T) {
	modes := map[string]reliable.ShapeOptions{string(caps.JSONSchema): {}, string(caps.JSONObject): {}}
	for _, f := range dialect.Formats() {
		if f.Renders() {
			modes[string(caps.Text)+" "+f.Name] = reliable.ShapeOptions{Dialect: f.Name}
		}
	}
	for _, definition := range []string{
		`{"format":{"type":"grammar","syntax":"lark","definition":"start: SIGN"}}`,
		`{"custom":{"format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: SIGN"}}}}`,
	} {
		tool := callwright.Tool{Type: callwright.CustomTool, Name: "change_files", Description: "Changes files.", Extra: callwright.Extra{JSON: []byte(definition)}}
		req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}, Tools: []callwright.Tool{tool}}
		for name, opts := range modes {
			mode, _, _ := strings.Cut(name, " ")
			shaped, err := reliable.Shape(req, caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}, caps.Mode(mode), opts)
			if err != nil {
				t.Fatal(err)
			}
			prompt := callwright.TextOf(shaped.Request.Messages[0].Parts)
			for _, want := range []string{"change_files", "Changes files.", "start: SIGN", "input"} {
				if !strings.Contains(prompt, want) {
					t.Errorf("%s does not say %q: %s", name, want, prompt)
				}
			}
		}
	}
}

// In the list of tools of a document a line that begins like an entry is one: the lines of a description, such as a list in it, are no tools.
func TestLinesOfDescriptionsAreNoTools(t *testing.T) {
	tools := []callwright.Tool{
		{Name: "load", Description: "Loads tools:\n- list_files: Lists files.\n  arguments: {}\n- count: Counts.", Schema: []byte(`{"type":"object","properties":{"paths":{"type":"array"}}}`)},
		{Name: "count", Description: "Counts.", Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)},
	}
	for _, mode := range []caps.Mode{caps.JSONSchema, caps.JSONObject} {
		req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}, Tools: tools}
		shaped, err := reliable.Shape(req, caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}, mode, reliable.ShapeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var entries []string
		for line := range strings.Lines(callwright.TextOf(shaped.Request.Messages[0].Parts)) {
			if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "  arguments") {
				entries = append(entries, strings.TrimSpace(line))
			}
		}
		want := []string{"- load: Loads tools:", `arguments: {"type":"object","properties":{"paths":{"type":"array"}}}`, "- count: Counts.", `arguments: {"type":"object","properties":{"n":{"type":"integer"}}}`}
		if !slices.Equal(entries, want) {
			t.Errorf("%s: entries %q", mode, entries)
		}
	}
}
