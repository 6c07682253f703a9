// Package render writes tool calls as text: each type writes one shape of calls, whose marks are its fields.
package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/callwright/callwright/dialect/internal/result"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Renderer writes calls, and tells a model how to write them.
type Renderer interface {
	Calls(b *strings.Builder, calls []Call)
	Rules() string // sentences that the shape alone does not say
}

// A Call is one call to write. Arguments are one JSON object; empty means none.
type Call struct {
	Name, ID  string
	Arguments []byte
}

func (c *Call) arguments() []byte {
	if args := jsonx.Trim(c.Arguments); len(args) > 0 {
		return args
	}
	return []byte("{}")
}

// A JSON writes {"name", "arguments"} between two marks.
type JSON struct {
	Open, Shut string
	Name, Args string // keys; without a name the tool's name is the key of its arguments
	ID         string // key of a running number
	Join       string // between calls; empty: a line break
	Block      bool   // the marks stand around all calls together
}

// TaggedJSON writes an object with name and arguments between two marks.
func TaggedJSON(open, shut string) Renderer {
	return JSON{Open: open, Shut: shut, Name: "name", Args: "arguments"}
}

// ListedJSON writes a list of such objects between two marks.
func ListedJSON(open, shut string) Renderer {
	return JSON{Open: open, Shut: shut, Join: ", ", Name: "name", Args: "arguments", Block: true}
}

func (v JSON) Rules() string { return "" }

func (v JSON) Calls(b *strings.Builder, calls []Call) {
	if v.Block {
		b.WriteString(v.Open)
	}
	for i := range calls {
		if i > 0 {
			b.WriteString(cmp.Or(v.Join, "\n"))
		}
		if !v.Block {
			b.WriteString(v.Open)
		}
		v.object(b, i, &calls[i])
		if !v.Block {
			b.WriteString(v.Shut)
		}
	}
	if v.Block {
		b.WriteString(v.Shut)
	}
}

func (v JSON) object(b *strings.Builder, i int, c *Call) {
	if v.Name == "" {
		fmt.Fprintf(b, `{%s: %s}`, jsonx.AppendQuote(nil, c.Name), c.arguments())
		return
	}
	b.WriteByte('{')
	if v.ID != "" {
		fmt.Fprintf(b, `"%s": "%d", `, v.ID, i)
	}
	fmt.Fprintf(b, `"%s": %s, "%s": %s}`, v.Name, jsonx.AppendQuote(nil, c.Name), v.Args, c.arguments())
}

// A Head writes the name, a separator and the JSON arguments, in marks.
type Head struct {
	Open, Shut, Call, Sep, CallEnd string
	IDs                            bool
}

func (v Head) Rules() string { return "" }

func (v Head) Calls(b *strings.Builder, calls []Call) {
	b.WriteString(v.Open)
	for i := range calls {
		c := &calls[i]
		name := c.Name
		if v.IDs {
			name = result.CallID(c.Name, c.ID, i)
		}
		b.WriteString(v.Call + name + v.Sep)
		b.Write(c.arguments())
		b.WriteString(v.CallEnd)
	}
	b.WriteString(v.Shut)
}

// A Python writes Python calls with JSON literals.
type Python struct{ Open, Shut, Join string }

func (Python) Rules() string { return "Write values as Python literals." }

func (v Python) Calls(b *strings.Builder, calls []Call) {
	b.WriteString(v.Open)
	for i := range calls {
		if i > 0 {
			b.WriteString(v.Join)
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
	b.WriteString(v.Shut)
}

// An Envelope writes one object that holds all calls.
type Envelope struct{}

func (Envelope) Rules() string {
	return "Always answer with one such JSON object and nothing else. content is the text for the user; toolCalls is empty when no tool is needed; needsMoreWork is true while the task is not done."
}

func (Envelope) Calls(b *strings.Builder, calls []Call) {
	v := JSON{Open: `{"toolCalls": [`, Shut: `], "content": "", "needsMoreWork": true}`, Name: "name", Args: "arguments",
		Join: ", ", Block: true}
	v.Calls(b, calls)
}

// A Scratchpad writes one object a call.
type Scratchpad struct{}

func (Scratchpad) Rules() string {
	return `Always answer with one such JSON object and nothing else. Without a tool, write {"answer": "the text for the user", "scratchpad": "your notes"}.`
}

func (Scratchpad) Calls(b *strings.Builder, calls []Call) {
	for i := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"tool": %s, "arguments": %s, "scratchpad": ""}`, jsonx.AppendQuote(nil, calls[i].Name), calls[i].arguments())
	}
}

// A Harmony writes messages to functions.
type Harmony struct{}

func (Harmony) Rules() string { return "" }

func (Harmony) Calls(b *strings.Builder, calls []Call) {
	for i := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		fmt.Fprintf(b, "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>", calls[i].Name, calls[i].arguments())
	}
}

// A Recipient writes messages to tools, whose bodies another renderer writes.
type Recipient struct{ Body Renderer }

func (Recipient) Rules() string { return plainValues }

func (v Recipient) Calls(b *strings.Builder, calls []Call) {
	for i := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		b.WriteString(" to=" + calls[i].Name + "<|message|>")
		v.Body.Calls(b, calls[i:i+1])
		b.WriteString("<|eom|>")
	}
}
