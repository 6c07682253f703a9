package schemacheck_test

import (
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/schemacheck"
	"github.com/callwright/callwright/internal/adapter"
)

func TestTools(t *testing.T) {
	for name, c := range map[string]struct {
		provider   string
		tools      []adapter.Tool
		status     schemacheck.Status // of the last tool
		path, word string             // of its first finding
	}{
		"taken":               {"openai", []adapter.Tool{{Name: "f", Parameters: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)}}, schemacheck.Taken, "", ""},
		"a lookahead":         {"openai", []adapter.Tool{{Name: "f", Parameters: []byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)"}}}`)}}, schemacheck.Adapted, "/properties/a/pattern", "pattern"},
		"the same for others": {"anthropic", []adapter.Tool{{Name: "f", Parameters: []byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)"}}}`)}}, schemacheck.Taken, "", ""},
		"a name":              {"openai", []adapter.Tool{{Name: "a.b", Parameters: []byte(`{"type":"object"}`)}}, schemacheck.Adapted, "", "name"},
		"no name":             {"openai", []adapter.Tool{{Parameters: []byte(`{"type":"object"}`)}}, schemacheck.Refused, "", "name"},
		"a name twice":        {"openai", []adapter.Tool{{Name: "f"}, {Name: "f"}}, schemacheck.Refused, "", "name"},
		"no schema":           {"openai", []adapter.Tool{{Name: "f", Parameters: []byte(`{"type":"object","properties":{"a":7}}`)}}, schemacheck.Refused, "/properties/a", "a"},
		"too many":            {"openai", make128(), schemacheck.Refused, "", "tools"},
	} {
		t.Run(name, func(t *testing.T) {
			out := schemacheck.Tools(c.tools, caps.ShippedFor(c.provider, ""))
			got := out[len(out)-1]
			if got.Status != c.status {
				t.Fatalf("got %+v", got)
			}
			if c.word != "" && (len(got.Findings) == 0 || got.Findings[0].Path != c.path || got.Findings[0].Keyword != c.word || got.Findings[0].Remedy == "") {
				t.Errorf("got %+v", got.Findings)
			}
		})
	}
}

// make128 are more tools than OpenAI takes.
func make128() (out []adapter.Tool) {
	for i := range 129 {
		out = append(out, adapter.Tool{Name: "t" + string(rune('a'+i/26)) + string(rune('a'+i%26))})
	}
	return out
}
