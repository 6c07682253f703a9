package callwright

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// The document of the modes json_schema and json_object wraps the choice between calls, an answer and a scratchpad:
//
//	{"scratchpad": "...", "toolCalls": [{"name": "...", "arguments": {...}}], "answer": "..."}
//
// A scratchpad alone is no answer: the model is asked to go on.

// documentSchema is the JSON Schema of the document for these tools and this choice. With one call at most, the list of
// calls is a single call.
func documentSchema(s *surface, choice Choice, single bool) json.RawMessage {
	var calls [][]byte
	for i := range s.tools {
		t := &s.tools[i]
		if s.byName[t.Name] == nil || !offered(choice, t.Name) {
			continue
		}
		args := []byte(t.Schema)
		if t.Type == CustomTool {
			args = []byte(customSchema)
		} else if len(args) == 0 {
			args = []byte(`{"type":"object","properties":{}}`)
		}
		one := append([]byte(`{"type":"object","properties":{"name":{"type":"string","const":`), jsonx.AppendQuote(nil, t.Name)...)
		one = append(one, `},"arguments":`...)
		one = append(one, args...)
		calls = append(calls, append(one, `},"required":["name","arguments"],"additionalProperties":false}`...))
	}
	call := append([]byte(`{"anyOf":[`), bytes.Join(calls, []byte{','})...)
	call = append(call, `]}`...)
	out := []byte(`{"type":"object","properties":{"scratchpad":{"type":"string","description":"Thoughts before deciding. Optional."},`)
	least := ""
	if choice.Forced() {
		least = `"minItems":1,`
	}
	most := ""
	if single {
		most = `"maxItems":1,`
	}
	out = append(out, `"toolCalls":{"type":"array",`+least+most+`"items":`...)
	out = append(out, call...)
	out = append(out, `}`...)
	if !choice.Forced() {
		out = append(out, `,"answer":{"type":"string","description":"The answer, when no tool is to be called."}`...)
	}
	out = append(out, `},"additionalProperties":false`...)
	if choice.Forced() {
		out = append(out, `,"required":["toolCalls"]`...)
	}
	return append(out, '}')
}

// documentInstruction says the document in words.
func documentInstruction(s *surface, choice Choice, single, strict bool) string {
	var b strings.Builder
	b.WriteString("You can call these tools:\n")
	for i := range s.tools {
		t := &s.tools[i]
		if s.byName[t.Name] == nil || !offered(choice, t.Name) {
			continue
		}
		b.WriteString("- " + t.Name)
		if t.Description != "" {
			b.WriteString(": " + t.Description)
		}
		if len(t.Schema) > 0 {
			b.WriteString("\n  arguments: " + string(jsonx.Compact(nil, t.Schema)))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nAnswer with one JSON object and nothing else. To call tools: " +
		`{"toolCalls":[{"name":"TOOL","arguments":{}}]}. `)
	if !choice.Forced() {
		b.WriteString(`To answer: {"answer":"TEXT"}. `)
	}
	b.WriteString(`You may put thoughts into "scratchpad" beside either of them.`)
	b.WriteString(choiceSentence(choice, single))
	if strict {
		b.WriteString("\nWrite valid JSON only: double quotes, no comments, no code fence, no XML, no text around it.")
	}
	return b.String()
}

// choiceSentence says a forced choice and the limit to one call, each on a line of its own.
func choiceSentence(c Choice, single bool) string {
	var out string
	switch {
	case c.Mode == Named && len(c.Names) > 0, c.Mode == Required && len(c.Names) == 1:
		out = "\nYou must call the tool " + c.Names[0] + "."
	case c.Mode == Required && len(c.Names) > 1:
		out = "\nYou must call one of the tools " + strings.Join(c.Names, ", ") + "."
	case c.Mode == Required:
		out = "\nYou must call a tool."
	}
	if single {
		out += "\nCall at most one tool."
	}
	return out
}

// offered tells whether a choice leaves the tool of that name to the model.
func offered(c Choice, name string) bool {
	return len(c.Names) == 0 || slices.Contains(c.Names, name)
}

// readDocument takes the document of an answer apart. A text that is none is read like any other text.
func (a *answer) readDocument(text []byte) {
	r, err := repair.JSON(string(text))
	doc := r.JSON
	if err != nil || jsonx.KindOf(doc) != jsonx.Object || !isDocument(doc, r.Fixes) {
		a.readPlain(string(text))
		return
	}
	for _, f := range r.Fixes {
		a.j.fixed(f, "")
	}
	scratch := stringAt(doc, "scratchpad")
	if scratch != "" {
		a.say(ReasoningDelta{Text: scratch})
	}
	answerText := stringAt(doc, "answer") + stringAt(doc, "content")
	if v, ok := jsonx.Find(doc, "needsMoreWork"); ok && jsonx.KindOf(v) == jsonx.Bool {
		more := v[0] == 't'
		a.moreWork = &more
	}
	a.found = append(a.found, documentCalls(doc)...)
	if answerText != "" {
		a.visible.WriteString(answerText)
		a.say(TextDelta{Text: answerText})
	}
	a.scratch = answerText == "" && len(a.found) == 0 && strings.TrimSpace(scratch) != ""
}

// readPlain reads text that was to be a document with the scanner, as models fall back to what they know.
func (a *answer) readPlain(text string) {
	sc := dialect.NewScanner(a.text.options())
	a.text.items = sc.Close(sc.Feed(text, a.text.items[:0]))
	a.text.changed = true
	a.text.take(-1)
	a.text.changed = false
}

var documentMembers = []string{"scratchpad", "toolCalls", "answer", "content", "needsMoreWork"}

// isDocument tells whether an object is the document that was asked for. One with text around it is so only where it calls:
// an object in a sentence is part of what the model says.
func isDocument(doc []byte, fixes []repair.Fix) bool {
	for _, f := range fixes {
		if f.Rule == "leading_text" || f.Rule == "trailing_text" {
			_, calls := jsonx.Find(doc, "toolCalls")
			return calls
		}
	}
	for _, m := range documentMembers {
		if _, ok := jsonx.Find(doc, m); ok {
			return true
		}
	}
	return false
}

func documentCalls(doc []byte) []*dialect.Call {
	list, _ := jsonx.Find(doc, "toolCalls")
	if jsonx.KindOf(list) == jsonx.Object {
		list = append(append([]byte{'['}, list...), ']')
	}
	if jsonx.KindOf(list) != jsonx.Array {
		return nil
	}
	var out []*dialect.Call
	for v := range jsonx.Elements(list) {
		args, _ := jsonx.Find(v, "arguments")
		name := stringAt(v, "name")
		out = append(out, &dialect.Call{Name: name, Written: name, JSON: string(args), Format: "document", Raw: string(v)})
	}
	return out
}

func stringAt(doc []byte, key string) string {
	v, ok := jsonx.Find(doc, key)
	if !ok {
		return ""
	}
	s, _ := jsonx.String(v)
	return s
}
