package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
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

// RenderTools returns the part of a system text that defines the tools and teaches how to call them.
func (f Format) RenderTools(tools []Tool, o RenderOptions) string {
	if f.renderer == nil || len(tools) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# Tools\n\nYou can call these tools:\n")
	f.writeTools(&b, tools)
	b.WriteString("\n\nTo call a tool, write exactly this and nothing after it:\n")
	f.renderer.Calls(&b, []render.Call{{Name: "TOOL_NAME", ID: "functions.TOOL_NAME:0", Arguments: []byte(`{"PARAMETER": "value"}`)}})
	b.WriteByte('\n')
	if rules := f.renderer.Rules(); rules != "" {
		b.WriteString(rules + "\n")
	}
	b.WriteString(f.sentences(o))
	return b.String()
}

// writeTools writes the definitions of tools.
func (f Format) writeTools(b *strings.Builder, tools []Tool) {
	if own, ok := f.renderer.(writerRenderer); ok {
		own.WriteTools(b, tools)
		return
	}
	said := make([]definition.Tool, len(tools))
	for i := range tools {
		t := &tools[i]
		said[i] = definition.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Params: make([]definition.Param, len(t.Params))}
		for k := range t.Params {
			said[i].Params[k] = definition.Param(t.Params[k])
		}
	}
	list := f.tools
	if list == nil {
		list = definition.Lines("<tools>", "</tools>")
	}
	list(b, said)
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
	if own, ok := f.renderer.(writerRenderer); ok {
		return own.Several()
	}
	_, one := f.renderer.(render.Scratchpad)
	return !one
}

// RenderCalls writes calls as the text of the assistant's turn that made them.
func (f Format) RenderCalls(calls []RenderedCall) string {
	if f.renderer == nil || len(calls) == 0 {
		return ""
	}
	written := make([]render.Call, len(calls))
	for i := range calls {
		written[i] = render.Call(calls[i])
	}
	var b strings.Builder
	f.renderer.Calls(&b, written)
	return b.String()
}

// RenderResults writes results as the text of the turn that follows the calls.
func (f Format) RenderResults(results []RenderedResult) string {
	if f.results == nil || len(results) == 0 {
		return ""
	}
	written := make([]result.Result, len(results))
	for i := range results {
		written[i] = result.Result(results[i])
	}
	var b strings.Builder
	f.results(&b, written)
	return b.String()
}
