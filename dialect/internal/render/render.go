// Package render writes tool calls as text. Each type is one structure of calls, with its markers as fields.
package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/callwright/callwright/dialect/internal/result"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Renderer writes calls in a text format and has instructions for the model.
type Renderer interface {
	Calls(b *strings.Builder, calls []Call)
	Rules() string // additional instructions for the prompt
}

// A Call is a call to write. Arguments is a JSON object; empty means no arguments.
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

// A JSON is a Renderer of JSON objects with name and arguments between two markers.
type JSON struct {
	Open, Shut string
	Name, Args string // keys; if Name is "", the tool name is the key of the arguments
	ID         string // key of a running number, "" for none
	Join       string // separator of calls, "" for a newline
	Block      bool   // the markers enclose all calls together
}

// TaggedJSON returns a Renderer of objects {"name", "arguments"}, each between open and shut.
func TaggedJSON(open, shut string) Renderer {
	return JSON{Open: open, Shut: shut, Name: "name", Args: "arguments"}
}

// ListedJSON returns a Renderer of an array of such objects between open and shut.
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

// A Head is a Renderer of the tool name, a separator and JSON arguments between markers.
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

// A Python is a Renderer of Python calls with JSON literals as values.
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

// An Envelope is a Renderer of one JSON object with all calls in toolCalls.
type Envelope struct{}

func (Envelope) Rules() string {
	return "Always answer with one such JSON object and nothing else. content is the text for the user; toolCalls is empty when no tool is needed; needsMoreWork is true while the task is not done."
}

func (Envelope) Calls(b *strings.Builder, calls []Call) {
	v := JSON{Open: `{"toolCalls": [`, Shut: `], "content": "", "needsMoreWork": true}`, Name: "name", Args: "arguments",
		Join: ", ", Block: true}
	v.Calls(b, calls)
}

// A Scratchpad is a Renderer of a JSON object for each call, with a scratchpad.
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

// A Harmony is a Renderer of calls as messages of the harmony format (gpt-oss).
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

// A Recipient is a Renderer of messages to tools. Body renders the contents of each message.
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
