package outbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/reliable/internal/documentschema"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// The document of modes json_schema and json_object has calls, an answer or a scratchpad as alternatives, in one of
// the forms of [prompt.Form], such as
//
//	{"toolCalls": [{"name": "...", "arguments": {...}}]}
//	{"toolCalls": [], "answer": "..."}
//
// If a response has only a scratchpad, the model is asked to continue.

// putDocument sets the schema of the document as the response format, in a form that the receiver accepts. For strict
// schemas the document is a single object, because these do not permit alternatives at the root; null then means an
// absent member. It returns the prompt wording that describes the document. most is the maximum number of calls.
func (f *Shaper) putDocument(sh *Shaped, s *judge.Toolset, most int, g *Receiver, d *prompt.Document) *prompt.Document {
	p := &sh.Request.Params
	answers := f.answers(sh, g)
	done, strict := answers.Strict(documentschema.Of(d, s, p.Choice, most, documentschema.InOne)), true
	switch {
	case done == nil:
		p.Format.Schema, strict = documentschema.Of(d, s, p.Choice, most, documentschema.Apart), false
		done = answers.Plain(p.Format.Schema)
	case d.Form != prompt.ListOfCalls: // the single object has a list of calls
		d = prompt.DocumentFor("")
	}
	p.Format.Strict = &strict
	if done == nil {
		return d
	}
	p.Format.Schema = done.Schema
	if done.Undoes() {
		sh.Sent.Document = done.Undo
	}
	return d
}

// documentInstruction returns the description of the document for the prompt. single limits the response to one call.
// strict adds a stronger instruction to write only JSON.
func documentInstruction(d *prompt.Document, s *judge.Toolset, choice callwright.Choice, single, strict bool) string {
	o := prompt.Offer{Forced: choice.IsForced(), One: single}
	var list strings.Builder
	list.WriteString("You can call these tools:\n")
	for i := range s.Tools {
		t := &s.Tools[i]
		if s.ByName[t.Name] == nil || !choice.Allows(t.Name) {
			continue
		}
		about, arguments := judge.AsFunction(t)
		list.WriteString("- " + t.Name)
		if about != "" {
			// indents the lines so that they do not look like list items
			list.WriteString(": " + strings.ReplaceAll(about, "\n", "\n    "))
		}
		if len(arguments) > 0 {
			list.WriteString("\n  arguments: " + string(jsonx.Compact(nil, arguments)))
		}
		list.WriteByte('\n')
		if o.Name == "" {
			o.Name, o.Schema = t.Name, arguments
		}
	}
	o.Tools = func(b *strings.Builder) { b.WriteString(list.String()) }
	var b strings.Builder
	d.Write(&b, o)
	b.WriteString(ChoiceSentence(choice, single))
	if strict {
		b.WriteString("\nWrite valid JSON only: double quotes, no comments, no code fence, no XML, no text around it.")
	}
	return b.String()
}

// ChoiceSentence returns sentences about a forced tool choice and the limit to one call, each on a new line.
func ChoiceSentence(c callwright.Choice, single bool) string {
	var out string
	switch {
	case c.Mode == callwright.ChoiceNamed && len(c.Names) > 0, c.Mode == callwright.ChoiceRequired && len(c.Names) == 1:
		out = "\nYou must call the tool " + c.Names[0] + "."
	case c.Mode == callwright.ChoiceRequired && len(c.Names) > 1:
		out = "\nYou must call one of the tools " + strings.Join(c.Names, ", ") + "."
	case c.Mode == callwright.ChoiceRequired:
		out = "\nYou must call a tool."
	}
	if single {
		out += "\nCall at most one tool."
	}
	return out
}
