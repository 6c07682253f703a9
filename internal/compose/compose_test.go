package compose_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// Two schemas that give different things one name keep them apart in the whole.
func TestEmbed(t *testing.T) {
	var defs compose.Definitions
	out := []byte(`{"type":"object","properties":{`)
	for i, part := range []string{
		`{"type":"object","properties":{"v":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}}}`,
		`{"type":"object","properties":{"v":{"$ref":"#/$defs/x"},"w":{"$ref":"#/properties/v"}},"$defs":{"x":{"type":"string"}}}`,
		`{"type":"object","properties":{"v":{"type":"null"}}}`,
	} {
		out = append(jsonx.AppendKey(out, string(rune('a'+i))), defs.Embed([]byte(part), string(rune('a'+i))+"_")...)
	}
	out = append(defs.Append(append(out, '}')), '}')
	s, err := schema.Compile(out)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for doc, fits := range map[string]bool{
		`{"a":{"v":1},"b":{"v":"1","w":"2"},"c":{"v":null}}`: true,
		`{"a":{"v":"1"}}`: false,
		`{"b":{"v":1}}`:   false,
		`{"b":{"w":1}}`:   false,
		`{"c":{"v":1}}`:   false,
	} {
		if found := s.Validate([]byte(doc)); (found == nil) != fits {
			t.Errorf("%s: %v, by %s", doc, found, out)
		}
	}
}

// A reference is turned to the root wherever a schema stands, and whatever its name.
func TestReferences(t *testing.T) {
	const x = `"$defs":{"x":{"type":"integer"}}`
	for _, c := range []struct{ part, name string }{
		{`{"properties":{"v":{"$ref":"#/$defs/x"}},` + x + `}`, "v"},
		{`{"properties":{"default":{"$ref":"#/$defs/x"}},` + x + `}`, "default"},
		{`{"properties":{"const":{"$ref":"#/$defs/x"},"v":{"$ref":"#/$defs/x"}},` + x + `}`, "const"},
		{`{"properties":{"properties":{"$ref":"#/$defs/x"}},` + x + `}`, "properties"},
		{`{"properties":{"$ref":{"$ref":"#/$defs/x"}},` + x + `}`, "$ref"},
		{`{"patternProperties":{"^enum$":{"$ref":"#/$defs/x"}},` + x + `}`, "enum"},
		{`{"properties":{"v":{"$ref":"#/definitions/enum"}},"definitions":{"enum":{"$ref":"#/definitions/y"},"y":{"type":"integer"}}}`, "v"},
		{`{"properties":{"v":{"anyOf":[{"$ref":"#/$defs/examples/items/0"}]}},"$defs":{"examples":{"items":[{"type":"integer"}]}}}`, "v"},
		{`{"properties":{"v":{"$ref":"#/$defs/one%20y"}},"$defs":{"one y":{"type":"integer"}}}`, "v"},
		{`{"properties":{"v":{"$ref":"#/$defs/a~1b~0"}},"$defs":{"a/b~":{"type":"integer"}}}`, "v"},
		{`{"properties":{"v":{"$ref":"#/$defs/x","default":{"$ref":"#/nowhere"}}},` + x + `}`, "v"},
	} {
		var defs compose.Definitions
		out := append([]byte(`{"anyOf":[`), defs.Embed([]byte(c.part), "a_")...)
		out = append(defs.Append(append(out, ']')), '}')
		s, err := schema.Compile(out)
		if err != nil {
			t.Errorf("%s: %v", out, err)
			continue
		}
		if s.Validate([]byte(`{"`+c.name+`":1}`)) != nil || s.Validate([]byte(`{"`+c.name+`":"1"}`)) == nil {
			t.Errorf("%s does not hold %s to an integer", out, c.name)
		}
	}
}

// Without references there is nothing to add, and a schema stays as it is.
func TestEmbedNothing(t *testing.T) {
	var defs compose.Definitions
	for _, part := range []string{`{"type": "object"}`, `{"enum":[{"$ref":"#/x"}]}`, `true`} {
		if got := string(defs.Embed([]byte(part), "a_")); got != part {
			t.Errorf("%s became %s", part, got)
		}
	}
	if got := string(defs.Append([]byte(`{"type":"object"`))); got != `{"type":"object"` {
		t.Errorf("got %s", got)
	}
}

func TestHasOpenObject(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object"}`: true,
		`{"type":"object","additionalProperties":false}`:                              false,
		`{"type":"object","properties":{"a":{"type":"string"}}}`:                      false,
		`{"type":"array","items":{"type":"object"}}`:                                  true,
		`{"anyOf":[{"type":"string"},{"type":"object","patternProperties":{}}]}`:      true,
		`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"object"}}}`:   true,
		`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"x"}}`: true,
		`{"type":["null","object"]}`:                                                  true,
		`{"type":["object","null"],"properties":{"a":{"type":"null"}}}`:               false,
		`{"type":["object","null"],"additionalProperties":false}`:                     false,
		`{"type" : "array" , "items" : { "type" : "object" } }`:                       true,
		`{"properties":{"a":{"type":"object"}}`:                                       false,
		`no JSON`:                                                                     false,
	} {
		if got := compose.HasOpenObject([]byte(schema)); got != want {
			t.Errorf("%s: got %v", schema, got)
		}
	}
}

func Example() {
	var defs compose.Definitions
	out := append([]byte(`{"anyOf":[`), defs.Embed([]byte(`{"$ref":"#/$defs/x","$defs":{"x":{"type":"string"}}}`), "a_")...)
	out = append(append(out, ','), defs.Embed([]byte(`{"$ref":"#/$defs/x","$defs":{"x":{"type":"null"}}}`), "b_")...)
	out = append(defs.Append(append(out, ']')), '}')
	fmt.Println(string(out))
	// Output: {"anyOf":[{"$ref":"#/$defs/a_x"},{"$ref":"#/$defs/b_x"}],"$defs":{"a_x":{"type":"string"},"b_x":{"type":"null"}}}
}
