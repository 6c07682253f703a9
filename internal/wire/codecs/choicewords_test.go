package codecs_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A tool choice in the words of another API means what it means there. It is sent in the words of the wire's own, with a note. A choice in those words, one
// of a tool of the provider, and one that nobody knows stay as they came.
func TestChoiceWords(t *testing.T) {
	const flat, nested = `{"type":"function","name":"tide_at"}`, `{"type":"function","function":{"name":"tide_at"}}`
	const flatList, nestedList = `{"type":"allowed_tools","mode":"required","tools":[` + flat + `]}`,
		`{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[` + nested + `]}}`
	const same = "" // the choice is sent as it came
	type want struct {
		sent string
		mode callwright.ChoiceMode
	}
	shared := map[string]want{
		`"any"`:                 {`"required"`, callwright.ChoiceRequired},
		`{"type":"any"}`:        {`"required"`, callwright.ChoiceRequired},
		`{"type": "required"}`:  {`"required"`, callwright.ChoiceRequired},
		`{"type":"auto"}`:       {`"auto"`, callwright.ChoiceAuto},
		`{"type":"none"}`:       {`"none"`, callwright.ChoiceNone},
		`"required"`:            {same, callwright.ChoiceRequired},
		`"auto"`:                {same, callwright.ChoiceAuto},
		`"sometimes"`:           {same, ""},
		`{"type":"web_search"}`: {same, ""},
		`{"type":"mcp","server_label":"s","name":"tide_at"}`: {same, ""},
	}
	for wire, c := range map[callwright.WireName]struct {
		body  func(choice string) string
		cases map[string]want
	}{
		callwright.WireOpenAI: {
			func(choice string) string {
				return `{"model":"tern", "messages":[{"role":"user","content":"Tide?"}],"tool_choice":` + choice + `,"tools":[{"type":"function","function":{"name":"tide_at","parameters":{"type":"object"}}}],"x":[1.0]}`
			},
			map[string]want{
				`{"type":"tool","name":"tide_at"}`:                       {nested, callwright.ChoiceNamed},
				`{"name":"tide_at","type":"function"}`:                   {nested, callwright.ChoiceNamed},
				`{ "type":"function", "function":{ "name":"tide_at" } }`: {same, callwright.ChoiceNamed},
				flatList:   {nestedList, callwright.ChoiceRequired},
				nestedList: {same, callwright.ChoiceRequired},
				`{"type":"allowed_tools","mode":"sometimes","tools":[]}`: {same, ""},
			},
		},
		callwright.WireResponses: {
			func(choice string) string {
				return `{"model":"tern", "input":"Tide?","tool_choice":` + choice + `,"tools":[{"type":"function","name":"tide_at","parameters":{"type":"object"}},{"type":"web_search"}],"x":[1.0]}`
			},
			map[string]want{
				`{"type":"tool","name":"tide_at"}`: {flat, callwright.ChoiceNamed},
				nested:                             {flat, callwright.ChoiceNamed},
				nestedList:                         {flatList, callwright.ChoiceRequired},
				flatList:                           {same, callwright.ChoiceRequired},
				`{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"web_search"}]}}`: {same, ""},
				`{ "type":"function", "name":"tide_at" }`:                                                  {same, callwright.ChoiceNamed},
				`{"type":"allowed_tools","mode":"auto","tools":[{"type":"function", "name":"tide_at"}]}`:   {same, callwright.ChoiceAuto},
				`{"type":"allowed_tools","mode":"auto","tools":[{"type":"web_search"}]}`:                   {same, ""},
			},
		},
	} {
		codec, _ := codecs.Of(wire)
		for _, cases := range []map[string]want{shared, c.cases} {
			for came, want := range cases {
				req, err := codec.DecodeRequest([]byte(c.body(came)))
				if err != nil {
					t.Fatalf("%s, %s: %v", wire, came, err)
				}
				if req.Params.Choice.Mode != want.mode {
					t.Errorf("%s, %s: read as %q", wire, came, req.Params.Choice.Mode)
				}
				body, notes, err := codec.EncodeRequest(req, "tern", caps.Caps{})
				if err != nil {
					t.Fatalf("%s, %s: %v", wire, came, err)
				}
				noted := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "params.choice_words" })
				switch sent, _ := jsonx.Find(body, "tool_choice"); {
				case noted != (want.sent != same):
					t.Errorf("%s, %s: noted %t", wire, came, noted)
				case want.sent == same && string(body) != c.body(came):
					t.Errorf("%s, %s: the body changed to %s", wire, came, body)
				case want.sent != same && string(sent) != want.sent:
					t.Errorf("%s, %s: sent as %s", wire, came, sent)
				}
			}
		}
	}
}
