package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/openapi"
)

// python returns Python classes for the components. Each class follows the classes that it refers to. The code needs
// Python 3.11 (https://peps.python.org/pep-0655/).
func python(all openapi.Members) string {
	var b strings.Builder
	b.WriteString("# " + header + "\nfrom __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict\n")
	for _, c := range slices.Backward(all) {
		form := "    %s: %s\n"
		begin, end := "\n\nclass "+nameOf(c.Name)+"(TypedDict):\n", ""
		// "class" is a keyword of Python and cannot be an attribute name
		if slices.ContainsFunc(c.Schema.Properties, func(m openapi.Member) bool { return m.Name == "class" }) {
			form = "    %q: %s,\n"
			begin, end = "\n\n"+nameOf(c.Name)+" = TypedDict(\""+nameOf(c.Name)+"\", {\n", "})\n"
		}
		b.WriteString(begin)
		for _, m := range c.Schema.Properties {
			of := pythonType(m.Schema)
			if !isRequired(c.Schema, m.Name) {
				of = "NotRequired[" + of + "]"
			}
			fmt.Fprintf(&b, form, m.Name, of)
		}
		b.WriteString(end)
	}
	return b.String()
}

// pythonType returns the Python type of a schema.
func pythonType(s *openapi.Schema) string {
	switch {
	case s.Ref != "":
		return nameOf(s.Ref[strings.LastIndexByte(s.Ref, '/')+1:])
	case len(s.Enum) > 0:
		return "Literal[" + strings.Join(quoteAll(s.Enum), ", ") + "]"
	}
	switch s.Type {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "array":
		return "list[" + pythonType(s.Items) + "]"
	case "object":
		if of, ok := s.Additional.(*openapi.Schema); ok {
			return "dict[str, " + pythonType(of) + "]"
		}
	}
	return "Any"
}
