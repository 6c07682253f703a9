package dialect

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/callwright/callwright/dialect/internal/result"
	"github.com/callwright/callwright/internal/jsonx"
)

// A jsonRenderer writes {"name", "arguments"} between two marks.
type jsonRenderer struct {
	open, shut string
	name, args string // keys; without a name the tool's name is the key of its arguments
	id         string // key of a running number
	join       string // between calls; empty: a line break
	block      bool   // the marks stand around all calls together
}

func (v jsonRenderer) rules() string { return "" }

func (v jsonRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	if v.block {
		b.WriteString(v.open)
	}
	for i := range calls {
		if i > 0 {
			b.WriteString(cmp.Or(v.join, "\n"))
		}
		if !v.block {
			b.WriteString(v.open)
		}
		v.object(b, i, &calls[i])
		if !v.block {
			b.WriteString(v.shut)
		}
	}
	if v.block {
		b.WriteString(v.shut)
	}
}

func (v jsonRenderer) object(b *strings.Builder, i int, c *RenderedCall) {
	if v.name == "" {
		fmt.Fprintf(b, `{%s: %s}`, jsonx.AppendQuote(nil, c.Name), c.arguments())
		return
	}
	b.WriteByte('{')
	if v.id != "" {
		fmt.Fprintf(b, `"%s": "%d", `, v.id, i)
	}
	fmt.Fprintf(b, `"%s": %s, "%s": %s}`, v.name, jsonx.AppendQuote(nil, c.Name), v.args, c.arguments())
}

// A headRenderer writes the name, a separator and the JSON arguments, in marks.
type headRenderer struct {
	open, shut, call, sep, callEnd string
	ids                            bool
}

func (v headRenderer) rules() string { return "" }

func (v headRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(v.open)
	for i := range calls {
		c := &calls[i]
		name := c.Name
		if v.ids {
			name = result.CallID(c.Name, c.ID, i)
		}
		b.WriteString(v.call + name + v.sep)
		b.Write(c.arguments())
		b.WriteString(v.callEnd)
	}
	b.WriteString(v.shut)
}

// A pythonRenderer writes Python calls with JSON literals.
type pythonRenderer struct{ open, shut, join string }

func (pythonRenderer) rules() string { return "Write values as Python literals." }

func (v pythonRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(v.open)
	for i := range calls {
		if i > 0 {
			b.WriteString(v.join)
		}
		b.WriteString(calls[i].Name + "(")
		n := 0
		for k, val := range jsonx.Members(calls[i].arguments()) {
			if n > 0 {
				b.WriteString(", ")
			}
			n++
			b.WriteString(k.String() + "=")
			b.Write(jsonx.Trim(val))
		}
		b.WriteByte(')')
	}
	b.WriteString(v.shut)
}

// An envelopeRenderer writes one object that holds all calls.
type envelopeRenderer struct{}

func (envelopeRenderer) rules() string {
	return "Always answer with one such JSON object and nothing else. content is the text for the user; toolCalls is empty when no tool is needed; needsMoreWork is true while the task is not done."
}

func (envelopeRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	v := jsonRenderer{open: `{"toolCalls": [`, shut: `], "content": "", "needsMoreWork": true}`, name: "name", args: "arguments", join: ", ", block: true}
	v.calls(b, calls)
}

// A scratchpadRenderer writes one object a call.
type scratchpadRenderer struct{}

func (scratchpadRenderer) rules() string {
	return `Always answer with one such JSON object and nothing else. Without a tool, write {"answer": "the text for the user", "scratchpad": "your notes"}.`
}

func (scratchpadRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"tool": %s, "arguments": %s, "scratchpad": ""}`, jsonx.AppendQuote(nil, calls[i].Name), calls[i].arguments())
	}
}

// A harmonyRenderer writes messages to functions.
type harmonyRenderer struct{}

func (harmonyRenderer) rules() string { return "" }

func (harmonyRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		fmt.Fprintf(b, "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>", calls[i].Name, calls[i].arguments())
	}
}

// A recipientRenderer writes messages to tools, whose bodies another renderer writes.
type recipientRenderer struct{ body renderer }

func (recipientRenderer) rules() string { return plainValues }

func (v recipientRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		b.WriteString(" to=" + calls[i].Name + "<|message|>")
		v.body.calls(b, calls[i:i+1])
		b.WriteString("<|eom|>")
	}
}
