package outbound

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// The document of the modes json_schema and json_object wraps the choice between calls, an answer and a scratchpad:
//
//	{"scratchpad": "...", "toolCalls": [{"name": "...", "arguments": {...}}], "answer": "..."}
//
// A scratchpad alone is no answer: the model is asked to go on.

// putDocument asks for the document, with its schema as the receiver takes it. Where the provider holds its model to strict schemas the
// document is one object, as those have no alternatives at the root: what is not given is null, and left out when it is read.
func (f *Shaper) putDocument(sh *Shaped, s *judge.Toolset, most int, g *Receiver) {
	p := &sh.Request.Params
	answers := f.answers(sh, g)
	done, strict := answers.Strict(documentSchema(s, p.Choice, most, inOne)), true
	if done == nil {
		p.Format.Schema, strict = documentSchema(s, p.Choice, most, apart), false
		done = answers.Plain(p.Format.Schema)
	}
	p.Format.Strict = &strict
	if done == nil {
		return
	}
	p.Format.Schema = done.Schema
	if done.Undoes() {
		sh.Sent.Document = done.Undo
	}
}

// A layout is how the forms of the document are written: each on its own, or all in one object.
type layout bool

const (
	apart layout = false
	inOne layout = true
)

// documentSchema is the JSON Schema of the document for these tools and this choice, with most calls in the list of calls, 0 for any
// number.
func documentSchema(s *judge.Toolset, choice callwright.Choice, most int, as layout) json.RawMessage {
	var calls [][]byte
	var defs compose.Definitions
	for i := range s.Tools {
		t := &s.Tools[i]
		if s.ByName[t.Name] == nil || !choice.Allows(t.Name) {
			continue
		}
		_, args := judge.AsFunction(t)
		if len(args) == 0 {
			args = []byte(translate.NoParameters)
		} else {
			args = defs.Embed(args, "t"+strconv.Itoa(i)+"_")
		}
		one := append([]byte(`{"type":"object","properties":{"name":{"type":"string","const":`), jsonx.AppendQuote(nil, t.Name)...)
		one = append(one, `},"arguments":`...)
		one = append(one, args...)
		calls = append(calls, append(one, `},"required":["name","arguments"],"additionalProperties":false}`...))
	}
	call := append([]byte(`{"anyOf":[`), bytes.Join(calls, []byte{','})...)
	call = append(call, `]}`...)
	limits := `,"minItems":1`
	if most > 0 {
		limits += `,"maxItems":` + strconv.Itoa(most)
	}
	list := append([]byte(`{"type":"array"`+limits+`,"items":`), call...)
	list = append(list, '}')
	answer := `{"type":"string","description":"The answer, when no tool is to be called."}`
	var out []byte
	switch {
	case as == apart:
		forms := withThoughts(nil, "toolCalls", list)
		if !choice.Forced() {
			forms = withThoughts(append(forms, ','), "answer", []byte(answer))
		}
		out = append(append([]byte(`{"type":"object","anyOf":[`), forms...), ']')
	case choice.Forced():
		out = append(append([]byte(`{"type":"object","properties":{`+thoughts+`,"toolCalls":`), list...), `},"required":["toolCalls"],"additionalProperties":false`...)
	default:
		out = append(append([]byte(`{"type":"object","properties":{`+thoughts+`,"toolCalls":`), list...), `,"answer":`+answer+`},"additionalProperties":false`...)
	}
	return append(defs.Append(out), '}')
}

// thoughts is the scratchpad, a member of the document.
const thoughts = `"scratchpad":{"type":"string","description":"Thoughts before deciding."}`

// withThoughts appends the forms of a document that must have a member: with thoughts before it, and without. Each is written out in
// full, as grammars are made of it that know no member beside an anyOf and put required ones first.
func withThoughts(dst []byte, name string, value []byte) []byte {
	for i, first := range [...]string{thoughts + ",", ""} {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, `{"type":"object","properties":{`+first+`"`+name+`":`...), value...)
		dst = append(dst, `},"required":[`...)
		if first != "" {
			dst = append(dst, `"scratchpad",`...)
		}
		dst = append(dst, `"`+name+`"],"additionalProperties":false}`...)
	}
	return dst
}

// documentInstruction describes the document in the prompt.
func documentInstruction(s *judge.Toolset, choice callwright.Choice, single, strict bool) string {
	var b strings.Builder
	b.WriteString("You can call these tools:\n")
	for i := range s.Tools {
		t := &s.Tools[i]
		if s.ByName[t.Name] == nil || !choice.Allows(t.Name) {
			continue
		}
		about, arguments := judge.AsFunction(t)
		b.WriteString("- " + t.Name)
		if about != "" {
			b.WriteString(": " + strings.ReplaceAll(about, "\n", "\n    ")) // its lines are no tools of the list
		}
		if len(arguments) > 0 {
			b.WriteString("\n  arguments: " + string(jsonx.Compact(nil, arguments)))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nAnswer with one JSON object and nothing else. To call tools: " +
		`{"toolCalls":[{"name":"TOOL","arguments":{}}]}. `)
	if !choice.Forced() {
		b.WriteString(`To answer: {"answer":"TEXT"}. `)
	}
	b.WriteString(`You may put thoughts into "scratchpad" beside either of them.`)
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
