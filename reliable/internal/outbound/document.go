package outbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/reliable/internal/documentschema"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// The document of the modes json_schema and json_object wraps the choice between calls, an answer and a scratchpad, in
// one of the forms of [prompt.Form], such as
//
//	{"toolCalls": [{"name": "...", "arguments": {...}}]}
//	{"toolCalls": [], "answer": "..."}
//
// A scratchpad alone is no answer: the model is asked to go on.

// putDocument asks for the document, with its schema as the receiver accepts it. Where the provider holds its model to
// strict schemas the document is one object, as those have no alternatives at the root: absent members are null, and
// left out when it is read. It returns the wording that describes the document.
func (f *Shaper) putDocument(sh *Shaped, s *judge.Toolset, most int, g *Receiver, d *prompt.Document) *prompt.Document {
	p := &sh.Request.Params
	answers := f.answers(sh, g)
	done, strict := answers.Strict(documentschema.Of(d, s, p.Choice, most, documentschema.InOne)), true
	switch {
	case done == nil:
		p.Format.Schema, strict = documentschema.Of(d, s, p.Choice, most, documentschema.Apart), false
		done = answers.Plain(p.Format.Schema)
	case d.Form != prompt.ListOfCalls: // the one object has a list
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

// documentInstruction describes the document in the prompt.
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
			list.WriteString(": " + strings.ReplaceAll(about, "\n", "\n    ")) // its lines are no tools of the list
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

// ChoiceSentence describes a forced choice and the limit to one call, each on a line of its own.
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
