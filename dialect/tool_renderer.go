package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// definition is a tool as one line of JSON.
func definition(t *Tool) []byte {
	b := append([]byte(`{"type":"function","function":{"name":`), jsonx.AppendQuote(nil, t.Name)...)
	if t.Description != "" {
		b = append(b, `,"description":`...)
		b = jsonx.AppendQuote(b, t.Description)
	}
	b = append(b, `,"parameters":`...)
	if len(t.Schema) == 0 {
		b = append(b, `{"type":"object","properties":{}}`...)
	} else {
		b = jsonx.Compact(b, t.Schema)
	}
	return append(b, "}}"...)
}

// jsonLines writes one definition a line between two marks.
func jsonLines(open, shut string) toolRenderer {
	return func(b *strings.Builder, tools []Tool) {
		b.WriteString(open + "\n")
		for i := range tools {
			b.Write(definition(&tools[i]))
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
			b.Write(definition(&tools[i]))
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
		if json.Indent(&out, definition(&tools[i]), "", "    ") != nil {
			out.Write(definition(&tools[i]))
		}
		b.Write(out.Bytes())
	}
}

// jsonTagged writes each definition in a tag of its own.
func jsonTagged(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		fmt.Fprintf(b, "<tool>%s</tool>\n", definition(&tools[i]))
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
		fmt.Fprintf(b, "### %s\nDescription: %s\n\nParameters: %s", t.Name, t.Description, t.schema())
	}
}

func (t *Tool) schema() []byte {
	if len(t.Schema) == 0 {
		return []byte(`{"type":"object","properties":{}}`)
	}
	return jsonx.Compact(nil, t.Schema)
}

// property is the schema of one parameter, or nil.
func (t *Tool) property(name string) []byte {
	if len(t.Schema) == 0 {
		return nil
	}
	all, _ := jsonx.Find(t.Schema, "properties")
	if jsonx.KindOf(all) != jsonx.Object {
		return nil
	}
	p, _ := jsonx.Find(all, name)
	return p
}

func describe(schema []byte) string {
	if jsonx.KindOf(schema) != jsonx.Object {
		return ""
	}
	d, _ := jsonx.Find(schema, "description")
	s, _ := jsonx.String(d)
	return s
}

// elementTools writes the definitions as elements; what an element cannot say of a parameter follows as its schema.
func elementTools(b *strings.Builder, tools []Tool) {
	b.WriteString("<tools>\n")
	for i := range tools {
		t := &tools[i]
		fmt.Fprintf(b, "<function>\n<name>%s</name>\n<description>%s</description>\n<parameters>\n", t.Name, t.Description)
		for k := range t.Params {
			p := &t.Params[k]
			schema := t.property(p.Name)
			fmt.Fprintf(b, "<parameter>\n<name>%s</name>\n<type>%s</type>\n", p.Name, cmp.Or(strings.Join(p.Types, "|"), "any"))
			if d := describe(schema); d != "" {
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
		comment(b, t.Description)
		if len(t.Params) == 0 {
			fmt.Fprintf(b, "type %s = () => any;\n\n", t.Name)
			continue
		}
		fmt.Fprintf(b, "type %s = (_: {\n", t.Name)
		for k := range t.Params {
			p := &t.Params[k]
			schema := t.property(p.Name)
			comment(b, describe(schema))
			mark := "?"
			if p.Required {
				mark = ""
			}
			fmt.Fprintf(b, "%s%s: %s,\n", p.Name, mark, scriptType(p, schema))
		}
		b.WriteString("}) => any;\n\n")
	}
	b.WriteString("} // namespace functions")
}

func comment(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("// " + strings.TrimRight(line, "\r\n") + "\n")
	}
}

// scriptType is the type of a parameter in TypeScript, its schema in a comment where the type alone loses some of it.
func scriptType(p *Param, schema []byte) string {
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
	for _, t := range p.Types {
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

// declarations writes each definition as the word declaration, the name and a literal with delimiters around strings.
func declarations(open, shut, quote string) toolRenderer {
	return func(b *strings.Builder, tools []Tool) {
		v := delimitedRenderer{quote: quote}
		for i := range tools {
			t := &tools[i]
			b.WriteString(open + "declaration:" + t.Name + "{description:" + quote + t.Description + quote + ",parameters:")
			v.value(b, t.schema())
			b.WriteString("}" + shut)
		}
	}
}
