package schema_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/schema"
)

var noOptions = schema.Options{}

func props(list string) string { return `{"type":"object","properties":{` + list + `}}` }

// What the cases of TestCoerce are made of.
var (
	coerceUnion = props(`"v":{"anyOf":[{"type":"integer"},{"type":"boolean"},{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`)
	variants    = props(`"op":{"oneOf":[
		{"type":"object","properties":{"do":{"const":"add"},"n":{"type":"integer"}},"required":["do","n"]},
		{"type":"object","properties":{"do":{"const":"drop"},"name":{"type":"string"}},"required":["do","name"]}]}`)
)

// coerceCases are those of TestCoerce.
var coerceCases = []struct {
	name, schema, in, out string
	rules                 string
}{
	{"integer", props(`"n":{"type":"integer"}`), `{ "n" : "12" ,"z":0.10}`, `{ "n" : 12 ,"z":0.10}`, "string_to_integer"},
	{"integer beyond 64 bits", props(`"n":{"type":"integer"}`), `{"n":"92233720368547758079"}`, `{"n":92233720368547758079}`, "string_to_integer"},
	{"integer with zeros and sign", props(`"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}`), `{"a":"007","b":" +5 ","c":"-0012"}`, `{"a":7,"b":5,"c":-12}`,
		"string_to_integer string_to_integer string_to_integer"},
	{"whole number with fraction", props(`"n":{"type":"integer"}`), `{"n":"3.0"}`, `{"n":3}`, "string_to_integer"},
	{"no integer", props(`"n":{"type":"integer"}`), `{"n":"3.5"}`, `{"n":"3.5"}`, ""},
	{"no number", props(`"n":{"type":"number"}`), `{"n":"12 EUR"}`, `{"n":"12 EUR"}`, ""},
	{"number keeps its digits", props(`"n":{"type":"number"}`), `{"n":"0.10"}`, `{"n":0.10}`, "string_to_number"},
	{"number out of range", props(`"n":{"type":"integer","maximum":5}`), `{"n":"6"}`, `{"n":"6"}`, ""},
	{"boolean", props(`"b":{"type":"boolean"}`), `{"b":"True"}`, `{"b":true}`, "string_to_boolean"},
	{"boolean by a word", props(`"b":{"type":"boolean"}`), `{"b":"yes"}`, `{"b":"yes"}`, ""},
	{"null", props(`"n":{"type":["integer","null"]}`), `{"n":"None"}`, `{"n":null}`, "string_to_null"},
	{"strings stay", props(`"a":{"type":"string"},"b":{"type":["string","integer"]},"n":{"type":"integer"}`),
		`{"a":"007","b":"12","n":"1"}`, `{"a":"007","b":"12","n":1}`, "string_to_integer"},
	{"array", props(`"l":{"type":"array","items":{"type":"string"}}`), `{"l":"[\"a\", \"1\"]"}`, `{"l":["a", "1"]}`, "string_to_array"},
	{"array of numbers in strings", props(`"l":{"type":"array","items":{"type":"integer"}}`), `{"l":"[\"1\", 2]"}`, `{"l":[1, 2]}`, "string_to_array string_to_integer"},
	{"object", props(`"o":{"type":"object","properties":{"x":{"type":"number"}}}`), `{"o":"{\"x\": \"1e2\", \"y\": 1}"}`, `{"o":{"x": 1e2, "y": 1}}`, "string_to_object string_to_number"},
	{"object encoded twice", props(`"o":{"type":"object"}`), `{"o":"\"{\\\"x\\\":1}\""}`, `{"o":{"x":1}}`, "string_to_object"},
	{"all of it a string", props(`"n":{"type":"integer"}`), `"{\"n\":\"3\"}"`, `{"n":3}`, "string_to_object string_to_integer"},
	{"number to string", props(`"s":{"type":"string"}`), `{"s":12345678901234567890.50}`, `{"s":"12345678901234567890.50"}`, "number_to_string"},
	{"boolean to string", props(`"s":{"type":"string"}`), `{"s":true}`, `{"s":"true"}`, "boolean_to_string"},
	{"null to string", `{"properties":{"s":{"type":"string"}},"required":["s"]}` + "\n", `{"s":null}`, `{"s":null}`, ""},
	{"empty array as text", props(`"s":{"type":"string"}`), `{"s":[]}`, `{"s":"[]"}`, "value_to_string"},
	{"value to array", props(`"l":{"type":"array","items":{"type":"string"}}`), `{"l":"a.txt"}`, `{"l":["a.txt"]}`, "value_to_array"},
	{"object to array", props(`"l":{"type":"array","items":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}`), `{"l":{"a":"1"}}`, `{"l":[{"a":1}]}`, "value_to_array string_to_integer"},
	{"a list as text", props(`"l":{"type":"array","items":{"type":"string"}}`), `{"l":"a, b"}`, `{"l":"a, b"}`, ""},
	{"broken JSON is no item", props(`"l":{"type":"array","items":{"type":"string"}}`), `{"l":"[\"a"}`, `{"l":"[\"a"}`, ""},
	{"enum by case", props(`"u":{"enum":["Celsius","Kelvin"]}`), `{"u":" celsius"}`, `{"u":"Celsius"}`, "enum_case"},
	{"enum by separators", props(`"u":{"enum":["file_name","file"]}`), `{"u":"\"File Name\""}`, `{"u":"file_name"}`, "enum_spelling"},
	{"enum with two readings", props(`"u":{"enum":["A","a"],"minLength":1}`), `{"u":" a"}`, `{"u":" a"}`, ""},
	{"enum that means another thing", props(`"u":{"enum":["C","1-0"]}`), `{"u":"C++"}`, `{"u":"C++"}`, ""},
	{"enum with digits apart", props(`"u":{"enum":["10","-1"]}`), `{"u":"1-0"}`, `{"u":"1-0"}`, ""},
	{"enum of numbers", props(`"u":{"enum":[1,2]}`), `{"u":"2"}`, `{"u":2}`, "string_to_integer"},
	{"union of constants", props(`"u":{"anyOf":[{"const":"on"},{"const":"off"}]}`), `{"u":"OFF"}`, `{"u":"off"}`, "enum_case"},
	{"union, integer", coerceUnion, `{"v":"5"}`, `{"v":5}`, "string_to_integer"},
	{"union, boolean", coerceUnion, `{"v":"false"}`, `{"v":false}`, "string_to_boolean"},
	{"union, array", coerceUnion, `{"v":"[\"1\"]"}`, `{"v":[1]}`, "string_to_array string_to_integer"},
	{"union, null", coerceUnion, `{"v":"null"}`, `{"v":null}`, "string_to_null"},
	{"union, inside the branch", coerceUnion, `{"v":[1,"x","3"]}`, `{"v":[1,"x",3]}`, "string_to_integer"},
	{"variant", variants, `{"op":{"do":"add","n":"1"}}`, `{"op":{"do":"add","n":1}}`, "string_to_integer"},
	{"variant in a string", variants, `{"op":"{\"do\":\"drop\",\"name\":7}"}`, `{"op":{"do":"drop","name":"7"}}`, "string_to_object number_to_string"},
	{"variant unknown", variants, `{"op":{"n":"1"}}`, `{"op":{"n":"1"}}`, ""},
	{"two readings", props(`"v":{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}]}`),
		`{"v":{"a":"x"}}`, `{"v":{"a":"x"}}`, ""},
	{"reference and allOf", `{"allOf":[{"$ref":"#/$defs/a"},{"properties":{"n":{"minimum":2}}}],"$defs":{"a":{"properties":{"n":{"type":"integer"}}}}}`, `{"n":"2"}`, `{"n":2}`, "string_to_integer"},
	{"allOf forbids", `{"allOf":[{"$ref":"#/$defs/a"},{"properties":{"n":{"minimum":2}}}],"$defs":{"a":{"properties":{"n":{"type":"integer"}}}}}`, `{"n":"1"}`, `{"n":"1"}`, ""},
	{"if", `{"properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"n"}}},"then":{"properties":{"v":{"type":"integer"}}}}`, `{"k":"n","v":"1"}`, `{"k":"n","v":1}`, "string_to_integer"},
	{"recursion", `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"n":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/t"}}}}}}`,
		`{"n":1,"kids":[{"n":"2","kids":"[{\"n\":\"3\"}]"}]}`, `{"n":1,"kids":[{"n":2,"kids":[{"n":3}]}]}`, "string_to_integer string_to_array string_to_integer"},
	{"tuple", props(`"p":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]}`), `{"p":["1",2]}`, `{"p":[1,"2"]}`, "string_to_integer number_to_string"},
	{"map", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"1","b":2}`, `{"a":1,"b":2}`, "string_to_integer"},
	{"escaped names", props(`"é":{"type":"integer"}`), `{"\u00e9":"1"}`, `{"\u00e9":1}`, "string_to_integer"},
	{"placeholders", props(`"a":{"type":"integer"},"b":{"type":"array"},"c":{"enum":["x"]},"d":{"type":"boolean"},"e":{"type":"integer"}`),
		`{"a":"", "b":"null", "e":1, "c":"undefined", "d":null}`, `{"e":1}`, "placeholder_optional placeholder_optional placeholder_optional placeholder_optional"},
	{"only placeholders", props(`"a":{"type":"integer"},"b":{"type":"integer"}`), `{ "a":null , "b":"" }`, `{  }`, "placeholder_optional placeholder_optional"},
	{"placeholder of a required member", `{"properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"a":""}`, `{"a":""}`, ""},
	{"empty text is a string", props(`"a":{"type":"string"},"b":{"type":"integer"}`), `{"a":"","b":"1"}`, `{"a":"","b":1}`, "string_to_integer"},
	{"name by case", `{"properties":{"filePath":{"type":"string"}},"required":["filePath"]}`, `{"file_path":"x"}`, `{"filePath":"x"}`, "key_case"},
	{"name of an optional member", `{"properties":{"dry_run":{"type":"boolean"}},"additionalProperties":false}`, `{"dryRun":"true"}`, `{"dry_run":true}`, "key_case string_to_boolean"},
	{"name taken", `{"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, `{"a":"x","A":"y"}`, `{"a":"x","A":"y"}`, ""},
	{"two names for one", `{"properties":{"ab":{"type":"string"}},"required":["ab"]}`, `{"a_b":"x","aB":"y"}`, `{"a_b":"x","aB":"y"}`, ""},
	{"one name for two", `{"properties":{"ab":{"type":"string"},"a_b":{"type":"string"}},"required":["ab"]}`, `{"aB":"y"}`, `{"aB":"y"}`, ""},
	{"name of another type", `{"properties":{"ab":{"type":"integer"}},"required":["ab"]}`, `{"aB":"y"}`, `{"aB":"y"}`, ""},
	{"wrapped", `{"properties":{"q":{"type":"integer"}},"required":["q"]}`, `{"arguments":{"q":"1"}}`, `{"q":1}`, "unwrap_arguments string_to_integer"},
	{"wrapped as text", `{"properties":{"q":{"type":"integer"}},"required":["q"]}`, `{"input":"{\"q\":1}"}`, `{"q":1}`, "unwrap_arguments"},
	{"wrapped with more", `{"properties":{"q":{"type":"integer"}},"required":["q"]}`, `{"arguments":{"q":1,"z":2}}`, `{"arguments":{"q":1,"z":2}}`, ""},
	{"wrapper that is declared", `{"properties":{"input":{"type":"object"},"q":{"type":"integer"}},"required":["q"]}`, `{"input":{"q":1}}`, `{"input":{"q":1}}`, ""},
	{"no arguments", `{"type":"object"}`, `null`, `{}`, "empty_arguments"},
	{"no arguments, some required", `{"type":"object","required":["a"]}`, `""`, `""`, ""},
	{"what cannot be mended stays", `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["c"]}`, `{"a":"1","b":"x"}`, `{"a":1,"b":"x"}`, "string_to_integer"},
	{"rare keywords", `{"properties":{"a":{"type":"integer"}},"unevaluatedProperties":false}`, `{"a":"1"}`, `{"a":1}`, "string_to_integer"},
	{"rare keywords, out of sight", `{"$ref":"t","$defs":{"t":{"$id":"t","properties":{"a":{"const":"1"}},"required":["b"]}},"properties":{"a":true},"unevaluatedProperties":false}`, `{"a":1}`, `{"a":1}`, ""},
	{"no way around limits", props(`"a":{"minLength":3},"b":{"type":["string","array"],"maxLength":1},"c":{"type":"integer"}`), `{"a":"12","b":"xy","c":"1"}`, `{"a":"12","b":"xy","c":1}`, "string_to_integer"},
	{"object as text", props(`"s":{"type":"string"}`), `{"s":{"a": 1.0,  "b":[2]}}`, `{"s":"{\"a\": 1.0,  \"b\":[2]}"}`, "value_to_string"},
	{"array as text", props(`"s":{"type":["string","null"]}`), `{"s":["a"]}`, `{"s":"[\"a\"]"}`, "value_to_string"},
	{"text inside", props(`"l":{"type":"array","items":{"type":"object","properties":{"s":{"type":"string"}}}}`), `{"l":[{"s":{}}]}`, `{"l":[{"s":"{}"}]}`, "value_to_string"},
	{"object as text in the optional", props(`"s":{"anyOf":[{"type":"string"},{"type":"null"}]}`), `{"s":{"a":1}}`, `{"s":"{\"a\":1}"}`, "value_to_string"},
	{"text in an optional object", props(`"o":{"anyOf":[{"type":"object","properties":{"s":{"type":"string"}}},{"type":"null"}]}`), `{"o":{"s":{}}}`, `{"o":{"s":"{}"}}`, "value_to_string"},
	{"no text where an object may stand", props(`"s":{"type":["string","object"],"required":["b"]}`), `{"s":{"a":1}}`, `{"s":{"a":1}}`, ""},
	{"no text where a branch takes an object", props(`"s":{"anyOf":[{"type":"string"},{"type":"object","required":["b"]}]}`), `{"s":{"a":1}}`, `{"s":{"a":1}}`, ""},
	{"no text where a branch takes an object inside", `{"oneOf":[{"properties":{"s":{"type":"string"}}},{"properties":{"s":{"type":"object","required":["b"]}}}]}`, `{"s":{"a":1}}`, `{"s":{"a":1}}`, ""},
	{"no text beside an enum", props(`"s":{"type":"string","enum":["a"]}`), `{"s":{"a":1}}`, `{"s":{"a":1}}`, ""},
	{"no JSON", `{"type":"object"}`, `{"a":`, `{"a":`, ""},
}

func TestCoerce(t *testing.T) {
	for _, c := range coerceCases {
		t.Run(c.name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			out, changes := s.Coerce([]byte(c.in), noOptions)
			if d := cmp.Diff(c.out, string(out)); d != "" {
				t.Errorf("document (-want +got)\n%s", d)
			}
			if d := cmp.Diff(c.rules, rulesOf(changes)); d != "" {
				t.Errorf("rules (-want +got)\n%s", d)
			}
		})
	}
}

func TestCoerceGuesses(t *testing.T) {
	for _, c := range []struct{ name, schema, in, out, rules string }{
		{"word", props(`"b":{"type":"boolean"}`), `{"b":"yes"}`, `{"b":true}`, "word_to_boolean"},
		{"one", props(`"b":{"type":"boolean"}`), `{"b":0}`, `{"b":false}`, "word_to_boolean"},
		{"only element", props(`"s":{"type":"string"}`), `{"s":["a"]}`, `{"s":"a"}`, "array_to_value"},
		{"safe rules first", props(`"n":{"type":"integer"},"b":{"type":"boolean"}`), `{"n":"1","b":"on"}`, `{"n":1,"b":true}`, "string_to_integer word_to_boolean"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, changes := mustCompile(t, c.schema).Coerce([]byte(c.in), schema.Options{Guesses: schema.WithGuesses})
			if string(out) != c.out || rulesOf(changes) != c.rules {
				t.Errorf("want %s by %s, got %s by %s", c.out, c.rules, out, rulesOf(changes))
			}
			if n := len(changes); n == 0 || !changes[n-1].Heuristic {
				t.Errorf("want a change marked as a guess, got %+v", changes)
			}
		})
	}
}

func TestCoerceMend(t *testing.T) {
	mend := func(text string) ([]byte, bool) {
		return []byte(strings.ReplaceAll(text, `'`, `"`)), strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")
	}
	s := mustCompile(t, props(`"l":{"type":"array","items":{"type":"integer"}},"s":{"type":"string"}`))
	in := []byte(`{"l":"['1', 2]","s":"['1']"}`)
	if out, _ := s.Coerce(in, noOptions); !bytes.Equal(out, in) {
		t.Errorf("want no change without a mender, got %s", out)
	}
	out, changes := s.Coerce(in, schema.Options{Mend: mend})
	if want := `{"l":[1, 2],"s":"['1']"}`; string(out) != want {
		t.Errorf("want %s, got %s", want, out)
	}
	if len(changes) != 2 {
		t.Errorf("want 2 changes, got %+v", changes)
	}
	broken := schema.Options{Mend: func(string) ([]byte, bool) { return []byte(`[1`), true }}
	if out, _ := s.Coerce(in, broken); !bytes.Equal(out, in) {
		t.Errorf("want nothing taken from a mender that gives no JSON, got %s", out)
	}
}

// Each rule can be switched off, and each is made to run by some document.
func TestRules(t *testing.T) {
	cases := map[string][2]string{
		"string_to_integer":    {props(`"v":{"type":"integer"}`), `{"v":"1"}`},
		"string_to_number":     {props(`"v":{"type":"number"}`), `{"v":"1.5"}`},
		"string_to_boolean":    {props(`"v":{"type":"boolean"}`), `{"v":"true"}`},
		"string_to_null":       {`{"required":["v"],"properties":{"v":{"type":"null"}}}`, `{"v":"null"}`},
		"string_to_array":      {props(`"v":{"type":"array"}`), `{"v":"[1]"}`},
		"string_to_object":     {props(`"v":{"type":"object"}`), `{"v":"{}"}`},
		"number_to_string":     {props(`"v":{"type":"string"}`), `{"v":1}`},
		"boolean_to_string":    {props(`"v":{"type":"string"}`), `{"v":true}`},
		"value_to_array":       {props(`"v":{"type":"array"}`), `{"v":1}`},
		"enum_case":            {props(`"v":{"enum":["A1"]}`), `{"v":"a1"}`},
		"enum_spelling":        {props(`"v":{"enum":["a_b"]}`), `{"v":"a b"}`},
		"key_case":             {`{"properties":{"aB":{}},"required":["aB"]}`, `{"a_b":1}`},
		"unwrap_arguments":     {`{"properties":{"a":{}},"required":["a"]}`, `{"args":{"a":1}}`},
		"placeholder_optional": {props(`"v":{"type":"integer"}`), `{"v":null}`},
		"empty_arguments":      {`{"type":"object"}`, `null`},
		"word_to_boolean":      {props(`"v":{"type":"boolean"}`), `{"v":"no"}`},
		"array_to_value":       {props(`"v":{"type":"integer"}`), `{"v":[1]}`},
		"value_to_string":      {props(`"v":{"type":"string"}`), `{"v":{}}`},
	}
	seen := map[string]bool{}
	for _, r := range schema.RuleTable() {
		c, ok := cases[r.Name]
		if !ok || seen[r.Name] || r.Why == "" {
			t.Errorf("%s: want one row with a reason and a case", r.Name)
			continue
		}
		seen[r.Name] = true
		s := mustCompile(t, c[0])
		on := schema.Options{Guesses: schema.WithGuesses}
		out, changes := s.Coerce([]byte(c[1]), on)
		if rulesOf(changes) != r.Name || changes[0].Heuristic != r.Heuristic || changes[0].Why != r.Why || s.Validate(out) != nil {
			t.Errorf("%s: want it to mend %s, got %s by %+v", r.Name, c[1], out, changes)
		}
		off := schema.Options{Guesses: schema.WithGuesses, Disabled: func(rule string) bool { return rule == r.Name }}
		if _, changes := s.Coerce([]byte(c[1]), off); strings.Contains(rulesOf(changes), r.Name) {
			t.Errorf("%s: want it off, got %+v", r.Name, changes)
		}
	}
}

func TestChange(t *testing.T) {
	s := mustCompile(t, props(`"a/b":{"type":"array","items":{"type":"integer"}}`))
	_, changes := s.Coerce([]byte(`{"a/b":[1,"2"]}`), noOptions)
	want := []schema.Change{{
		Rule: "string_to_integer", Path: "/a~1b/1", Was: `"2"`, Now: `2`, Why: "the schema requires an integer, and the string contains one",
	}}
	if d := cmp.Diff(want, changes); d != "" {
		t.Errorf("changes (-want +got)\n%s", d)
	}
}

func rulesOf(changes []schema.Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Rule)
	}
	return strings.Join(out, " ")
}
