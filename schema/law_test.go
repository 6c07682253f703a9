package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/schema"
)

// anySchema draws schemas of all common keywords; depth bounds their nesting.
func anySchema(t *rapid.T, depth int) map[string]any {
	s := map[string]any{}
	if rapid.IntRange(0, 2).Draw(t, "typed") > 0 {
		s["type"] = rapid.SampledFrom([]any{"string", "integer", "number", "boolean", "null", "array", "object", []any{"integer", "null"}, []any{"string", "boolean"}}).Draw(t, "type")
	}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		drawKeyword(t, s, depth)
	}
	return s
}

func drawKeyword(t *rapid.T, s map[string]any, depth int) {
	n := func() json.Number {
		return rapid.SampledFrom([]json.Number{"0", "1", "2", "3", "1.5", "-1", "1e1", "2.0"}).Draw(t, "number")
	}
	small := func() int { return rapid.IntRange(0, 3).Draw(t, "count") }
	sub := func() any { return anySchema(t, depth-1) }
	list := func() []any {
		out := make([]any, 0, 3)
		for range rapid.IntRange(1, 3).Draw(t, "branches") {
			out = append(out, sub())
		}
		return out
	}
	plain := map[string]func() any{
		"minimum": func() any { return n() }, "maximum": func() any { return n() }, "exclusiveMinimum": func() any { return n() }, "exclusiveMaximum": func() any { return n() },
		"multipleOf": func() any { return rapid.SampledFrom([]json.Number{"1", "0.5", "3", "1e1"}).Draw(t, "multiple") },
		"minLength":  func() any { return small() }, "maxLength": func() any { return small() },
		"pattern":  func() any { return rapid.SampledFrom([]string{"^a", "b$", "^$", "\\d", "é"}).Draw(t, "pattern") },
		"format":   func() any { return rapid.SampledFrom([]string{"date", "ipv4", "email"}).Draw(t, "format") },
		"minItems": func() any { return small() }, "maxItems": func() any { return small() }, "uniqueItems": func() any { return true },
		"minProperties": func() any { return small() }, "maxProperties": func() any { return small() },
		"required":          func() any { return rapid.SliceOfNDistinct(names, 0, 3, rapid.ID[string]).Draw(t, "required") },
		"dependentRequired": func() any { return map[string]any{names.Draw(t, "if"): []any{names.Draw(t, "then")}} },
		"enum":              func() any { return []any{anyValue(t, 1), anyValue(t, 1), "a"} },
		"const":             func() any { return anyValue(t, 1) },
	}
	nested := map[string]func() any{
		"items": sub, "additionalProperties": sub, "contains": sub, "not": sub, "if": sub, "then": sub, "else": sub, "propertyNames": sub,
		"prefixItems": func() any { return list() }, "allOf": func() any { return list() }, "anyOf": func() any { return list() }, "oneOf": func() any { return list() },
		"properties":        func() any { return map[string]any{"a": sub(), "b": sub()} },
		"patternProperties": func() any { return map[string]any{"^c": sub()} },
		"dependentSchemas":  func() any { return map[string]any{"a": sub()} },
		"$ref":              func() any { return rapid.SampledFrom([]string{"#/$defs/x", "#/$defs/y"}).Draw(t, "ref") },
	}
	from := plain
	if depth > 0 && rapid.Bool().Draw(t, "nested") {
		from = nested
	}
	k := rapid.SampledFrom(slices.Sorted(maps.Keys(from))).Draw(t, "keyword")
	s[k] = from[k]()
}

var names = rapid.SampledFrom([]string{"a", "b", "c", "cc", "é", "d_e", "/~"})

func anyValue(t *rapid.T, depth int) any {
	kinds := 6
	if depth > 0 {
		kinds = 9
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2, 3:
		return rapid.SampledFrom([]json.Number{"0", "1", "2", "3", "10", "1.5", "-1", "1e1", "1.0", "0.1", "9007199254740993", "-0"}).Draw(t, "value")
	case 4, 5, 6:
		return rapid.SampledFrom([]string{"", "a", "ab", "A", "1", "1.5", "true", "null", "é1", "2024-01-31", "10.0.0.1", "😀\n\"", "[1]", `{"a":"1"}`}).Draw(t, "text")
	case 7:
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			out = append(out, anyValue(t, depth-1))
		}
		return out
	}
	out := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		out[names.Draw(t, "name")] = anyValue(t, depth-1)
	}
	return out
}

func drawPair(t *rapid.T) (rawSchema, doc []byte) {
	s := anySchema(t, 3)
	s["$defs"] = map[string]any{"x": anySchema(t, 0), "y": anySchema(t, 1)}
	delete(s["$defs"].(map[string]any)["y"].(map[string]any), "$ref")
	return text(s), text(anyValue(t, 3))
}

func text(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// oracle returns the complete validator, alone.
func oracle(raw, doc []byte) (bool, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return false, err
	}
	if err := c.AddResource("mem:///s", v); err != nil {
		return false, err
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		return false, err
	}
	d, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return false, err
	}
	err = s.Validate(d)
	if invalid := (*jsonschema.ValidationError)(nil); err != nil && !errors.As(err, &invalid) {
		return false, err
	}
	return err == nil, nil
}

// The tree and the complete validator say the same.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, doc := drawPair(t)
		s, err := schema.Compile(raw)
		want, failed := oracle(raw, doc)
		if (err != nil) != (failed != nil) {
			t.Fatalf("%s: want the error %v, got %v", raw, failed, err)
		}
		if err != nil {
			return
		}
		if got := s.Validate(doc); (got == nil) != want {
			t.Fatalf("%s\n%s: want valid %v, got %v", raw, doc, want, got)
		}
	})
}

// A valid document is never changed, and coercing twice is coercing once.
func TestCoerceLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, doc := drawPair(t)
		s, err := schema.Compile(raw)
		if err != nil {
			return
		}
		o := schema.Options{Guesses: schema.Guesses(rapid.IntRange(0, 1).Draw(t, "guesses"))}
		out, changes := s.Coerce(doc, o)
		if s.Validate(doc) == nil && (!bytes.Equal(out, doc) || changes != nil) {
			t.Fatalf("%s\n%s: want a valid document left alone, got %s by %v", raw, doc, out, changes)
		}
		if (len(changes) == 0) != bytes.Equal(out, doc) {
			t.Fatalf("%s\n%s: want changes told, got %s by %v", raw, doc, out, changes)
		}
		if !json.Valid(out) {
			t.Fatalf("%s\n%s: want JSON, got %s", raw, doc, out)
		}
		if again, more := s.Coerce(out, o); len(more) > 0 || !bytes.Equal(again, out) {
			t.Fatalf("%s\n%s -> %s: want nothing more to change, got %s by %v", raw, doc, out, again, more)
		}
	})
}

// drawParameter draws a type, a value of it, and the value with some of its parts written as strings.
func drawParameter(t *rapid.T, depth int) (sch map[string]any, value, written string) {
	kinds := []string{"string", "integer", "number", "boolean"}
	if depth > 0 {
		kinds = append(kinds, "array", "object")
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	sch = map[string]any{"type": kind}
	switch kind {
	case "string":
		v := text(rapid.SampledFrom([]string{"", "007", "true", "null", "[1]", `{"a":"b"}`, "é \"x\"", "12"}).Draw(t, "text"))
		return sch, string(v), string(v)
	case "integer":
		value = rapid.StringMatching(`-?[1-9][0-9]{0,30}`).Draw(t, "integer")
	case "number":
		value = rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?(e-?[0-9]{1,3})?`).Draw(t, "number")
	case "boolean":
		value = fmt.Sprint(rapid.Bool().Draw(t, "boolean"))
	case "array":
		item, one, two := drawParameter(t, depth-1)
		sch["items"] = item
		value, written = "["+one+", "+one+"]", "["+two+", "+one+"]"
	case "object":
		first, v1, w1 := drawParameter(t, depth-1)
		second, v2, w2 := drawParameter(t, depth-1)
		sch["properties"] = map[string]any{"first": first, "second": second}
		value, written = `{"second": `+v2+`, "first":`+v1+`}`, `{"second": `+w2+`, "first":`+w1+`}`
	}
	if written == "" {
		written = value
	}
	if rapid.Bool().Draw(t, "as a string") {
		written = string(text(written))
	}
	return sch, value, written
}

// Values that were written as strings come back to the byte.
func TestStringifiedComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sch, value, written := drawParameter(t, 3)
		raw := text(map[string]any{"type": "object", "properties": map[string]any{"v": sch}, "required": []any{"v"}})
		s, err := schema.Compile(raw)
		if err != nil {
			t.Fatal(err)
		}
		want, in := `{"v": `+value+` }`, `{"v": `+written+` }`
		out, _ := s.Coerce([]byte(in), noOptions)
		if string(out) != want {
			t.Fatalf("%s\n%s: want %s, got %s", raw, in, want, out)
		}
	})
}

func FuzzSchema(f *testing.F) {
	f.Add(forecast, `{"city":"Oslo","days":"3"}`)
	f.Add(searchTool, brokenArgs)
	f.Add(`{"type":"STRING","nullable":true,"pattern":"\\u00e9"}`, `"é"`)
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`, `[[1]]`)
	f.Add(`{"unevaluatedProperties":false,"$id":"x","items":[{"$ref":"x#/items/0"}]}`, `{"a":1e99999}`)
	f.Fuzz(func(t *testing.T, raw, doc string) {
		s, err := schema.Compile([]byte(raw))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("want an error that says something")
			}
			return
		}
		out, changes := s.Coerce([]byte(doc), schema.Options{Guesses: schema.WithGuesses})
		if s.Validate([]byte(doc)) == nil && len(changes) > 0 {
			t.Fatalf("want a valid document left alone, got %s", out)
		}
		s.Validate(out)
		for _, p := range s.Params() {
			if got := s.FromText([]string{p.Name}, doc, schema.Literal); !json.Valid(got) && json.Valid([]byte(doc)) {
				t.Fatalf("want JSON, got %s", got)
			}
		}
	})
}
