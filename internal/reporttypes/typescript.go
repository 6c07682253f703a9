package main

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/openapi"
)

// typescript returns TypeScript interfaces for the components.
func typescript(all openapi.Members) string {
	var b strings.Builder
	b.WriteString("// " + header + "\n")
	for _, c := range all {
		b.WriteString("\nexport interface " + nameOf(c.Name) + " {\n")
		for _, m := range c.Schema.Properties {
			optional := "?"
			if isRequired(c.Schema, m.Name) {
				optional = ""
			}
			b.WriteString("  " + m.Name + optional + ": " + typescriptType(m.Schema) + ";\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// typescriptType returns the TypeScript type of a schema.
func typescriptType(s *openapi.Schema) string {
	switch {
	case s.Ref != "":
		return nameOf(s.Ref[strings.LastIndexByte(s.Ref, '/')+1:])
	case len(s.Enum) > 0:
		return strings.Join(quoteAll(s.Enum), " | ")
	}
	switch s.Type {
	case "string":
		return "string"
	case "integer", "number":
		return "number"
	case "boolean":
		return "boolean"
	case "array":
		inner := typescriptType(s.Items)
		if strings.Contains(inner, " ") {
			inner = "(" + inner + ")"
		}
		return inner + "[]"
	case "object":
		if of, ok := s.Additional.(*openapi.Schema); ok {
			return "Record<string, " + typescriptType(of) + ">"
		}
	}
	return "unknown"
}

func quoteAll(list []string) (out []string) {
	for _, text := range list {
		out = append(out, strconv.Quote(text))
	}
	return out
}
