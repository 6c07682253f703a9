package constraint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// grammarOf is the matcher of the arguments of one tool.
func grammarOf(t testing.TB, schemaText string) (*matcher, error) {
	grammar, err := constraint.GBNF(formOf(t, "mistral_args"), []constraint.Tool{{Name: "f", Schema: []byte(schemaText)}}, constraint.Conditions{Forced: true, Single: true})
	if err != nil {
		return nil, err
	}
	return newMatcher(t, grammar), nil
}

// called is the answer that calls the tool with arguments.
func called(arguments string) string { return "[TOOL_CALLS]f[ARGS]" + arguments }

// TestSchemas: which arguments the grammar of a schema takes.
func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		about, schema string
		takes, not    []string
	}{
		{"no properties", `{"type":"object"}`, []string{`{}`, `{"a":[1,{"b":null}],"c":"\u00e9\ud83d\ude00"}`}, []string{`[]`, `{"a":}`, `{"a":1,}`, `{"a":"\ud83d"}`}},
		{"an empty list of properties", `{"type":"object","properties":{}}`, []string{`{}`}, []string{`{"a":1}`}},
		{"no other properties", `{"type":"object","additionalProperties":false}`, []string{`{}`, "{ }"}, []string{`{"a":1}`}},
		{"other properties of a schema", `{"type":"object","properties":{"ab":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}`,
			[]string{`{}`, `{"ab":1}`, `{"a":true,"ab":1,"abc":false}`, `{"":true}`, `{"x\n":true}`}, []string{`{"ab":true}`, `{"a":1}`, `{"ab":1,"ab":2}`}},
		{"more properties than come in any order", `{"properties":{"a":true,"b":true,"c":true,"d":true,"e":true,"f":true},"required":["b","e"]}`,
			[]string{`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}`, `{"b":2,"e":5}`, `{"b":2,"d":1,"e":5}`}, []string{`{"b":2}`, `{"a":1}`, `{"e":5,"b":2}`, `{}`}},
		{"a required one that is not declared", `{"properties":{"a":true},"required":["z"]}`, []string{`{"z":[],"a":1}`}, []string{`{"a":1}`}},
		{"types", `{"properties":{"a":{"type":["string","null"]}}}`, []string{`{"a":"x"}`, `{"a":null}`}, []string{`{"a":1}`}},
		{"an enum within its type", `{"properties":{"a":{"type":"string","enum":["x",1,"y\"z"]}}}`, []string{`{"a":"x"}`, `{"a":"y\"z"}`}, []string{`{"a":1}`, `{"a":"z"}`}},
		{"a constant", `{"properties":{"a":{"const":{"b":[1,2]}}}}`, []string{`{"a":{"b":[1,2]}}`}, []string{`{"a":{"b":[1]}}`}},
		{"arrays", `{"properties":{"a":{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":3}}}`, []string{`{"a":[true, false]}`, `{"a":[true,false,true]}`},
			[]string{`{"a":[]}`, `{"a":[true]}`, `{"a":[true,true,true,true]}`, `{"a":[1,2]}`}},
		{"an array of any number", `{"properties":{"a":{"items":{"type":"integer"}}}}`, []string{`{"a":[]}`, `{"a":[1]}`, `{"a":[1,2]}`}, []string{`{"a":["x"]}`, `{"a":{}}`}},
		{"an empty array", `{"properties":{"a":{"type":"array","maxItems":0}}}`, []string{`{"a":[ ]}`}, []string{`{"a":[1]}`}},
		{"a tuple", `{"properties":{"a":{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":false,"minItems":1}}}`, []string{`{"a":[1]}`, `{"a":[1,"x"]}`},
			[]string{`{"a":[]}`, `{"a":[1,"x",2]}`, `{"a":["x"]}`}},
		{"a tuple with more", `{"properties":{"a":{"prefixItems":[{"type":"integer"}],"items":{"type":"string"},"minItems":2}}}`, []string{`{"a":[1,"x"]}`, `{"a":[1,"x","y"]}`},
			[]string{`{"a":[1]}`, `{"a":[1,2]}`}},
		{"integers", `{"properties":{"a":{"type":"integer"}}}`, []string{`{"a":0}`, `{"a":-9223372036854775807}`}, []string{`{"a":1.0}`, `{"a":01}`, `{"a":+1}`, `{"a":1e3}`}},
		{"bounds of integers", `{"properties":{"a":{"type":"integer","minimum":-12,"exclusiveMaximum":105}}}`, []string{`{"a":-12}`, `{"a":0}`, `{"a":99}`, `{"a":104}`},
			[]string{`{"a":-13}`, `{"a":105}`, `{"a":1000}`}},
		{"a lower bound", `{"properties":{"a":{"type":"integer","minimum":57}}}`, []string{`{"a":57}`, `{"a":60}`, `{"a":100}`, `{"a":99}`, `{"a":5700}`}, []string{`{"a":56}`, `{"a":7}`, `{"a":-60}`}},
		{"an upper bound below zero", `{"properties":{"a":{"type":"integer","maximum":-5}}}`, []string{`{"a":-5}`, `{"a":-10}`, `{"a":-123}`}, []string{`{"a":-4}`, `{"a":5}`, `{"a":0}`}},
		{"numbers", `{"properties":{"a":{"type":"number"}}}`, []string{`{"a":-0.5e+10}`, `{"a":3}`}, []string{`{"a":.5}`, `{"a":NaN}`, `{"a":"3"}`}},
		{"numbers from zero on", `{"properties":{"a":{"type":"number","minimum":0}}}`, []string{`{"a":0.5}`}, []string{`{"a":-1}`}},
		{"lengths", `{"properties":{"a":{"type":"string","minLength":2,"maxLength":3}}}`, []string{`{"a":"ab"}`, `{"a":"\u00e9\n\""}`}, []string{`{"a":"a"}`, `{"a":"abcd"}`}},
		{"a pattern", `{"properties":{"a":{"type":"string","pattern":"^[A-Z]{2}-\\d+$"}}}`, []string{`{"a":"AB-12"}`}, []string{`{"a":"AB-"}`, `{"a":"xAB-12"}`}},
		{"a pattern inside", `{"properties":{"a":{"type":"string","pattern":"b(c|d)?\""}}}`, []string{`{"a":"xb\"y"}`, `{"a":"bc\""}`}, []string{`{"a":"bc"}`}},
		{"a pattern without case", `{"properties":{"a":{"pattern":"^(?i)ok$"}}}`, []string{`{"a":"Ok"}`}, []string{`{"a":"no"}`}},
		{"a pattern that no grammar has", `{"properties":{"a":{"type":"string","pattern":"a\\bb"}}}`, []string{`{"a":"anything"}`}, []string{`{"a":1}`}},
		{"a date", `{"properties":{"a":{"type":"string","format":"date"}}}`, []string{`{"a":"2026-11-28"}`}, []string{`{"a":"28.11.2026"}`, `{"a":"2026-13-01"}`}},
		{"an unknown format", `{"properties":{"a":{"type":"string","format":"colour"}}}`, []string{`{"a":"red"}`}, []string{`{"a":1}`}},
		{"alternatives", `{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"object","properties":{"b":{"const":1}},"required":["b"]}]}}}`,
			[]string{`{"a":1}`, `{"a":{"b":1}}`}, []string{`{"a":{}}`, `{"a":"x"}`}},
		{"alternatives beside properties", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`,
			[]string{`{"a":1}`, `{"b":1,"a":2}`}, []string{`{}`}},
		{"all of", `{"allOf":[{"properties":{"a":{"type":"number"}}},{"properties":{"a":{"type":"integer","maximum":9}},"required":["a"]}]}`, []string{`{"a":9}`}, []string{`{"a":10}`, `{"a":1.5}`, `{}`}},
		{"references", `{"properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/t"}},"required":["v"]}}}`,
			[]string{`{"a":{"v":1,"next":{"v":2,"next":{"v":3}}}}`}, []string{`{"a":{"v":1,"next":{}}}`}},
		{"a reference to the whole", `{"properties":{"a":{"type":"array","items":{"$ref":"#"}}}}`, []string{`{"a":[{"a":[]},{}]}`}, []string{`{"a":[1]}`}},
		{"a reference beside keywords", `{"properties":{"a":{"$ref":"#/definitions/n","maximum":3}},"definitions":{"n":{"type":"integer","minimum":1}}}`, []string{`{"a":3}`}, []string{`{"a":0}`, `{"a":4}`}},
		{"a reference with escapes", `{"properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"boolean"}}}`, []string{`{"a":true}`}, []string{`{"a":1}`}},
		{"a reference that comes to itself", `{"properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"string"}]}}}`, []string{`{"a":"x"}`}, nil},
		{"a reference to nothing", `{"properties":{"a":{"$ref":"https://example.com/s"}}}`, []string{`{"a":[1]}`}, nil},
		{"no value satisfies an optional one", `{"properties":{"a":false,"b":{"type":"integer"}}}`, []string{`{"b":1}`, `{}`}, []string{`{"a":1}`}},
		{"names with escapes", `{"properties":{"a\"b\\":{"type":"integer"}},"required":["a\"b\\"]}`, []string{`{"a\"b\\":1}`}, []string{`{}`}},
		{"keywords that no grammar has", `{"properties":{"a":{"type":"array","uniqueItems":true,"contains":{"const":1},"not":{"type":"array","maxItems":1}}}}`, []string{`{"a":[1,1]}`}, []string{`{"a":1}`}},
		{"a reference that nothing satisfies", `{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"integer"}]}},"$defs":{"t":{"properties":{"n":{"$ref":"#/$defs/t"},"x":false},"required":["x"]}}}`,
			[]string{`{"a":1}`}, []string{`{"a":{"x":1}}`}},
		{"no object", `{"type":"string"}`, nil, []string{`"x"`, `{}`}},
	} {
		m, err := grammarOf(t, c.schema)
		if err != nil {
			if c.takes != nil {
				t.Errorf("%s: %v", c.about, err)
			}
			continue
		}
		for _, arguments := range c.takes {
			if ok, at := m.accepts(called(arguments)); !ok {
				t.Errorf("%s: refused %s at %q", c.about, arguments, called(arguments)[at:])
			}
		}
		for _, arguments := range c.not {
			if ok, _ := m.accepts(called(arguments)); ok {
				t.Errorf("%s: took %s", c.about, arguments)
			}
		}
	}
}

// A drawn is a schema, and how values that satisfy it are drawn, in the order in which a grammar has them.
type drawn struct {
	schema string
	value  func(t *rapid.T) string
}

func constant(text string) func(*rapid.T) string { return func(*rapid.T) string { return text } }

func quoteJSON(text string) string { return string(jsonx.AppendQuote(nil, text)) }

// blankIn draws white space of the kind that models write.
func blankIn(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\n    "}).Draw(t, "blank")
}

// drawSchema draws a schema of some depth.
func drawSchema(t *rapid.T, depth int) drawn {
	kinds := []string{"string", "integer", "bounded", "number", "boolean", "null", "enum", "const", "pattern", "length", "any"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "map", "array", "tuple", "anyOf", "ref", "types")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "string":
		return drawn{`{"type":"string"}`, func(t *rapid.T) string { return quoteJSON(rapid.String().Draw(t, "text")) }}
	case "integer":
		return drawn{`{"type":"integer"}`, func(t *rapid.T) string { return strconv.FormatInt(rapid.Int64().Draw(t, "n"), 10) }}
	case "bounded":
		low := rapid.Int64Range(-1500, 1500).Draw(t, "low")
		high := rapid.Int64Range(low, 3000).Draw(t, "high")
		return drawn{fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, low, high), func(t *rapid.T) string { return strconv.FormatInt(rapid.Int64Range(low, high).Draw(t, "n"), 10) }}
	case "number":
		return drawn{`{"type":"number"}`, func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"0", "-1", "3.25", "1e9", "-2.5E-3", "12345678901234567"}).Draw(t, "number")
		}}
	case "boolean":
		return drawn{`{"type":"boolean"}`, func(t *rapid.T) string { return strconv.FormatBool(rapid.Bool().Draw(t, "b")) }}
	case "null":
		return drawn{`{"type":"null"}`, constant("null")}
	case "enum":
		values := rapid.SliceOfN(rapid.SampledFrom([]string{`"a"`, `"b c"`, `1`, `null`, `"é\"x\\"`, `{"k":[1]}`}), 1, 4).Draw(t, "values")
		return drawn{`{"enum":[` + strings.Join(values, ",") + `]}`, func(t *rapid.T) string { return rapid.SampledFrom(values).Draw(t, "value") }}
	case "const":
		value := quoteJSON(rapid.String().Draw(t, "const"))
		return drawn{`{"const":` + value + `}`, constant(value)}
	case "pattern":
		pattern := rapid.SampledFrom([]string{`^[a-z]{1,3}\d*$`, `^(foo|bar)+$`, `x`, `^\w+@\w+\.com$`, `^[^"\\]?$`, `"`, `^\p{Greek}+$`}).Draw(t, "pattern")
		return drawn{`{"type":"string","pattern":` + quoteJSON(pattern) + `}`, func(t *rapid.T) string { return quoteJSON(rapid.StringMatching(pattern).Draw(t, "text")) }}
	case "length":
		least := rapid.IntRange(0, 4).Draw(t, "least")
		most := rapid.IntRange(least, 9).Draw(t, "most")
		return drawn{fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, least, most), func(t *rapid.T) string { return quoteJSON(rapid.StringN(least, most, -1).Draw(t, "text")) }}
	case "object":
		return drawObject(t, depth)
	case "map":
		of := drawSchema(t, depth-1)
		return drawn{`{"type":"object","additionalProperties":` + of.schema + `}`, func(t *rapid.T) string {
			keys := rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID[string]).Draw(t, "keys")
			var parts []string
			for _, k := range keys {
				parts = append(parts, quoteJSON(k)+":"+blankIn(t)+of.value(t))
			}
			return "{" + blankIn(t) + strings.Join(parts, ","+blankIn(t)) + "}"
		}}
	case "array":
		of := drawSchema(t, depth-1)
		least := rapid.IntRange(0, 3).Draw(t, "least")
		most := rapid.IntRange(least, 5).Draw(t, "most")
		return drawn{fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"maxItems":%d}`, of.schema, least, most), func(t *rapid.T) string {
			var parts []string
			for range rapid.IntRange(least, most).Draw(t, "n") {
				parts = append(parts, of.value(t)+blankIn(t))
			}
			return "[" + strings.Join(parts, ",") + "]"
		}}
	case "tuple":
		first, rest := drawSchema(t, depth-1), drawSchema(t, depth-1)
		return drawn{`{"type":"array","prefixItems":[` + first.schema + `],"items":` + rest.schema + `}`, func(t *rapid.T) string {
			parts := []string{}
			for i := range rapid.IntRange(0, 3).Draw(t, "n") {
				if i == 0 {
					parts = append(parts, first.value(t))
				} else {
					parts = append(parts, rest.value(t))
				}
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}}
	case "anyOf":
		a, b := drawSchema(t, depth-1), drawSchema(t, depth-1)
		word := rapid.SampledFrom([]string{"anyOf", "oneOf"}).Draw(t, "word")
		return drawn{`{"` + word + `":[` + a.schema + `,` + b.schema + `]}`, func(t *rapid.T) string {
			if rapid.Bool().Draw(t, "first") {
				return a.value(t)
			}
			return b.value(t)
		}}
	case "ref":
		return drawn{`{"$ref":"#/$defs/tree"}`, drawTree}
	case "types":
		return drawn{`{"type":["integer","null"]}`, func(t *rapid.T) string { return rapid.SampledFrom([]string{"7", "null"}).Draw(t, "value") }}
	}
	return drawn{`{}`, func(t *rapid.T) string {
		return rapid.SampledFrom([]string{`null`, `[1, "a", {"b": {}}]`, `"x"`, `-1.5`, `{"a":true}`}).Draw(t, "any")
	}}
}

const tree = `"$defs":{"tree":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}},"required":["v"]}}`

func drawTree(t *rapid.T) string {
	out := "null"
	for range rapid.IntRange(1, 4).Draw(t, "depth") {
		out = `{"v":1,"next":` + out + `}`
	}
	return out
}

// drawObject draws a schema of an object, closed or not.
func drawObject(t *rapid.T, depth int) drawn {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "ab", "b", "c d", "é", "x\"", "f", "g"}), 0, 7, rapid.ID[string]).Draw(t, "names")
	required := map[string]bool{}
	members := make([]drawn, len(names))
	var properties, needed []string
	for i, name := range names {
		members[i] = drawSchema(t, depth-1)
		properties = append(properties, quoteJSON(name)+":"+members[i].schema)
		if rapid.Bool().Draw(t, "required") {
			required[name] = true
			needed = append(needed, quoteJSON(name))
		}
	}
	text := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(needed, ",") + `],"additionalProperties":false}`
	return drawn{text, func(t *rapid.T) string {
		var parts []string
		for i, name := range names {
			if required[name] || rapid.Bool().Draw(t, "there") {
				parts = append(parts, quoteJSON(name)+blankIn(t)+":"+blankIn(t)+members[i].value(t)+blankIn(t))
			}
		}
		if len(names) <= 5 { // more have the order of the schema
			parts = rapid.Permutation(parts).Draw(t, "order")
		}
		return "{" + blankIn(t) + strings.Join(parts, ","+blankIn(t)) + "}"
	}}
}

// TestArgumentsThatSatisfyASchema: the grammar of a schema takes what was drawn to satisfy it. What it takes of damaged arguments is JSON and
// satisfies the schema, unless a keyword is in it that no grammar expresses.
func TestArgumentsThatSatisfyASchema(t *testing.T) {
	took, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		object := drawObject(rt, 3)
		text := strings.TrimSuffix(object.schema, "}") + "," + tree + "}"
		compiled, err := schema.Compile([]byte(text))
		if err != nil {
			rt.Fatal(err)
		}
		m, err := grammarOf(t, text)
		if err != nil {
			rt.Fatalf("%v: %s", err, text)
		}
		arguments := object.value(rt)
		if ok, at := m.accepts(called(arguments)); !ok {
			rt.Fatalf("refused %s at %q\nof %s", arguments, called(arguments)[at:], text)
		}
		if v := compiled.Validate([]byte(arguments)); len(v) > 0 && !strings.Contains(text, "oneOf") {
			rt.Fatalf("%s is not valid: %v", arguments, v)
		}
		for range 4 {
			damaged := damage(rt, arguments)
			if ok, _ := m.accepts(called(damaged)); !ok {
				refused++
				continue
			}
			took++
			if !json.Valid([]byte(damaged)) {
				rt.Fatalf("took %s, which is no JSON", damaged)
			}
			if v := compiled.Validate([]byte(damaged)); len(v) > 0 && !strings.Contains(text, "oneOf") && !strings.Contains(text, `"pattern"`) {
				rt.Fatalf("took %s, which is not valid: %v\nof %s", damaged, v, text)
			}
		}
	})
	if took == 0 || refused == 0 {
		t.Errorf("of damaged arguments %d were taken and %d refused", took, refused)
	}
}

// damage changes a part of a text.
func damage(t *rapid.T, text string) string {
	runes := []rune(text)
	at := rapid.IntRange(0, len(runes)-1).Draw(t, "at")
	switch rapid.IntRange(0, 3).Draw(t, "damage") {
	case 0:
		return string(slices.Delete(slices.Clone(runes), at, at+1))
	case 1:
		return string(slices.Insert(slices.Clone(runes), at, rapid.SampledFrom([]rune("{}[]\",:0a \n\\-")).Draw(t, "new")))
	case 2:
		to := rapid.IntRange(at, len(runes)).Draw(t, "to")
		return string(slices.Delete(slices.Clone(runes), at, to))
	}
	changed := slices.Clone(runes)
	changed[at] = rapid.SampledFrom([]rune("{}[]\",:0a1")).Draw(t, "new")
	return string(changed)
}

// TestLargeSchemas: a schema whose grammar would be too large, or that takes too long to read, has none.
func TestLargeSchemas(t *testing.T) {
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf(`"property_number_%d":{"type":"string","minLength":%d}`, i, i%200))
	}
	for about, text := range map[string]string{
		"all of itself, twice":     `{"allOf":[{"$ref":"#"},{"$ref":"#"}],"properties":{"a":{"type":"integer"}}}`,
		"one of itself, twice":     `{"properties":{"a":{"type":"integer"}},"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		"many properties":          `{"type":"object","properties":{` + strings.Join(many, ",") + `}}`,
		"references in each other": `{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}`,
	} {
		if m, err := grammarOf(t, text); err == nil {
			t.Errorf("%s: a grammar of %d rules", about, len(m.rules))
		}
	}
}

// FuzzSchemas: of any schema there is a grammar that llama-server can read, or none.
func FuzzSchemas(f *testing.F) {
	for _, seed := range []string{weather, `{"anyOf":[{"$ref":"#"},{"not":{}}]}`, `{"properties":{"a":{"items":{"$ref":"#"},"minItems":3}}}`, `{"type":["integer","string"],"minimum":-1e3,"pattern":"(a|b)*\\d{2,}$"}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}],"properties":{"x":{"$ref":"#/$defs/a"}}},"b":{"enum":[{}]}}}`, `{"prefixItems":[false,{}],"additionalProperties":{"$ref":"#"},"required":["a","\u0000"]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if jsonx.Valid([]byte(text)) != nil || len(text) > 1<<12 {
			return
		}
		if m, err := grammarOf(t, text); err == nil {
			m.accepts(called(`{"a":1}`))
		}
	})
}

// TestDocument: the grammar of a document is that of its schema.
func TestDocument(t *testing.T) {
	grammar, err := constraint.Document([]byte(`{"type":"object","anyOf":[{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"],"additionalProperties":false},
		{"type":"object","properties":{"toolCalls":{"type":"array","minItems":1,"items":{"type":"object","properties":{"name":{"const":"f"},"arguments":{"$ref":"#/$defs/a"}},"required":["name","arguments"]}}},"required":["toolCalls"]}],
		"$defs":{"a":{"type":"object","properties":{"x":{"type":"integer"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := newMatcher(t, grammar)
	for text, want := range map[string]bool{
		`{"answer": "Fine."}`: true, `{"toolCalls":[{"name":"f","arguments":{"x":1}}]}`: true, " {\n \"toolCalls\": [ {\"name\":\"f\",\"arguments\":{}} ] }": true,
		`{"toolCalls":[]}`: false, `{"toolCalls":[{"name":"g","arguments":{}}]}`: false, `{"toolCalls":[{"name":"f","arguments":{"x":"1"}}]}`: false, `{}`: false, `Fine.`: false,
	} {
		if ok, _ := m.accepts(text); ok != want {
			t.Errorf("%s: accepted: %v", text, ok)
		}
	}
	if _, err := constraint.Document([]byte(`{"enum":[]}`)); err == nil {
		t.Error("a grammar of a schema that nothing satisfies")
	}
}
