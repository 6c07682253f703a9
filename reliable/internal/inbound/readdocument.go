package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// readDocument takes the document of an answer apart. A text that is none is read like any other text.
func (a *Answer) readDocument(text []byte) {
	r, err := repair.JSON(string(text))
	doc := r.JSON
	if err != nil || jsonx.KindOf(doc) != jsonx.Object || !isDocument(doc, r.Fixes) {
		a.readPlain(string(text))
		return
	}
	for _, f := range r.Fixes {
		a.j.Fixed(f, "")
	}
	scratch := stringAt(doc, "scratchpad")
	if scratch != "" {
		a.say(callwright.ReasoningDelta{Text: scratch})
	}
	answerText := stringAt(doc, "answer") + stringAt(doc, "content")
	if v, ok := jsonx.Find(doc, "needsMoreWork"); ok && jsonx.KindOf(v) == jsonx.Bool {
		more := v[0] == 't'
		a.MoreWork = &more
	}
	a.found = append(a.found, documentCalls(doc)...)
	if answerText != "" {
		a.Visible.WriteString(answerText)
		a.say(callwright.TextDelta{Text: answerText})
	}
	a.Scratch = answerText == "" && len(a.found) == 0 && strings.TrimSpace(scratch) != ""
}

// readPlain reads text that was to be a document with the scanner, as models fall back to what they know.
func (a *Answer) readPlain(text string) {
	sc := dialect.NewScanner(a.text.options())
	a.text.items = sc.Close(sc.Feed(text, a.text.items[:0]))
	a.text.changed = true
	a.text.take(-1)
	a.text.changed = false
}

var documentMembers = []string{"scratchpad", "toolCalls", "answer", "content", "needsMoreWork"}

// isDocument reports whether an object is the document that was asked for. One with text around it is so only where it calls:
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
