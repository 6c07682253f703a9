// Package documentschema writes the JSON Schemas of the documents in which models call tools or answer, in the modes
// json_schema and json_object.
package documentschema

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// Layout is how the forms of a document are written.
type Layout bool

// Layouts.
const (
	Apart Layout = false // each on its own
	InOne Layout = true  // all in one object
)

// Of is the JSON Schema of a document for these tools and this choice, with most calls in the list of calls, 0 for any
// number. In one object there is no choice of a tool before the rest: its calls are a list.
func Of(d *prompt.Document, s *judge.Toolset, choice callwright.Choice, most int, as Layout) json.RawMessage {
	var defs compose.Definitions
	calls := callsOf(s, choice, &defs)
	answer := member{"answer", `{"type":"string","description":"The answer, when no tool is to be called."}`}
	if as == InOne {
		members := []member{thoughts, {"toolCalls", listOf(calls, 0, most)}, answer}
		if choice.IsForced() {
			members = []member{thoughts, {"toolCalls", listOf(calls, 1, most)}}
		}
		return append(defs.Append(object(members, "toolCalls")), '}')
	}
	var forms [][]member
	switch d.Form {
	case prompt.ToolFirst:
		for _, c := range calls {
			forms = append(forms, []member{{"tool", c.name}, {"arguments", c.arguments}})
		}
	default:
		forms = append(forms, []member{{"toolCalls", listOf(calls, 1, most)}})
	}
	if !choice.IsForced() {
		forms = append(forms, append(noCall(d.Form), answer))
	}
	out := []byte(`{"type":"object","anyOf":[`)
	for i, form := range forms {
		if i > 0 {
			out = append(out, ',')
		}
		if d.Scratchpad { // written out in full: grammars are made of it that know no member beside an anyOf and put required ones first
			out = append(append(out, closedObject(append([]member{thoughts}, form...))...), ',')
		}
		out = append(out, closedObject(form)...)
	}
	return append(defs.Append(append(out, ']')), '}')
}

// noCall are the members that stand before an answer.
func noCall(f prompt.Form) []member {
	switch f {
	case prompt.ListOfCalls:
		return []member{{"toolCalls", `{"type":"array","maxItems":0,"items":{"type":"object"}}`}}
	case prompt.ToolFirst:
		return []member{{"tool", `{"type":"null"}`}}
	}
	return nil
}

// A member is one of an object, with its schema.
type member struct{ name, schema string }

// thoughts is the scratchpad.
var thoughts = member{"scratchpad", `{"type":"string","description":"Thoughts before deciding."}`}

// object begins the schema of an object that has no other members; its closing brace is missing. Required names are
// quoted as they are.
func object(members []member, required ...string) []byte {
	out := []byte(`{"type":"object","properties":{`)
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, `"`+m.name+`":`...), m.schema...)
	}
	return append(out, `},"required":["`+strings.Join(required, `","`)+`"],"additionalProperties":false`...)
}

// closedObject is the schema of an object that has these members and no others.
func closedObject(members []member) []byte {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	return append(object(members, names...), '}')
}

// A callSchema is how a call of a tool looks: the schemas of its name and of its arguments.
type callSchema struct{ name, arguments string }

// callsOf are the calls that a choice allows. References in them lead to defs.
func callsOf(s *judge.Toolset, choice callwright.Choice, defs *compose.Definitions) (out []callSchema) {
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
		out = append(out, callSchema{`{"type":"string","const":` + string(jsonx.AppendQuote(nil, t.Name)) + `}`, string(args)})
	}
	return out
}

// listOf is the schema of a list of calls, with at least and at most so many; 0 is no limit.
func listOf(calls []callSchema, least, most int) string {
	var b strings.Builder
	b.WriteString(`{"type":"array"`)
	if least > 0 {
		b.WriteString(`,"minItems":` + strconv.Itoa(least))
	}
	if most > 0 {
		b.WriteString(`,"maxItems":` + strconv.Itoa(most))
	}
	b.WriteString(`,"items":{"anyOf":[`)
	for i, c := range calls {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(closedObject([]member{{"name", c.name}, {"arguments", c.arguments}}))
	}
	b.WriteString(`]}}`)
	return b.String()
}
