package describe

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// A writer renders tools and calls according to the description.
type writer struct {
	layout *layout
	style  SchemaStyle
	quirks []string
}

var _ dialect.Writer = (*writer)(nil)

// WriteCalls appends the calls, separated by newlines.
func (w *writer) WriteCalls(b *strings.Builder, calls []dialect.RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		args := bytes.TrimSpace(calls[i].Arguments)
		if len(args) == 0 {
			args = []byte("{}")
		}
		w.layout.write(b, calls[i].Name, args)
	}
}

// Rules returns the additional instructions for the model.
func (w *writer) Rules() string {
	var rules []string
	if p := w.layout.parser; p == Tags || p == Pairs {
		rules = append(rules, "Write strings as they are, without quotes or escapes; write other values as JSON.")
	}
	for _, q := range w.quirks {
		if q != SingleCall {
			rules = append(rules, q)
		}
	}
	return strings.Join(rules, "\n")
}

// Several reports whether a response may have several calls.
func (w *writer) Several() bool { return !slices.Contains(w.quirks, SingleCall) }

// WriteTools appends the tool definitions, as one line of JSON each or in words.
func (w *writer) WriteTools(b *strings.Builder, tools []dialect.Tool) {
	if w.style == InWords {
		inWords(b, tools)
		return
	}
	b.WriteString("<tools>\n")
	for i := range tools {
		t := &tools[i]
		before, key, after := `{"type":"function","function":{"name":`, `,"parameters":`, "}}"
		if w.style == Anthropic {
			before, key, after = `{"name":`, `,"input_schema":`, "}"
		}
		line := jsonx.AppendQuote([]byte(before), t.Name)
		if t.Description != "" {
			line = jsonx.AppendQuote(append(line, `,"description":`...), t.Description)
		}
		b.Write(append(append(append(line, key...), schemaOf(t)...), after...))
		b.WriteByte('\n')
	}
	b.WriteString("</tools>")
}

func schemaOf(t *dialect.Tool) []byte {
	if len(t.Schema) == 0 {
		return []byte(`{"type":"object","properties":{}}`)
	}
	return jsonx.Compact(nil, t.Schema)
}

// inWords appends a line for each tool and each parameter. Schema keywords that words do not express follow as JSON.
func inWords(b *strings.Builder, tools []dialect.Tool) {
	for i := range tools {
		t := &tools[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimSpace(t.Name + ": " + cmp.Or(oneLine(t.Description), "no description")))
		for k := range t.Params {
			p := &t.Params[k]
			b.WriteString("\n- " + p.Name + " (" + cmp.Or(strings.Join(p.Types, " or "), "any"))
			if p.Required {
				b.WriteString(", required")
			}
			b.WriteByte(')')
			b.WriteString(about(t.Schema, p.Name))
		}
		if len(t.Params) == 0 && len(t.Schema) > 0 {
			b.WriteString("\n- " + string(schemaOf(t)))
		}
	}
}

// about returns the description of a parameter and its further schema keywords.
func about(schema []byte, name string) string {
	p, ok := jsonx.Lookup(schema, "properties", name)
	if !ok || jsonx.KindOf(p) != jsonx.Object {
		return ""
	}
	said, more := "", false
	for k, v := range jsonx.Members(p) {
		switch key := k.String(); {
		case key == "description":
			text, _ := jsonx.String(v)
			said = ": " + oneLine(text)
		case !slices.Contains([]string{"type", "title"}, key) || jsonx.KindOf(v) == jsonx.Array:
			more = true
		}
	}
	if more {
		said += " " + string(jsonx.Compact(nil, p))
	}
	return said
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
