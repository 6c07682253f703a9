package prompt

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// maxExampleDepth is the maximum depth of nested objects in example arguments. Deeper objects are empty.
const maxExampleDepth = 3

// Arguments returns example arguments for a tool: a JSON object with the required properties of its JSON Schema, or
// with the first property if none is required. schema is valid JSON or empty.
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

// value appends an example value for a JSON Schema: "const", "default", the first of "enum" or "examples", or otherwise
// a value of its "type".
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
	for v := range elements(kind) { // only the first of several types is used
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

// elements iterates over the elements of a JSON array. For any other value it yields nothing.
func elements(list []byte) func(yield func([]byte) bool) {
	if jsonx.KindOf(list) != jsonx.Array {
		return func(func([]byte) bool) {}
	}
	return jsonx.Elements(list)
}
