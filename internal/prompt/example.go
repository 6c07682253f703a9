package prompt

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// maxExampleDepth bounds how deep the objects of an example are filled.
const maxExampleDepth = 3

// Arguments are example arguments for the schema of a tool: its required properties, or its first one where none is
// required, with values of their schemas. schema is valid JSON, or empty.
func Arguments(schema []byte) []byte { return object(nil, schema, 0) }

func object(dst, schema []byte, depth int) []byte {
	required := map[string]bool{}
	list, _ := jsonx.Find(schema, "required")
	for e := range elements(list) {
		if name, ok := jsonx.String(e); ok {
			required[name] = true
		}
	}
	all, _ := jsonx.Find(schema, "properties")
	dst = append(dst, '{')
	if jsonx.KindOf(all) != jsonx.Object || depth >= maxExampleDepth {
		return append(dst, '}')
	}
	first := true
	for k, p := range jsonx.Members(all) {
		name := k.String()
		if len(required) > 0 && !required[name] || len(required) == 0 && !first {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(jsonx.AppendQuote(dst, name), ": "...)
		dst = value(dst, p, depth+1)
	}
	return append(dst, '}')
}

// value appends a value of a schema: its constant, its default, the first of its listed values or of its examples, else
// one of its type.
func value(dst, schema []byte, depth int) []byte {
	if jsonx.KindOf(schema) != jsonx.Object {
		return append(dst, `"..."`...)
	}
	for _, key := range [...]string{"const", "default"} {
		if v, ok := jsonx.Find(schema, key); ok && jsonx.KindOf(v) != jsonx.Null {
			return jsonx.Compact(dst, v)
		}
	}
	for _, key := range [...]string{"enum", "examples"} {
		list, _ := jsonx.Find(schema, key)
		for v := range elements(list) {
			return jsonx.Compact(dst, v)
		}
	}
	kind, _ := jsonx.Find(schema, "type")
	for v := range elements(kind) { // of several types the first counts
		kind = v
		break
	}
	switch name, _ := jsonx.String(kind); name {
	case "integer", "number":
		return append(dst, '1')
	case "boolean":
		return append(dst, "true"...)
	case "array":
		return append(dst, "[]"...)
	case "object":
		return object(dst, schema, depth)
	}
	return append(dst, `"..."`...)
}

// elements are those of a list, none of any other value.
func elements(list []byte) func(yield func([]byte) bool) {
	if jsonx.KindOf(list) != jsonx.Array {
		return func(func([]byte) bool) {}
	}
	return jsonx.Elements(list)
}
