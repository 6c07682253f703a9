package directive_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
)

func TestRegistryRefuses(t *testing.T) {
	good := directive.Type{Name: "save"}
	for name, c := range map[string]struct {
		types []directive.Type
		want  callwright.Kind
		says  string
	}{
		"no types":            {nil, callwright.KindInvalid, "at least one type"},
		"no name":             {[]directive.Type{{}}, callwright.KindInvalid, "1 to 64 letters"},
		"a name with a space": {[]directive.Type{{Name: "open file"}}, callwright.KindInvalid, `"open file"`},
		"a long name":         {[]directive.Type{{Name: strings.Repeat("x", 65)}}, callwright.KindInvalid, "1 to 64 letters"},
		"a name twice":        {[]directive.Type{good, {Name: "open"}, good}, callwright.KindInvalid, "another type has the same name"},
		"a broken schema":     {[]directive.Type{{Name: "a", Schema: []byte(`{"type":`)}}, callwright.KindSchema, "JSON"},
		"a wrong schema":      {[]directive.Type{{Name: "a", Schema: []byte(`{"type":7}`)}}, callwright.KindSchema, "type"},
		"no schema of a type": {[]directive.Type{directive.TypeOf[chan int]("a", "")}, callwright.KindSchema, "chan int"},
	} {
		reg, err := directive.NewRegistry(c.types...)
		if callwright.KindOf(err) != c.want || reg != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The schema takes what is read without a change, and nothing else; schemas of payloads keep their references.
func TestSchema(t *testing.T) {
	reg := registry(t)
	s, err := schema.Compile(reg.Schema())
	if err != nil {
		t.Fatal(err)
	}
	if u := s.UncheckedParts(); len(u) > 0 {
		t.Errorf("not all is checked: %v", u)
	}
	for doc, fits := range map[string]bool{
		`{"assistant_text":"","directives":[]}`: true,
		`{"assistant_text":"A","directives":[` + opens + `,` + saves + `,{"type":"set_theme","payload":{"name":"dark"}}]}`: true,
		`{"assistant_text":"A"}`: false,
		`{"assistant_text":"A","directives":[{"type":"reboot","payload":{}}]}`:               false,
		`{"assistant_text":"A","directives":[{"type":"open_file","payload":{}}]}`:            false,
		`{"assistant_text":"A","directives":[{"type":"set_theme","payload":{"name":"x"}}]}`:  false,
		`{"assistant_text":"A","directives":[{"type":"save","payload":{"x":1}}]}`:            false,
		`{"assistant_text":"A","directives":[{"type":"save","payload":{},"x":1}],"other":1}`: false,
	} {
		if got := s.Validate([]byte(doc)) == nil; got != fits {
			t.Errorf("%s fits: %v", doc, got)
		}
		if turn := reg.Read(doc, callwright.FinishStop); fits && len(turn.Notes)+len(turn.Dropped) > 0 {
			t.Errorf("%s is read with %v, %v", doc, turn.Notes, turn.Dropped)
		}
	}
}

func TestInstructions(t *testing.T) {
	const want = `Write your answer as one JSON object and nothing else: no code fence, no text around it.
{"assistant_text": "what the user reads", "directives": [{"type": "TYPE", "payload": {}}]}
"assistant_text" comes first. "directives" tell the app what to do, in this order; the list is empty where there is nothing to do. They are no tools: where there are tools, they are called as usual, beside such an object or without one. The types of directives:
- open_file: Opens a file in the editor.
  payload: {"type":"object","properties":{"path":{"type":"string","description":"path of the file"},"line":{"type":"integer"}},"required":["path"],"additionalProperties":false}
- save: Saves all files. (payload: {})
- set_theme
  payload: {"$ref":"#/$defs/theme","$defs":{"theme":{"type":"object","properties":{"name":{"enum":["light","dark"]}},"required":["name"],"additionalProperties":false}}}`
	if d := cmp.Diff(want, registry(t).Instructions()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// The types of a registry do not change with the list that they came in, nor with the one that is given back.
func TestTypes(t *testing.T) {
	types := []directive.Type{{Name: "a", Description: "A."}, {Name: "b", Schema: json.RawMessage(`{"type":"object"}`)}}
	reg := registry(t, types...)
	types[0].Name = "x"
	reg.Types()[1].Name = "y"
	if got := reg.Types(); got[0].Name != "a" || got[1].Name != "b" {
		t.Errorf("got %v", got)
	}
}
