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

// A Tool is a tool as a prompt describes it. Schema is the JSON Schema of its arguments, nil for any object; Params are
// the properties of that schema.
type Tool struct {
	Name        string
	Description string
	Schema      []byte
	Params      []Param
}

// A Param is one parameter of a tool. Types are names of JSON types, none for any.
type Param struct {
	Name     string
	Types    []string
	Required bool
}

// A Writer writes the definitions of tools the way a model family is used to.
type Writer func(b *strings.Builder, tools []Tool)

// definitionOf is a tool as one line of JSON.
func definitionOf(t *Tool) []byte {
	b := append([]byte(`{"type":"function","function":{"name":`), jsonx.AppendQuote(nil, t.Name)...)
	if t.Description != "" {
		b = append(b, `,"description":`...)
		b = jsonx.AppendQuote(b, t.Description)
	}
	b = append(append(b, `,"parameters":`...), Parameters(t.Schema)...)
	return append(b, "}}"...)
}

// Lines writes one definition a line between two marks.
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

// List writes the definitions as one list between two marks.
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

// WriteIndented writes each definition on lines of its own, indented.
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

// WriteTagged writes each definition in a tag of its own.
func WriteTagged(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		fmt.Fprintf(b, "<tool>%s</tool>\n", definitionOf(&tools[i]))
	}
	b.WriteString("</tools>")
}

// Sections writes a heading, the description and the schema of each tool.
func Sections(b *strings.Builder, tools []Tool) {
	for i := range tools {
		t := &tools[i]
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(b, "### %s\nDescription: %s\n\nParameters: %s", t.Name, t.Description, Parameters(t.Schema))
	}
}

// Elements writes the definitions as elements. Where an element cannot hold all keywords of a parameter, the schema of
// the parameter follows.
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

// Namespace writes the definitions as a namespace of function types.
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

// Declarations writes each definition as the word declaration, the name and a literal with delimiters around strings.
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

// Signatures writes one line a tool: its name, its parameters with their types, and its description.
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
