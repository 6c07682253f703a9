package adapter_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/schema"
)

// A draw makes schemas and documents, the same ones for the same seed.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 11))} }

func pick[T any](d draw, from ...T) T { return from[d.IntN(len(from))] }

func (d draw) one(in int) bool { return d.IntN(in) == 0 }

type object = map[string]any

var (
	propertyNames = []string{"a", "b", "c", "path", "a.b", "with space", "été", "9th"}
	texts         = []any{"", "a", "ab", "abc", "2024-01-31", "10.0.0.1", "x y", "é", "true", "1"}
	numbers       = []any{json.Number("0"), json.Number("1"), json.Number("2"), json.Number("3"), json.Number("-1"), json.Number("1.5"), json.Number("0.1"),
		json.Number("9223372036854775807"), json.Number("2.0"), json.Number("10")}
)

// tool draws the schema of a tool: most often an object with properties, at times anything.
func (d draw) tool() object {
	s := d.schema(3)
	if !d.one(6) {
		s = d.objects(3)
		for d.one(3) {
			d.join(s, 2)
		}
	}
	defs := object{}
	for _, name := range []string{"x", "y"} {
		def := d.schema(1)
		if d.one(3) {
			def = object{"type": "object", "properties": object{"v": d.schema(0), "next": object{"$ref": "#/$defs/" + name}}}
		}
		defs[name] = def
	}
	s["$defs"] = defs
	if d.one(8) {
		s["$schema"] = pick(d, "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "https://acme.test/schema")
	}
	if d.one(6) {
		s["description"] = "What the tool takes."
	}
	return s
}

func (d draw) schema(depth int) object {
	kinds := []func() object{
		func() object { return d.strings() }, func() object { return d.strings() },
		func() object { return d.numbers() }, func() object { return object{"type": "boolean"} },
		func() object { return d.listed() }, func() object { return object{} }, func() object { return object{"type": "null"} },
		func() object { return object{"$ref": pick(d, "#/$defs/x", "#/$defs/y")} },
		func() object {
			s := d.strings()
			maps.Copy(s, d.numbers())
			s["type"] = pick[any](d, []any{"string", "integer"}, []any{"string", "null"}, []any{"number", "boolean", "null"}, []any{"array", "object"}, "STRING", "int")
			return s
		},
	}
	if depth > 0 {
		for range 3 {
			kinds = append(kinds, func() object { return d.objects(depth - 1) }, func() object { return d.arrays(depth - 1) },
				func() object { s := d.schema(0); d.join(s, depth-1); return s })
		}
	}
	s := kinds[d.IntN(len(kinds))]()
	if d.one(12) {
		s["nullable"] = true
	}
	if d.one(8) {
		s["description"] = "Some part."
	}
	if d.one(10) {
		s["default"] = d.value(1)
	}
	if d.one(20) {
		delete(s, "type")
	}
	return s
}

func (d draw) strings() object {
	s := object{"type": "string"}
	if d.one(3) {
		switch d.IntN(5) {
		case 0:
			s["minLength"] = d.IntN(3)
		case 1:
			s["maxLength"] = 1 + d.IntN(4)
		case 2:
			s["pattern"] = pick(d, "^a", "^[a-z]+$", `\d`, "^(a|b)*$", "b$")
		case 3:
			s["format"] = pick(d, "date", "ipv4", "email", "date-time", "acme")
		case 4:
			s["enum"] = []any{"a", "b", pick(d, texts...)}
		}
	}
	return s
}

func (d draw) numbers() object {
	s := object{"type": pick(d, "integer", "number")}
	if d.one(2) {
		key := pick(d, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
		s[key] = pick(d, numbers[:4]...)
		if key == "multipleOf" {
			s[key] = pick[any](d, 2, json.Number("0.5"), 3)
		}
	}
	return s
}

func (d draw) listed() object {
	s := object{}
	if d.one(2) {
		s["const"] = d.value(1)
	} else {
		s["enum"] = pick(d, []any{"a", "b"}, []any{1, 2, json.Number("2.5")}, []any{true}, []any{true, false}, []any{"a", nil}, []any{"1", 1, object{"a": 1}}, []any{}, []any{"", "x"}, []any{d.value(1), d.value(1)})
	}
	if d.one(2) {
		s["type"] = pick(d, "string", "integer", "boolean", "object")
	}
	return s
}

func (d draw) objects(depth int) object {
	s, props, required := object{"type": "object"}, object{}, []any{}
	for range d.IntN(4) {
		name := pick(d, propertyNames...)
		props[name] = d.schema(depth)
		if d.one(30) {
			props[name] = d.one(2)
		}
		if d.one(2) && !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
	}
	if len(props) > 0 || d.one(2) {
		s["properties"] = props
	}
	if len(required) > 0 {
		s["required"] = required
	}
	switch d.IntN(8) {
	case 0, 1:
		s["additionalProperties"] = false
	case 2:
		s["additionalProperties"] = d.schema(depth)
	case 3:
		s["additionalProperties"] = true
	}
	if d.one(8) {
		s["required"] = []any{pick(d, propertyNames...)}
	}
	switch d.IntN(20) {
	case 0:
		s["minProperties"] = d.IntN(3)
	case 1:
		s["maxProperties"] = 1 + d.IntN(3)
	case 2:
		s["patternProperties"] = object{"^a": d.schema(0)}
	case 3:
		s["propertyNames"] = object{"maxLength": 3}
	case 4:
		s["dependentRequired"] = object{"a": []any{"b"}}
	case 5:
		s["dependencies"] = object{"a": []any{"b"}, "b": object{"minProperties": 1}}
	}
	return s
}

func (d draw) arrays(depth int) object {
	s := object{"type": "array"}
	switch d.IntN(6) {
	case 0:
		s["prefixItems"] = []any{d.schema(depth), d.schema(depth)}
		if d.one(2) {
			s["items"] = pick[any](d, false, d.schema(depth))
		}
	case 1:
		s["items"] = []any{d.schema(depth), d.schema(depth)}
	case 2:
	default:
		s["items"] = d.schema(depth)
	}
	switch d.IntN(8) {
	case 0:
		s["minItems"] = d.IntN(3)
	case 1:
		s["maxItems"] = 1 + d.IntN(3)
	case 2:
		s["uniqueItems"] = true
	case 3:
		s["contains"] = d.schema(0)
	}
	return s
}

// join adds a combinator.
func (d draw) join(s object, depth int) {
	list := func() []any {
		var out []any
		for range 1 + d.IntN(3) {
			out = append(out, d.schema(max(depth, 0)))
		}
		return out
	}
	objects := func() []any { return []any{d.objects(max(depth-1, 0)), d.objects(max(depth-1, 0))} }
	switch d.IntN(9) {
	case 0, 1:
		s["anyOf"] = list()
		if d.one(2) {
			delete(s, "type")
		}
	case 2:
		s["oneOf"] = list()
	case 3:
		s["allOf"] = list()
	case 4:
		s["anyOf"] = []any{object{"required": []any{"a"}}, object{"required": []any{"b"}}}
	case 5:
		s[pick(d, "anyOf", "oneOf", "allOf")] = objects()
	case 6:
		s["not"] = d.schema(0)
	case 7:
		s["if"], s["then"] = d.schema(0), d.schema(0)
	case 8:
		s["oneOf"] = []any{object{"type": "object", "properties": object{"k": object{"const": "a"}, "x": d.schema(0)}, "required": []any{"k"}},
			object{"type": "object", "properties": object{"k": object{"const": "b"}, "x": d.schema(0)}, "required": []any{"k", "x"}}}
	}
}

func (d draw) value(depth int) any {
	switch n := d.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return d.one(2)
	case n < 5:
		return pick(d, numbers...)
	case n < 7 || depth == 0:
		return pick(d, texts...)
	case n == 7:
		return []any{d.value(depth - 1)}
	}
	return object{pick(d, propertyNames...): d.value(depth - 1)}
}

// A maker makes documents that a schema was written for. Most of them satisfy it.
type maker struct {
	draw
	root object
	left int
}

func (m *maker) value(v any, depth int) any {
	s, ok := v.(object)
	if m.left--; !ok || len(s) == 0 || m.left < 0 || depth > 40 {
		return m.draw.value(1)
	}
	if ref, ok := s["$ref"].(string); ok {
		return m.value(at(m.root, ref[1:]), depth+1)
	}
	if s["nullable"] == true && m.one(3) {
		return nil
	}
	if c, ok := s["const"]; ok {
		return c
	}
	if e, ok := s["enum"].([]any); ok && len(e) > 0 {
		return pick(m.draw, e...)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := s[key].([]any); ok && (s["type"] == nil || m.one(2)) {
			got := m.value(pick(m.draw, list...), depth+1)
			if part, ok := got.(object); ok && s["properties"] != nil {
				whole, _ := m.typed(s, "object", depth).(object)
				maps.Copy(whole, part)
				return whole
			}
			return got
		}
	}
	name := ""
	switch t := s["type"].(type) {
	case string:
		name = t
	case []any:
		name = pick(m.draw, t...).(string)
	}
	return m.typed(s, name, depth)
}

func (m *maker) typed(s object, name string, depth int) any {
	if now, ok := schema.TypeName(name); ok {
		name = now
	}
	switch name {
	case "string":
		return pick(m.draw, texts...)
	case "integer":
		return pick(m.draw, numbers[0], numbers[1], numbers[2], numbers[3], numbers[7], numbers[9])
	case "number":
		return pick(m.draw, numbers...)
	case "boolean":
		return m.one(2)
	case "null":
		return nil
	case "array":
		out := []any{}
		prefix, _ := s["prefixItems"].([]any)
		n := m.IntN(4)
		if least, err := strconv.Atoi(text(s["minItems"])); err == nil {
			n = max(n, min(least, 5))
		}
		for i := range n {
			if i < len(prefix) {
				out = append(out, m.value(prefix[i], depth+1))
			} else if s["items"] != false {
				out = append(out, m.value(s["items"], depth+1))
			}
		}
		return out
	case "object", "":
		return m.object(s, depth)
	}
	return m.draw.value(1)
}

func (m *maker) object(s object, depth int) any {
	out := object{}
	required, _ := s["required"].([]any)
	props, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(props)) {
		if slices.Contains(required, any(name)) || m.one(2) && depth < 12 {
			out[name] = m.value(props[name], depth+1)
		}
	}
	for _, name := range required {
		if _, had := out[name.(string)]; !had {
			out[name.(string)] = m.value(s["additionalProperties"], depth+1)
		}
	}
	if s["additionalProperties"] != false && m.one(3) {
		if name := pick(m.draw, "a", "b", "c", "path", "extra"); props[name] == nil {
			out[name] = m.value(s["additionalProperties"], depth+1)
		}
	}
	return out
}

// at follows a pointer.
func at(v any, pointer string) any {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			return v
		}
		step = strings.NewReplacer("~1", "/", "~0", "~", "%25", "%").Replace(step)
		switch in := v.(type) {
		case object:
			v = in[step]
		case []any:
			i, _ := strconv.Atoi(step)
			v = in[i]
		}
	}
	return v
}
