// Package definition writes the definitions of tools in prompts: names, descriptions, and JSON Schemas of the
// arguments.
package definition

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Parameters is the schema of a tool's arguments on one line; that of no arguments where the tool has none.
func Parameters(schema []byte) []byte {
	if len(schema) == 0 {
		return []byte(`{"type":"object","properties":{}}`)
	}
	return jsonx.Compact(nil, schema)
}

// Property is the schema of one parameter, or nil.
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

// Description is the description in the schema of a parameter, or "".
func Description(schema []byte) string {
	if jsonx.KindOf(schema) != jsonx.Object {
		return ""
	}
	d, _ := jsonx.Find(schema, "description")
	s, _ := jsonx.String(d)
	return s
}

// TypeScript is the type of a parameter in TypeScript, its schema in a comment where the type alone loses some of it.
// types are the JSON types that the parameter takes, none for any.
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

// Comment is a text as comments of TypeScript, a line each.
func Comment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("// " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}
