package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/schema"
)

func TestCompileRefuses(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 200) + `{}` + strings.Repeat(`}`, 200)
	for _, c := range []struct{ name, schema, path string }{
		{"no JSON", `{"type":`, ""},
		{"a list", `[]`, ""},
		{"a type that is a number", `{"type":3}`, "/type"},
		{"no types", `{"type":[]}`, "/type"},
		{"properties as a list", `{"properties":["a"]}`, "/properties"},
		{"a property that is text", `{"properties":{"a/b":"text"}}`, "/properties/a~1b"},
		{"required as text", `{"required":"a"}`, "/required"},
		{"required with a number", `{"required":[1]}`, "/required"},
		{"a negative count", `{"items":{"minLength":-1}}`, "/items/minLength"},
		{"a broken count", `{"maxItems":1.5}`, "/maxItems"},
		{"a bound that is text", `{"minimum":"1"}`, "/minimum"},
		{"multiples of nothing", `{"multipleOf":0}`, "/multipleOf"},
		{"enum as text", `{"enum":"a"}`, "/enum"},
		{"an empty union", `{"anyOf":[]}`, "/anyOf"},
		{"a union of text", `{"oneOf":[{"type":"string"},"x"]}`, "/oneOf/1"},
		{"a circle", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, "/$defs/a"},
		{"dependencies as a number", `{"dependentRequired":{"a":[1]}}`, "/dependentRequired/a"},
		{"types that are no names", `{"type":["string",1]}`, "/type"},
		{"a number as address", `{"$ref":1}`, "/$ref"},
		{"too deep", deep, strings.Repeat("/items", 129)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := schema.Compile([]byte(c.schema))
			var ce *schema.CompileError
			if !errors.As(err, &ce) {
				t.Fatalf("want a CompileError, got %v", err)
			}
			if c.name != "a circle" && ce.Path != c.path {
				t.Errorf("want the place %q, got %q (%v)", c.path, ce.Path, err)
			}
		})
	}
}

func TestCompileLimits(t *testing.T) {
	var chain, wide strings.Builder
	for i := range 400 {
		fmt.Fprintf(&chain, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	for i := range 21000 {
		fmt.Fprintf(&wide, `"p%d":{},`, i)
	}
	for name, raw := range map[string]string{
		"a chain of references": `{"$ref":"#/$defs/d0","$defs":{` + chain.String() + `"d400":{}}}`,
		"too many schemas":      `{"properties":{` + wide.String() + `"last":{}}}`,
	} {
		if _, err := schema.Compile([]byte(raw)); err == nil {
			t.Errorf("%s: want an error, got none", name)
		}
	}
}

func TestReadings(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		good, bad    []string
		readings     int
	}{
		{"capital types", `{"type":"OBJECT","properties":{"a":{"type":"STRING"},"n":{"type":"INTEGER"}}}`, []string{`{"a":"x","n":1}`}, []string{`{"a":1}`, `{"n":"1"}`}, 3},
		{"types of languages", `{"type":"dict","properties":{"a":{"type":"float"},"b":{"type":"tuple","items":{"type":"int"}},"c":{"type":"any"}}}`,
			[]string{`{"a":1.5,"b":[1],"c":{}}`, `{"c":null}`}, []string{`{"a":"1"}`, `{"b":["x"]}`, `[]`}, 5},
		{"parametrised types", `{"properties":{"a":{"type":"List[str]"},"b":{"type":"string[]"}}}`, []string{`{"a":[],"b":[]}`}, []string{`{"a":"x"}`, `{"b":"x"}`}, 2},
		{"list of types", `{"type":["String","none"]}`, []string{`"x"`, `null`}, []string{`1`}, 2},
		{"nullable type", `{"type":"string","nullable":true,"enum":["a"]}`, []string{`"a"`, `null`}, []string{`"b"`, `1`}, 1},
		{"nullable reference", `{"$ref":"#/$defs/a","nullable":true,"$defs":{"a":{"type":"integer"}}}`, []string{`1`, `null`}, []string{`"b"`}, 1},
		{"nullable const", `{"const":"a","nullable":true}`, []string{`"a"`, `null`}, []string{`"b"`}, 1},
		{"nullable union", `{"anyOf":[{"type":"string"},{"type":"integer"}],"nullable":true}`, []string{`"a"`, `1`, `null`}, []string{`1.5`}, 1},
		{"bounds of draft 4", `{"minimum":3,"exclusiveMinimum":true}`, []string{`4`}, []string{`3`}, 1},
		{"items of draft 7", `{"items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, []string{`["a",1]`}, []string{`[1]`, `["a","b"]`}, 1},
		{"dependencies of draft 7", `{"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, []string{`{"a":1,"b":1}`, `{"c":1,"d":1}`}, []string{`{"a":1}`, `{"c":1}`}, 1},
		{"unknown dialect", `{"$schema":"https://example.com/mine","type":"string"}`, []string{`"a"`}, []string{`1`}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			verdicts(t, s, c.good, c.bad)
			if got := len(s.Readings()); got != c.readings {
				t.Errorf("want %d readings, got %v", c.readings, s.Readings())
			}
		})
	}
}

func TestUnchecked(t *testing.T) {
	for _, c := range []struct {
		schema    string
		unchecked []string
		good, bad []string
	}{
		{`{"type":"string","pattern":"(?=a)b"}`, []string{"/pattern"}, []string{`"x"`}, []string{`1`}},
		{`{"properties":{"pattern":{"pattern":"^(a)\\1$"},"format":{"format":"money"}}}`, []string{"/properties/format/format", "/properties/pattern/pattern"}, []string{`{"pattern":"x","format":"y"}`}, nil},
		{`{"patternProperties":{"^(?!x)":{"type":"string"}},"additionalProperties":false}`, []string{"/additionalProperties", "/patternProperties/^(?!x)"}, []string{`{"a":1}`}, nil},
		{`{"required":null,"enum":null,"properties":{"a":{"required":true}}}`, []string{"/enum", "/properties/a/required", "/required"}, []string{`{}`}, nil},
		{`{"type":"enum","enum":["a"]}`, []string{"/type"}, []string{`"a"`}, []string{`"b"`}},
		{`{"properties":{"a":{"items":{"type":["string","strnig"],"minLength":2}},"b":{"type":"integer"}}}`, []string{"/properties/a/items/type"}, []string{`{"a":["xy",1],"b":1}`}, []string{`{"a":["x"]}`, `{"b":"x"}`}},
		{`{"format":"regex"}`, []string{"/format"}, []string{`"("`}, nil},
		{`{"properties":{"a":{"$ref":"#/$defs/b"},"c":{"type":"integer"}}}`, []string{"/properties/a/$ref"}, []string{`{"a":[],"c":1}`}, []string{`{"c":"1"}`}},
		{`{"allOf":[{"$ref":"https://example.com/s.json"},{"type":"string"}]}`, []string{"/allOf/0/$ref"}, []string{`"x"`}, []string{`1`}},
		{`{"$id":"file:///etc/x","items":{"$ref":"passwd"},"type":"array"}`, []string{"/items/$ref"}, []string{`[1]`}, []string{`1`}},
		{`{"$dynamicRef":"#a","$defs":{"a":{"$dynamicAnchor":"a","type":"string"}},"items":{"$ref":"#/b"}}`, []string{"/items/$ref"}, []string{`"x"`}, []string{`1`}},
		{`{"properties":{"a":{"$ref":"#none"},"b":{"type":"integer"}}}`, []string{"/properties/a/$ref"}, []string{`{"a":1}`}, []string{`{"b":"x"}`}},
		{`{"unevaluatedProperties":false,"properties":{"a":{"format":"money"}}}`, []string{"/properties/a/format"}, []string{`{"a":"x"}`}, []string{`{"b":"x"}`}},
	} {
		s := mustCompile(t, c.schema)
		verdicts(t, s, c.good, c.bad)
		var got []string
		for _, u := range s.UncheckedParts() {
			got = append(got, u.Path)
		}
		if d := cmp.Diff(c.unchecked, got); d != "" {
			t.Errorf("%s: unchecked (-want +got)\n%s", c.schema, d)
		}
	}
}

func TestNoSchema(t *testing.T) {
	for _, raw := range []string{"", "  \n", "null"} {
		verdicts(t, mustCompile(t, raw), []string{`{}`, `{"a":1}`}, []string{`[]`, `"x"`})
	}
	verdicts(t, mustCompile(t, `{}`), []string{`{}`, `[]`, `1`}, nil)
	verdicts(t, mustCompile(t, `false`), nil, []string{`{}`})
	if got := string(mustCompile(t, " {\"a\":1} ").Raw()); got != `{"a":1}` {
		t.Errorf("want the text of the schema, got %s", got)
	}
}

func TestParams(t *testing.T) {
	s := mustCompile(t, `{"required":["zeta"],"properties":{"zeta":{"type":"string"},"alpha":{"anyOf":[{"type":"integer"},{"type":"null"}]},
		"type":{"enum":["a",1]},"any":{"description":"x"},"m":{"$ref":"#/$defs/m"}},"allOf":[{"properties":{"last":{"type":"number"}}}],"$defs":{"m":{"type":"object"}}}`)
	want := []schema.Param{
		{Name: "zeta", Types: []string{"string"}, Required: true, Schema: []byte(`{"type":"string"}`)},
		{Name: "alpha", Types: []string{"integer", "null"}, Schema: []byte(`{"anyOf":[{"type":"integer"},{"type":"null"}]}`)},
		{Name: "type", Types: []string{"string", "integer"}, Schema: []byte(`{"enum":["a",1]}`)},
		{Name: "any", Schema: []byte(`{"description":"x"}`)},
		{Name: "m", Types: []string{"object"}, Schema: []byte(`{"$ref":"#/$defs/m"}`)},
		{Name: "last", Types: []string{"number"}, Schema: []byte(`{"type":"number"}`)},
	}
	if d := cmp.Diff(want, s.Params()); d != "" {
		t.Errorf("params (-want +got)\n%s", d)
	}
}

func TestCache(t *testing.T) {
	c := schema.NewCache(2)
	compile := func(raw string) *schema.Schema {
		s, err := c.Compile([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a := compile(`{"type":"string"}`)
	if compile(`{"type":"string"}`) != a {
		t.Error("want the same schema for the same text, got another")
	}
	b := compile(`{"type":"integer"}`)
	compile(`{"type":"string"}`) // now the integer is the oldest
	compile(`{"type":"null"}`)
	if compile(`{"type":"string"}`) != a {
		t.Error("want the latest used kept, got it dropped")
	}
	if compile(`{"type":"integer"}`) == b {
		t.Error("want the oldest dropped, got it kept")
	}
	if _, err := c.Compile([]byte(`{"type":7}`)); err == nil {
		t.Error("want an error, got none")
	}
	if _, err := c.Compile([]byte(`{"type":7}`)); err == nil {
		t.Error("want the error again, got none")
	}
	raw := []byte(searchTool)
	compile(searchTool)
	if n := testing.AllocsPerRun(100, func() { c.Compile(raw) }); n != 0 {
		t.Errorf("want no allocation on a hit, got %v", n)
	}
}

func TestCacheConcurrent(t *testing.T) {
	c := schema.NewCache(3)
	done := make(chan error)
	for g := range 8 {
		go func() {
			for i := range 200 {
				if _, err := c.Compile(fmt.Appendf(nil, `{"maximum":%d}`, (i+g)%5)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func verdicts(t *testing.T, s *schema.Schema, good, bad []string) {
	t.Helper()
	for _, doc := range good {
		if v := s.Validate([]byte(doc)); v != nil {
			t.Errorf("%s: want it to fit, got %v", doc, v)
		}
	}
	for _, doc := range bad {
		if v := s.Validate([]byte(doc)); v == nil {
			t.Errorf("%s: want a violation, got none", doc)
		}
	}
}
