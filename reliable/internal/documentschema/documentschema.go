// Package documentschema generates the JSON Schemas of response documents with tool calls or an answer, for modes
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

// A Layout says whether the schema of a document is one object or an anyOf of objects.
type Layout bool

// Values of Layout.
const (
	Apart Layout = false // a separate schema for each alternative (calls or answer)
	InOne Layout = true  // one object schema for all
)

// Of returns the schema of a document for the tools that choice permits. most is the maximum number of calls, 0 for
// any number. With InOne, calls are always an array.
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
		if d.Scratchpad { // some grammars do not support members beside anyOf, and order required members first
			out = append(append(out, closedObject(append([]member{thoughts}, form...))...), ',')
		}
		out = append(out, closedObject(form)...)
	}
	return append(defs.Append(append(out, ']')), '}')
}

// noCall returns the members that precede an answer and express that there is no call.
func noCall(f prompt.Form) []member {
	switch f {
	case prompt.ListOfCalls:
		return []member{{"toolCalls", `{"type":"array","maxItems":0,"items":{"type":"object"}}`}}
	case prompt.ToolFirst:
		return []member{{"tool", `{"type":"null"}`}}
	}
	return nil
}

// A member is a member of an object with its schema.
type member struct{ name, schema string }

// thoughts is the scratchpad member.
var thoughts = member{"scratchpad", `{"type":"string","description":"Thoughts before deciding."}`}

// object returns the schema of an object with only these members, without the closing brace. required names are used
// without escaping.
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

// closedObject returns the schema of an object with exactly these members, all required.
func closedObject(members []member) []byte {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	return append(object(members, names...), '}')
}

// A callSchema has the schemas of the name and the arguments in a call of one tool.
type callSchema struct{ name, arguments string }

// callsOf returns the schemas for the tools that choice permits. Their references point into defs.
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

// listOf returns the schema of an array of calls. least and most are the limits of the array's length; 0 means no
// limit.
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
