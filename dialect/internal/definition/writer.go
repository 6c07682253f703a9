package definition

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Tool is a tool to describe in a prompt. Schema is the JSON Schema of its arguments, nil for any object. Params are
// the properties of the schema.
type Tool struct {
	Name        string
	Description string
	Schema      []byte
	Params      []Param
}

// A Param is a parameter of a tool. Types are JSON type names, empty for any.
type Param struct {
	Name     string
	Types    []string
	Required bool
}

// A Writer appends tool definitions to b in the format of a model family.
type Writer func(b *strings.Builder, tools []Tool)

// definitionOf returns a tool in OpenAI's format as one line of JSON.
func definitionOf(t *Tool) []byte {
	b := append([]byte(`{"type":"function","function":{"name":`), jsonx.AppendQuote(nil, t.Name)...)
	if t.Description != "" {
		b = append(b, `,"description":`...)
		b = jsonx.AppendQuote(b, t.Description)
	}
	b = append(append(b, `,"parameters":`...), Parameters(t.Schema)...)
	return append(b, "}}"...)
}

// Lines returns a Writer of one JSON definition for each line, between open and shut.
func Lines(open, shut string) Writer {
	return func(b *strings.Builder, tools []Tool) {
		b.WriteString(open + "\n")
		for i := range tools {
			b.Write(definitionOf(&tools[i]))
			b.WriteByte('\n')
		}
		b.WriteString(shut)
	}
}

// List returns a Writer of a JSON array of definitions, between open and shut.
func List(open, shut string) Writer {
	return func(b *strings.Builder, tools []Tool) {
		b.WriteString(open + "[")
		for i := range tools {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(definitionOf(&tools[i]))
		}
		b.WriteString("]" + shut)
	}
}

// WriteIndented writes each definition as indented JSON.
func WriteIndented(b *strings.Builder, tools []Tool) {
	for i := range tools {
		if i > 0 {
			b.WriteString("\n\n")
		}
		var out bytes.Buffer
		if json.Indent(&out, definitionOf(&tools[i]), "", "    ") != nil {
			out.Write(definitionOf(&tools[i]))
		}
		b.Write(out.Bytes())
	}
}

// WriteTagged writes each definition as JSON in a <tool> tag.
func WriteTagged(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		fmt.Fprintf(b, "<tool>%s</tool>\n", definitionOf(&tools[i]))
	}
	b.WriteString("</tools>")
}

// Sections writes a Markdown heading, the description and the schema for each tool.
func Sections(b *strings.Builder, tools []Tool) {
	for i := range tools {
		t := &tools[i]
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(b, "### %s\nDescription: %s\n\nParameters: %s", t.Name, t.Description, Parameters(t.Schema))
	}
}

// Elements writes the definitions as XML elements. If an element does not express all keywords of a parameter, its
// schema follows.
func Elements(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		t := &tools[i]
		fmt.Fprintf(b, "<function>\n<name>%s</name>\n<description>%s</description>\n<parameters>\n", t.Name, t.Description)
		for k := range t.Params {
			p := &t.Params[k]
			schema := Property(t.Schema, p.Name)
			fmt.Fprintf(b, "<parameter>\n<name>%s</name>\n<type>%s</type>\n", p.Name, cmp.Or(strings.Join(p.Types, "|"), "any"))
			if d := Description(schema); d != "" {
				fmt.Fprintf(b, "<description>%s</description>\n", d)
			}
			if schema != nil {
				fmt.Fprintf(b, "<schema>%s</schema>\n", jsonx.Compact(nil, schema))
			}
			b.WriteString("</parameter>\n")
		}
		var required []string
		for k := range t.Params {
			if t.Params[k].Required {
				required = append(required, t.Params[k].Name)
			}
		}
		fmt.Fprintf(b, "<required>%s</required>\n</parameters>\n</function>\n", strings.Join(required, ", "))
	}
	b.WriteString("</tools>")
}

// Namespace writes the definitions as a TypeScript namespace of function types, as in the harmony format.
func Namespace(b *strings.Builder, tools []Tool) {
	b.WriteString("namespace functions {\n\n")
	for i := range tools {
		t := &tools[i]
		b.WriteString(Comment(t.Description))
		if len(t.Params) == 0 {
			fmt.Fprintf(b, "type %s = () => any;\n\n", t.Name)
			continue
		}
		fmt.Fprintf(b, "type %s = (_: {\n", t.Name)
		for k := range t.Params {
			p := &t.Params[k]
			schema := Property(t.Schema, p.Name)
			b.WriteString(Comment(Description(schema)))
			mark := "?"
			if p.Required {
				mark = ""
			}
			fmt.Fprintf(b, "%s%s: %s,\n", p.Name, mark, TypeScript(p.Types, schema))
		}
		b.WriteString("}) => any;\n\n")
	}
	b.WriteString("} // namespace functions")
}

// Declarations returns a Writer for Gemma's format: "declaration:NAME{...}" between open and shut, with quote around
// strings.
func Declarations(open, shut, quote string) Writer {
	return func(b *strings.Builder, tools []Tool) {
		for i := range tools {
			t := &tools[i]
			b.WriteString(open + "declaration:" + t.Name + "{description:" + quote + t.Description + quote + ",parameters:")
			literal.Write(b, Parameters(t.Schema), quote)
			b.WriteString("}" + shut)
		}
	}
}

// Signatures writes one line for each tool: its name, its parameters with types, and its description.
func Signatures(b *strings.Builder, tools []Tool) {
	for i := range tools {
		t := &tools[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + t.Name + "(")
		for k := range t.Params {
			p := &t.Params[k]
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.Name)
			if !p.Required {
				b.WriteByte('?')
			}
			b.WriteString(": " + TypeScript(p.Types, Property(t.Schema, p.Name)))
		}
		b.WriteByte(')')
		if t.Description != "" {
			b.WriteString(": " + strings.ReplaceAll(t.Description, "\n", "\n    "))
		}
	}
}
