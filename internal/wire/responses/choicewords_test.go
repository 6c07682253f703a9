package responses_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
)

// A tool choice in the words of the other APIs means what it means there. It is written in those of this one, with a note; one in this API's own words, and
// one of a tool of the provider, stays as it came.
func TestChoiceWords(t *testing.T) {
	const named = `{"type":"function","name":"tide_at"}`
	for came, want := range map[string]struct {
		sent string
		mode callwright.ChoiceMode
	}{
		`"any"`:                            {`"required"`, callwright.ChoiceRequired},
		`{"type":"any"}`:                   {`"required"`, callwright.ChoiceRequired},
		`{"type": "required"}`:             {`"required"`, callwright.ChoiceRequired},
		`{"type":"auto"}`:                  {`"auto"`, callwright.ChoiceAuto},
		`{"type":"none"}`:                  {`"none"`, callwright.ChoiceNone},
		`{"type":"tool","name":"tide_at"}`: {named, callwright.ChoiceNamed},
		`{"type":"function","function":{"name":"tide_at"}}`: {named, callwright.ChoiceNamed},
		`"required"`: {`"required"`, callwright.ChoiceRequired},
		`"auto"`:     {`"auto"`, callwright.ChoiceAuto},
		`{ "type":"function", "name":"tide_at" }`:                                                {`{ "type":"function", "name":"tide_at" }`, callwright.ChoiceNamed},
		`{"type":"allowed_tools","mode":"auto","tools":[{"type":"function", "name":"tide_at"}]}`: {`{"type":"allowed_tools","mode":"auto","tools":[{"type":"function", "name":"tide_at"}]}`, callwright.ChoiceAuto},
		`{"type":"allowed_tools","mode":"auto","tools":[{"type":"web_search"}]}`:                 {`{"type":"allowed_tools","mode":"auto","tools":[{"type":"web_search"}]}`, ""},
		`{"type":"web_search"}`:                              {`{"type":"web_search"}`, ""},
		`{"type":"mcp","server_label":"s","name":"tide_at"}`: {`{"type":"mcp","server_label":"s","name":"tide_at"}`, ""},
		`"sometimes"`: {`"sometimes"`, ""},
	} {
		body := func(choice string) string {
			return `{"model":"tern", "input":"Tide?","tool_choice":` + choice + `,"tools":[{"type":"function","name":"tide_at","parameters":{"type":"object"}},{"type":"web_search"}],"x":[1.0]}`
		}
		req := decode(t, body(came))
		if req.Params.Choice.Mode != want.mode {
			t.Errorf("%s: read as %q", came, req.Params.Choice.Mode)
		}
		got, rules := encode(t, req, caps.Caps{})
		sent, _ := jsonx.Find([]byte(got), "tool_choice")
		if string(sent) != want.sent || slices.Contains(rules, "params.choice_words") != (came != want.sent) {
			t.Errorf("%s: sent as %s, notes %q", came, sent, rules)
		}
		if came == want.sent && got != body(came) {
			t.Errorf("%s: the body changed to %s", came, got)
		}
	}
}
