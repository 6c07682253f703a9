package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
	"github.com/callwright/callwright/internal/prompt"
)

// RenderOptions are the tool choice and the wording of a prompt.
type RenderOptions struct {
	Choice   Choice
	Tool     string // the tool for OneTool
	Parallel Parallel
	Model    string // name of the model; some families have their own wording
	Wording  string // name of the wording; "" or an unknown name means that of the model's family or of the format
}

// A Choice determines whether the model must make a call.
type Choice uint8

// Values of [Choice].
const (
	AnyOrNone Choice = iota // the model decides
	AnyTool                 // at least one call
	OneTool                 // a call of RenderOptions.Tool
)

// Parallel determines whether a response may have several calls.
type Parallel uint8

// Values of [Parallel]. Single means at most one call in a response.
const (
	Several Parallel = iota
	Single
)

// RenderTools returns the part of the system prompt that defines the tools and explains the format of calls. It uses
// the words of the chat template of the model's family if known. It returns "" if the format cannot be rendered or
// there are no tools.
func (f Format) RenderTools(tools []Tool, o RenderOptions) string {
	if f.renderer == nil || len(tools) == 0 {
		return ""
	}
	text := prompt.TextFor(o.Wording, f.Name, o.Model)
	var b strings.Builder
	text.Write(&b, prompt.Fill{
		Tools: func(b *strings.Builder) { f.writeTools(b, tools, text.List.Short(len(tools))) },
		Call:  func(b *strings.Builder) { f.renderer.Calls(b, []render.Call{f.exampleCall(text.Slots, &tools[0])}) },
		Rules: func(b *strings.Builder) { b.WriteString(f.renderer.Rules()) },
	})
	b.WriteString(f.sentences(text, o))
	return b.String()
}

// writeTools appends the definitions of the tools. If short is set, they are function signatures.
func (f Format) writeTools(b *strings.Builder, tools []Tool, short bool) {
	if own, ok := f.renderer.(writerRenderer); ok && !short {
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
	switch {
	case short:
		list = definition.Signatures
	case list == nil:
		list = definition.Lines("<tools>", "</tools>")
	}
	list(b, said)
}

// exampleCall returns an example call with placeholders for name and arguments.
func (f Format) exampleCall(s prompt.Slots, first *Tool) render.Call {
	switch s {
	case prompt.Capitals:
		return render.Call{Name: "TOOL_NAME", ID: "functions.TOOL_NAME:0", Arguments: []byte(`{"PARAMETER": "value"}`)}
	case prompt.Declared:
		return render.Call{Name: first.Name, ID: "functions." + first.Name + ":0", Arguments: prompt.Arguments(first.Schema)}
	}
	switch f.renderer.(type) {
	case render.JSON, render.Head, render.Harmony, render.Envelope, render.Scratchpad:
		return render.Call{Name: "<function-name>", ID: "functions.<function-name>:0", Arguments: []byte("<args-json-object>")}
	}
	return render.Call{Name: "{function-name}", Arguments: []byte(`{"{parameter-name}": "{value}"}`)}
}

// sentences returns the sentences about which tools must and may be called.
func (f Format) sentences(t *prompt.Text, o RenderOptions) (s string) {
	switch {
	case o.Choice == AnyTool:
		s = t.Must
	case o.Choice == OneTool:
		s = strings.ReplaceAll(t.MustOne, "$(tool)", o.Tool)
	case !f.whole:
		s = t.None
	}
	if o.Parallel == Single || !f.several() {
		return s + t.Single
	}
	return s + t.Several
}

// several reports whether a response in the format can have several calls.
func (f Format) several() bool {
	if own, ok := f.renderer.(writerRenderer); ok {
		return own.Several()
	}
	_, one := f.renderer.(render.Scratchpad)
	return !one
}

// RenderCalls returns the text of an assistant turn with the calls, "" if the format cannot be rendered.
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

// RenderResults returns the text of the turn with the results of the calls, "" if the format cannot be rendered.
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
