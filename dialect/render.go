package dialect

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// RenderOptions say what the model may and must call.
type RenderOptions struct {
	Choice   Choice
	Tool     string // of OneTool
	Parallel Parallel
}

// A Choice says whether a call must be made.
type Choice uint8

// Choices.
const (
	AnyOrNone Choice = iota // the model decides
	AnyTool                 // at least one call
	OneTool                 // a call of RenderOptions.Tool
)

// Parallel says whether several calls may be made in one answer.
type Parallel uint8

// Whether several calls may be made at once.
const (
	Several Parallel = iota
	Single
)

// A RenderedCall is one call of a past turn. Arguments are one JSON object; empty means none.
type RenderedCall struct {
	Name, ID  string
	Arguments []byte
}

// A RenderedResult is the outcome of one call.
type RenderedResult struct {
	Name, ID string
	Text     string
	IsError  bool
}

// A voice writes calls, and tells a model how to.
type voice interface {
	calls(b *strings.Builder, calls []RenderedCall)
	rules() string // sentences that the shape alone does not say
}

// RenderTools returns the part of a system text that defines the tools and teaches how to call them.
func (f Format) RenderTools(tools []Tool, o RenderOptions) string {
	if f.voice == nil || len(tools) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# Tools\n\nYou can call these tools:\n<tools>\n")
	for i := range tools {
		b.Write(definition(&tools[i]))
		b.WriteByte('\n')
	}
	b.WriteString("</tools>\n\nTo call a tool, write exactly this and nothing after it:\n")
	f.voice.calls(&b, []RenderedCall{{Name: "TOOL_NAME", ID: "functions.TOOL_NAME:0", Arguments: []byte(`{"PARAMETER": "value"}`)}})
	b.WriteByte('\n')
	if rules := f.voice.rules(); rules != "" {
		b.WriteString(rules + "\n")
	}
	b.WriteString(f.sentences(o))
	return b.String()
}

// sentences say what must and what may be called.
func (f Format) sentences(o RenderOptions) string {
	var s string
	switch {
	case o.Choice == AnyTool:
		s = "You must call a tool.\n"
	case o.Choice == OneTool:
		s = "You must call the tool " + o.Tool + ".\n"
	case !f.whole:
		s = "If no tool is needed, answer in plain text.\n"
	}
	if o.Parallel == Single || !f.several() {
		return s + "Make at most one call in an answer.\n"
	}
	return s + "Several calls may be made in one answer, one after the other.\n"
}

// several reports whether an answer in the format can hold several calls.
func (f Format) several() bool {
	_, one := f.voice.(scratchpadVoice)
	return !one
}

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

// RenderCalls writes calls as the text of the assistant's turn that made them.
func (f Format) RenderCalls(calls []RenderedCall) string {
	if f.voice == nil || len(calls) == 0 {
		return ""
	}
	var b strings.Builder
	f.voice.calls(&b, calls)
	return b.String()
}

// RenderResults writes results as the text of the turn that follows the calls.
func (f Format) RenderResults(results []RenderedResult) string {
	if f.results == nil || len(results) == 0 {
		return ""
	}
	var b strings.Builder
	f.results(&b, results)
	return b.String()
}

func (c *RenderedCall) arguments() []byte {
	if len(jsonx.Trim(c.Arguments)) == 0 {
		return []byte("{}")
	}
	return jsonx.Trim(c.Arguments)
}

// A jsonVoice writes {"name", "arguments"} between two marks.
type jsonVoice struct {
	open, shut string
	name, args string
	join       string // between calls; empty: a line break
	block      bool   // the marks stand around all calls together
}

func (v jsonVoice) rules() string { return "" }

func (v jsonVoice) calls(b *strings.Builder, calls []RenderedCall) {
	if v.block {
		b.WriteString(v.open)
	}
	for i := range calls {
		if i > 0 {
			b.WriteString(first(v.join, "\n"))
		}
		if !v.block {
			b.WriteString(v.open)
		}
		writeObject(b, v.name, v.args, &calls[i])
		if !v.block {
			b.WriteString(v.shut)
		}
	}
	if v.block {
		b.WriteString(v.shut)
	}
}

func writeObject(b *strings.Builder, name, args string, c *RenderedCall) {
	fmt.Fprintf(b, `{"%s": %s, "%s": %s}`, name, jsonx.AppendQuote(nil, c.Name), args, c.arguments())
}

// A headVoice writes the name, a separator and the JSON arguments, in marks.
type headVoice struct {
	open, shut, call, sep, callEnd string
	ids                            bool
}

func (v headVoice) rules() string { return "" }

func (v headVoice) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(v.open)
	for i := range calls {
		c := &calls[i]
		name := c.Name
		if v.ids {
			name = headID(c, i)
		}
		b.WriteString(v.call + name + v.sep)
		b.Write(c.arguments())
		b.WriteString(v.callEnd)
	}
	b.WriteString(v.shut)
}

// headID is the id under which a call is written: its own when it has the format's form.
func headID(c *RenderedCall, i int) string {
	if strings.HasPrefix(c.ID, "functions."+c.Name+":") {
		return c.ID
	}
	return fmt.Sprintf("functions.%s:%d", c.Name, i)
}

// A tagVoice writes one tag a call and one tag an argument.
type tagVoice struct {
	open, shut, call, callEnd, value, valueEnd string
	lines                                      bool // values stand on lines of their own
	each                                       bool // open and shut stand around each call
}

func (v tagVoice) rules() string {
	return "Write strings as they are, without quotes or escapes; write other values as JSON."
}

func (v tagVoice) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		c := &calls[i]
		switch {
		case i == 0 || v.each:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(v.open)
		default:
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, v.call+"\n", c.Name)
		for k, val := range jsonx.Members(c.arguments()) {
			fmt.Fprintf(b, v.value, k.String())
			text := rawText(val)
			if v.lines {
				text = "\n" + text + "\n"
			}
			b.WriteString(text + v.valueEnd + "\n")
		}
		b.WriteString(v.callEnd)
		if v.each || i == len(calls)-1 {
			b.WriteString(v.shut)
		}
	}
}

// rawText is a JSON value as raw text: a string's own text, other values as JSON.
func rawText(v []byte) string {
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text {
		return s
	}
	return string(jsonx.Trim(v))
}

// A pairVoice writes the name and pairs of keys and values.
type pairVoice struct{}

func (pairVoice) rules() string {
	return "Write strings as they are, without quotes or escapes; write other values as JSON."
}

func (pairVoice) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("<tool_call>" + calls[i].Name + "\n")
		for k, val := range jsonx.Members(calls[i].arguments()) {
			fmt.Fprintf(b, "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", k.String(), rawText(val))
		}
		b.WriteString("</tool_call>")
	}
}

// A pythonVoice writes a list of Python calls with JSON literals.
type pythonVoice struct{}

func (pythonVoice) rules() string { return "Write values as Python literals." }

func (pythonVoice) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteByte('[')
	for i := range calls {
		if i > 0 {
			b.WriteString(", ")
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
	b.WriteByte(']')
}

// An envelopeVoice writes one object that holds all calls.
type envelopeVoice struct{}

func (envelopeVoice) rules() string {
	return "Always answer with one such JSON object and nothing else. content is the text for the user; toolCalls is empty when no tool is needed; needsMoreWork is true while the task is not done."
}

func (envelopeVoice) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(`{"toolCalls": [`)
	for i := range calls {
		if i > 0 {
			b.WriteString(", ")
		}
		writeObject(b, "name", "arguments", &calls[i])
	}
	b.WriteString(`], "content": "", "needsMoreWork": true}`)
}

// A scratchpadVoice writes one object a call.
type scratchpadVoice struct{}

func (scratchpadVoice) rules() string {
	return `Always answer with one such JSON object and nothing else. Without a tool, write {"answer": "the text for the user", "scratchpad": "your notes"}.`
}

func (scratchpadVoice) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"tool": %s, "arguments": %s, "scratchpad": ""}`, jsonx.AppendQuote(nil, calls[i].Name), calls[i].arguments())
	}
}

// A harmonyVoice writes messages to functions.
type harmonyVoice struct{}

func (harmonyVoice) rules() string { return "" }

func (harmonyVoice) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		fmt.Fprintf(b, "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>", calls[i].Name, calls[i].arguments())
	}
}
