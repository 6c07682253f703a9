package schema_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright/schema"
)

// fromTextCases are those of TestFromText.
var fromTextCases = []struct {
	path, text string
	kind       schema.TextKind
	want       string
}{
	{"s", "007", schema.Literal, `"007"`},
	{"s", "null", schema.Literal, `"null"`},
	{"s", "true", schema.Literal, `"true"`},
	{"s", `{"a":1}`, schema.Literal, `"{\"a\":1}"`},
	{"s", "  two\n lines ", schema.Literal, `"  two\n lines "`},
	{"s", `"quoted"`, schema.Literal, `"\"quoted\""`},
	{"s", `"quoted"`, schema.JSON, `"quoted"`},
	{"s", `'quoted'`, schema.Python, `"quoted"`},
	{"s", `12`, schema.JSON, `"12"`},
	{"s", "a & <b>", schema.Literal, `"a & <b>"`},
	{"n", " 12\n", schema.Literal, `12`},
	{"n", "+7", schema.Literal, `7`},
	{"n", "9007199254740993", schema.Literal, `9007199254740993`},
	{"n", "1e3", schema.Literal, `1000`},
	{"n", "twelve", schema.Literal, `"twelve"`},
	{"x", "0.10", schema.Literal, `0.10`},
	{"b", "True", schema.Literal, `true`},
	{"b", "yes", schema.Literal, `"yes"`},
	{"l", "[1, 2]", schema.Literal, `[1, 2]`},
	{"l", `"[1]"`, schema.JSON, `[1]`},
	{"l", "1, 2", schema.Literal, `[1,2]`},
	{"o", `{"n": 1}`, schema.Literal, `{"n": 1}`},
	{"o/n", `5`, schema.Literal, `5`},
	{"o/deep/3", `false`, schema.Literal, `false`},
	{"sn", "5", schema.Literal, `5`},
	{"sn", "5a", schema.Literal, `"5a"`},
	{"sn", `"5"`, schema.JSON, `"5"`},
	{"sm", "NULL", schema.Literal, `null`},
	{"sm", "", schema.Literal, `""`},
	{"sm", "none", schema.Literal, `"none"`},
	{"sm", "None", schema.Literal, `null`},
	{"sm", "nil", schema.Literal, `"nil"`},
	{"s", "None", schema.Literal, `"None"`},
	{"s", "null", schema.JSON, `null`},
	{"s", `"null"`, schema.JSON, `"null"`},
	{"s", "None", schema.Python, `null`},
	{"sm", "undefined", schema.JSON, `"undefined"`},
	{"sm", "None", schema.Python, `null`},
	{"nn", "none", schema.Literal, `null`},
	{"nn", "null", schema.Literal, `null`},
	{"nn", "3", schema.Literal, `3`},
	{"e", "1", schema.Literal, `"1"`},
	{"en", "1", schema.Literal, `1`},
	{"r", "1.5", schema.Literal, `1.5`},
	{"se", "5", schema.Literal, `5`},
	{"se", "50", schema.Literal, `"50"`},
	{"lim", "5", schema.Literal, `5`},
	{"u/k", "5", schema.Literal, `5`},
	{"u/k", "true", schema.Literal, `true`},
	{"any", "5", schema.Literal, `"5"`},
	{"any", "null", schema.Literal, `null`},
	{"any", "5", schema.JSON, `5`},
	{"any", "five", schema.JSON, `"five"`},
	{"any", "True", schema.Python, `true`},
	{"not declared", "5", schema.Literal, `"5"`},
	{"not declared", `[5]`, schema.JSON, `[5]`},
}

func TestFromText(t *testing.T) {
	s := mustCompile(t, `{"type":"object","properties":{
		"s":{"type":"string"},"n":{"type":"integer"},"x":{"type":"number"},"b":{"type":"boolean"},"l":{"type":"array","items":{"type":"integer"}},
		"o":{"type":"object","properties":{"n":{"type":"integer"},"deep":{"type":"array","items":{"type":"boolean"}}}},
		"sn":{"type":["string","integer"]},"sm":{"type":["string","null"]},"nn":{"anyOf":[{"type":"integer"},{"type":"null"}]},
		"e":{"enum":["1","2"]},"en":{"enum":[1,2]},"any":{"description":"what you like"},"r":{"$ref":"#/$defs/r"},
		"se":{"type":["integer","string"],"maximum":10},"u":{"oneOf":[{"properties":{"k":{"type":"integer"}}},{"properties":{"k":{"type":"boolean"}}}]},
		"lim":{"type":"integer","maximum":3}},
		"$defs":{"r":{"type":"number"}}}`)
	for _, c := range fromTextCases {
		t.Run(fmt.Sprint(c.path, "=", c.text, c.kind), func(t *testing.T) {
			if got := s.FromText(split(c.path), c.text, c.kind); string(got) != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
		})
	}
}

// Numbers with commas or line ends between them are an array where one of numbers is wanted; texts and markup are none.
func TestFromTextOfNumbers(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type": "object", "properties": {"rgb": {"type": "array", "items": {"type": "number"}}, "ids": {"type": "array", "items": {"type": "integer"}},
		"names": {"type": "array", "items": {"type": "string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, text, want string }{
		{"rgb", "250, 120, 5", "[250,120,5]"}, {"rgb", "1.50\n2\n", "[1.50,2]"}, {"rgb", "9007199254740993,1", "[9007199254740993,1]"}, {"ids", "1,2", "[1,2]"},
		{"ids", "1.5, 2", `"1.5, 2"`}, {"names", "1, 2", `"1, 2"`}, {"rgb", "1, two", `"1, two"`}, {"rgb", "1,,2", "[1,2]"}, {"names", "a, b", `"a, b"`},
	} {
		doc := append(append([]byte(`{"`+c.key+`":`), s.FromText([]string{c.key}, c.text, schema.Literal)...), '}')
		out, _ := s.Coerce(doc, schema.Options{})
		if want := `{"` + c.key + `":` + c.want + `}`; string(out) != want {
			t.Errorf("%s %q: %s, want %s", c.key, c.text, out, want)
		}
	}
	doc := []byte(`{"names": "<a href='x'>dusk</a>"}`)
	if out, changes := s.Coerce(doc, schema.Options{}); len(changes) > 0 {
		t.Errorf("markup became %s", out)
	}
}
