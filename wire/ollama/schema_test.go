package ollama_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/ollama"
	"github.com/google/go-cmp/cmp"
)

// sent is the description and the parameters of a tool with the schema as a server gets them.
func sent(t *testing.T, schema string) (description, parameters string, notes []callwright.Note) {
	t.Helper()
	req := built(said(callwright.RoleUser, words("a")))
	req.Tools = []callwright.Tool{{Name: "f", Description: "F.", Schema: json.RawMessage(schema)}}
	out, notes, err := ollama.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil || jsonx.Valid(out) != nil {
		t.Fatal(err, string(out))
	}
	list, _ := jsonx.Find(out, "tools")
	for tool := range jsonx.Elements(list) {
		d, _ := jsonx.Lookup(tool, "function", "description")
		p, _ := jsonx.Lookup(tool, "function", "parameters")
		return jsonx.Alias(d), string(p), notes
	}
	return "", "", notes
}

func TestConstraintsAreDescribed(t *testing.T) {
	for name, c := range map[string]struct{ schema, want, words, moved string }{
		"nothing to do": {
			schema: `{ "type":"object", "$schema":"x", "additionalProperties":false, "properties":{"a":{"type":["string","null"],"enum":["x"],"title":"A"}} }`,
			want:   `{ "type":"object", "$schema":"x", "additionalProperties":false, "properties":{"a":{"type":["string","null"],"enum":["x"],"title":"A"}} }`},
		"bounds": {
			schema: `{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":10}}}`,
			want:   `{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":10,"description":"{minimum: 0, maximum: 10}"}}}`, moved: "minimum, maximum"},
		"behind a description": {
			schema: `{"type":"object","properties":{"a":{"description":"The day.","type":"string","format":"date","default":"today"}}}`,
			want:   `{"type":"object","properties":{"a":{"description":"The day. {format: \"date\", default: \"today\"}","type":"string","format":"date","default":"today"}}}`, moved: "format, default"},
		"parameters called like keywords": {
			schema: `{"type":"object","properties":{"pattern":{"type":"string"},"minimum":{"type":"integer"},"$ref":{"type":"string"}}}`,
			want:   `{"type":"object","properties":{"pattern":{"type":"string"},"minimum":{"type":"integer"},"$ref":{"type":"string"}}}`},
		"below items nothing is dropped": {
			schema: `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","minLength":2}}}}`,
			want:   `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","minLength":2}}}}`},
		"inside objects and choices": {
			schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}}}}}`,
			want:   `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"anyOf":[{"type":"string","minLength":1,"description":"{minLength: 1}"},{"type":"null"}]}}}}}`, moved: "minLength"},
		"const": {
			schema: `{"type":"object","properties":{"a":{"const":"x"}}}`,
			want:   `{"type":"object","properties":{"a":{"enum":["x"]}}}`, moved: "const"},
		"oneOf": {
			schema: `{"type":"object","properties":{"a":{"oneOf":[{"const":1},{"type":"string"}]}}}`,
			want:   `{"type":"object","properties":{"a":{"anyOf":[{"enum":[1]},{"type":"string"}]}}}`, moved: "oneOf, const"},
		"allOf": {
			schema: `{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"maxLength":3}]}}}`,
			want:   `{"type":"object","properties":{"a":{"type":"string","maxLength":3,"description":"{maxLength: 3}"}}}`, moved: "allOf, maxLength"},
		"allOf that does not fit together": {
			schema: `{"type":"object","properties":{"a":{"allOf":[{"minimum":1},{"minimum":3}]}}}`,
			want:   `{"type":"object","properties":{"a":{"allOf":[{"minimum":1},{"minimum":3}],"description":"{allOf: [{\"minimum\":1},{\"minimum\":3}]}"}}}`, moved: "allOf"},
		"reference": {
			schema: `{"type":"object","$defs":{"p":{"type":"object","properties":{"x":{"type":"number"}}}},"properties":{"a":{"$ref":"#/$defs/p","description":"A point."}}}`,
			want:   `{"type":"object","$defs":{"p":{"type":"object","properties":{"x":{"type":"number"}}}},"properties":{"a":{"description":"A point.","type":"object","properties":{"x":{"type":"number"}}}}}`, moved: "$ref"},
		"recursion ends": {
			schema: `{"type":"object","definitions":{"n":{"type":"object","properties":{"next":{"$ref":"#/definitions/n"}}}},"properties":{"a":{"$ref":"#/definitions/n"}}}`,
			want: `{"type":"object","definitions":{"n":{"type":"object","properties":{"next":{"$ref":"#/definitions/n"}}}},"properties":{"a":{"type":"object","properties":{"next":{"type":"object","properties":` +
				`{"next":{"type":"object","properties":{"next":{"$ref":"#/definitions/n","description":"{$ref: \"#/definitions/n\"}"}}}}}}}}}`, moved: "$ref"},
		"reference to itself": {
			schema: `{"type":"object","$defs":{"p":{"$ref":"#/$defs/p"}},"properties":{"a":{"$ref":"#/$defs/p"}}}`,
			want:   `{"type":"object","$defs":{"p":{"$ref":"#/$defs/p"}},"properties":{"a":{"$ref":"#/$defs/p","description":"{$ref: \"#/$defs/p\"}"}}}`, moved: "$ref"},
		"reference to nothing": {
			schema: `{"type":"object","properties":{"a":{"$ref":"https://x.test/s.json"}}}`,
			want:   `{"type":"object","properties":{"a":{"$ref":"https://x.test/s.json","description":"{$ref: \"https://x.test/s.json\"}"}}}`, moved: "$ref"},
		"root": {
			schema: `{"minProperties":1,"description":"Of f.","properties":{}}`,
			want:   `{"type":"object","minProperties":1,"description":"Of f.","properties":{}}`, words: "{minProperties: 1}", moved: "minProperties"},
		"root of more types": {
			schema: `{"type":["object","null"],"properties":{}}`,
			want:   `{"type":"object","properties":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			description, got, notes := sent(t, c.schema)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("unexpected parameters (-want +got):\n%s", diff)
			}
			if want := strings.TrimSpace("F.\n\n" + c.words); description != want {
				t.Errorf("expected the description %q, got %q", want, description)
			}
			moved := ""
			for _, n := range notes {
				moved += n.Was
			}
			if moved != c.moved {
				t.Errorf("expected a note on %q, got %q", c.moved, moved)
			}
		})
	}
}

// Definitions that double at each step do not blow a schema up.
func TestReferencesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"object","$defs":{"d0":{"type":"string","description":"` + strings.Repeat("x", 1000) + `"}`)
	for _, d := range []struct{ name, of string }{{"d1", "d0"}, {"d2", "d1"}, {"d3", "d2"}} {
		b.WriteString(`,"` + d.name + `":{"type":"object","properties":{`)
		for i := range 20 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"p` + string(rune('a'+i)) + `":{"$ref":"#/$defs/` + d.of + `"}`)
		}
		b.WriteString(`}}`)
	}
	b.WriteString(`},"properties":{"a":{"$ref":"#/$defs/d3"}}}`)
	_, got, _ := sent(t, b.String())
	if len(got) > 300<<10 {
		t.Errorf("%d bytes became %d", b.Len(), len(got))
	}
}
