package gemini

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxNesting is the maximum depth to which a schema is translated.
const maxNesting = 64

// jsonSchema translates an OpenAPI schema to JSON Schema: types become lower case, nullable becomes the type null, and
// limits such as minItems become numbers. changed is false if it returns v itself.
func jsonSchema(v []byte) (out []byte, changed bool) { return translateSchema(v, 0) }

func translateSchema(v []byte, depth int) ([]byte, bool) {
	if depth > maxNesting || !jsonx.IsObject(v) {
		return v, false
	}
	list, _ := jsonx.ParseObject(v)
	changed := false
	for i := range list {
		m := &list[i]
		now, c := keyword(m.Key, m.Value, depth)
		m.Value, changed = now, changed || c
	}
	if unspecified, _ := list.Get("type"); string(unspecified) == `"type_unspecified"` {
		list.Delete("type")
	}
	if nullable, ok := list.Get("nullable"); ok && jsonx.KindOf(nullable) == jsonx.Bool {
		list.Delete("nullable")
		changed = true
		if jsonx.IsTrue(nullable) {
			allowNull(&list)
		}
	}
	if !changed {
		return v, false
	}
	return list.Append(nil), true
}

// counts are the keywords whose numbers this API writes as strings, as it does with all 64-bit integers.
var counts = []string{"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"}

// keyword translates the value v of a keyword. It returns v itself and false if nothing changes.
func keyword(key string, v []byte, depth int) ([]byte, bool) {
	switch key {
	case "type":
		if word := jsonx.TextOf(v); word != strings.ToLower(word) {
			return jsonx.AppendQuote(nil, strings.ToLower(word)), true
		}
	case "items", "additionalProperties":
		return translateSchema(v, depth+1)
	case "properties", "$defs":
		return eachMember(v, depth)
	case "anyOf", "prefixItems":
		return eachElement(v, depth)
	}
	if slices.Contains(counts, key) {
		if n := jsonx.TextBytes(v); jsonx.KindOf(n) == jsonx.Number && jsonx.Valid(n) == nil {
			return n, true
		}
	}
	return v, false
}

// eachMember translates all members of an object of schemas. It returns v itself and false if nothing changes.
func eachMember(v []byte, depth int) ([]byte, bool) {
	list, err := jsonx.ParseObject(v)
	if err != nil {
		return v, false
	}
	changed := false
	for i := range list {
		now, c := translateSchema(list[i].Value, depth+1)
		list[i].Value, changed = now, changed || c
	}
	if !changed {
		return v, false
	}
	return list.Append(nil), true
}

// eachElement translates all elements of a list of schemas. It returns v itself and false if nothing changes.
func eachElement(v []byte, depth int) ([]byte, bool) {
	if !jsonx.IsArray(v) {
		return v, false
	}
	out, changed := []byte{'['}, false
	for e := range jsonx.Elements(v) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		now, c := translateSchema(e, depth+1)
		out, changed = append(out, now...), changed || c
	}
	if !changed {
		return v, false
	}
	return append(out, ']'), true
}

// allowNull makes a schema accept null: it adds null to type, to enum, or to anyOf.
func allowNull(list *jsonx.List) {
	if enum, ok := list.Get("enum"); ok && jsonx.IsArray(enum) {
		list.Set("enum", appendElement(enum, "null"))
	}
	kind, ok := list.Get("type")
	switch {
	case ok && jsonx.IsText(kind):
		list.Set("type", slices.Concat([]byte{'['}, kind, []byte(`,"null"]`)))
	case !ok:
		if any, has := list.Get("anyOf"); has && jsonx.IsArray(any) {
			list.Set("anyOf", appendElement(any, `{"type":"null"}`))
		}
	}
}

// appendElement returns the JSON list with one more element.
func appendElement(list []byte, element string) []byte {
	head := bytes.TrimRight(list[:len(list)-1], " \t\r\n")
	out := slices.Clone(head)
	if len(out) > 1 {
		out = append(out, ',')
	}
	return append(append(out, element...), ']')
}
