package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/internal/jsonx"
)

// definitionOf is a tool as one line of JSON.
func definitionOf(t *Tool) []byte {
	b := append([]byte(`{"type":"function","function":{"name":`), jsonx.AppendQuote(nil, t.Name)...)
	if t.Description != "" {
		b = append(b, `,"description":`...)
		b = jsonx.AppendQuote(b, t.Description)
	}
	b = append(append(b, `,"parameters":`...), definition.Parameters(t.Schema)...)
	return append(b, "}}"...)
}

// jsonLines writes one definition a line between two marks.
func jsonLines(open, shut string) toolRenderer {
	return func(b *strings.Builder, tools []Tool) {
		b.WriteString(open + "\n")
		for i := range tools {
			b.Write(definitionOf(&tools[i]))
			b.WriteByte('\n')
		}
		b.WriteString(shut)
	}
}

// jsonList writes the definitions as one list between two marks.
func jsonList(open, shut string) toolRenderer {
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

// jsonIndented writes each definition on lines of its own, indented.
func jsonIndented(b *strings.Builder, tools []Tool) {
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

// jsonTagged writes each definition in a tag of its own.
func jsonTagged(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		fmt.Fprintf(b, "<tool>%s</tool>\n", definitionOf(&tools[i]))
	}
	b.WriteString("</tools>")
}

// sections writes a heading, the description and the schema of each tool.
func sections(b *strings.Builder, tools []Tool) {
	for i := range tools {
		t := &tools[i]
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(b, "### %s\nDescription: %s\n\nParameters: %s", t.Name, t.Description, definition.Parameters(t.Schema))
	}
}

// elementTools writes the definitions as elements; what an element cannot say of a parameter follows as its schema.
func elementTools(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		t := &tools[i]
		fmt.Fprintf(b, "<function>\n<name>%s</name>\n<description>%s</description>\n<parameters>\n", t.Name, t.Description)
		for k := range t.Params {
			p := &t.Params[k]
			schema := definition.Property(t.Schema, p.Name)
			fmt.Fprintf(b, "<parameter>\n<name>%s</name>\n<type>%s</type>\n", p.Name, cmp.Or(strings.Join(p.Types, "|"), "any"))
			if d := definition.Description(schema); d != "" {
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

// typescript writes the definitions as a namespace of function types.
func typescript(b *strings.Builder, tools []Tool) {
	b.WriteString("namespace functions {\n\n")
	for i := range tools {
		t := &tools[i]
		b.WriteString(definition.Comment(t.Description))
		if len(t.Params) == 0 {
			fmt.Fprintf(b, "type %s = () => any;\n\n", t.Name)
			continue
		}
		fmt.Fprintf(b, "type %s = (_: {\n", t.Name)
		for k := range t.Params {
			p := &t.Params[k]
			schema := definition.Property(t.Schema, p.Name)
			b.WriteString(definition.Comment(definition.Description(schema)))
			mark := "?"
			if p.Required {
				mark = ""
			}
			fmt.Fprintf(b, "%s%s: %s,\n", p.Name, mark, definition.TypeScript(p.Types, schema))
		}
		b.WriteString("}) => any;\n\n")
	}
	b.WriteString("} // namespace functions")
}

// declarations writes each definition as the word declaration, the name and a literal with delimiters around strings.
func declarations(open, shut, quote string) toolRenderer {
	return func(b *strings.Builder, tools []Tool) {
		for i := range tools {
			t := &tools[i]
			b.WriteString(open + "declaration:" + t.Name + "{description:" + quote + t.Description + quote + ",parameters:")
			literal.Write(b, definition.Parameters(t.Schema), quote)
			b.WriteString("}" + shut)
		}
	}
}
