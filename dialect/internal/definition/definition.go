// Package definition renders tool definitions for prompts: names, descriptions and JSON Schemas.
package definition

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Parameters returns a tool's parameters schema as compact JSON, that of an empty object if schema is empty.
func Parameters(schema []byte) []byte {
	if len(schema) == 0 {
		return []byte(`{"type":"object","properties":{}}`)
	}
	return jsonx.Compact(nil, schema)
}

// Property returns the schema of the named parameter, nil if there is none.
func Property(schema []byte, name string) []byte {
	if len(schema) == 0 {
		return nil
	}
	all, _ := jsonx.Find(schema, "properties")
	if jsonx.KindOf(all) != jsonx.Object {
		return nil
	}
	p, _ := jsonx.Find(all, name)
	return p
}

// Description returns the description in a parameter's schema, "" if there is none.
func Description(schema []byte) string {
	if jsonx.KindOf(schema) != jsonx.Object {
		return ""
	}
	d, _ := jsonx.Find(schema, "description")
	s, _ := jsonx.String(d)
	return s
}

// TypeScript returns a parameter's type in TypeScript. If the type does not express the whole schema, the schema
// follows as a comment. types are the JSON types, empty for any.
func TypeScript(types []string, schema []byte) string {
	if list, ok := jsonx.Find(schema, "enum"); jsonx.KindOf(schema) == jsonx.Object && ok {
		var values []string
		for e := range jsonx.Elements(list) {
			values = append(values, string(jsonx.Trim(e)))
		}
		if len(values) > 0 {
			return strings.Join(values, " | ")
		}
	}
	var names []string
	full := false
	for _, t := range types {
		switch t {
		case "integer":
			t = "number"
		case "array":
			t, full = "any[]", true
		case "object":
			full = true
		}
		if !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	s := cmp.Or(strings.Join(names, " | "), "any")
	if (full || len(names) == 0) && schema != nil {
		s += " /* " + strings.ReplaceAll(string(jsonx.Compact(nil, schema)), "*/", "* /") + " */"
	}
	return s
}

// Comment returns text as TypeScript comment lines.
func Comment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("// " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}
