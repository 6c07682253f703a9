package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// readDocument reads the document of the modes json_schema and json_object. Text that is not the document is read like any other.
func (a *Answer) readDocument(text []byte) {
	r, err := repair.JSON(string(text))
	doc := r.JSON
	if err != nil || jsonx.KindOf(doc) != jsonx.Object || !isDocument(doc, r.Fixes) {
		a.readPlain(string(text))
		return
	}
	for _, f := range r.Fixes {
		a.judge.NoteFix(f, "")
	}
	if a.Setup.Sent.Document != nil {
		doc = a.Setup.Sent.Document(doc)
	}
	scratch := stringAt(doc, "scratchpad")
	if scratch != "" {
		a.addBeforeEnd(callwright.ReasoningDelta{Text: scratch})
	}
	answerText := stringAt(doc, "answer") + stringAt(doc, "content")
	if v, ok := jsonx.Find(doc, "needsMoreWork"); ok && jsonx.KindOf(v) == jsonx.Bool {
		more := v[0] == 't'
		a.Outcome.MoreWork = &more
	}
	a.writtenCalls.found = append(a.writtenCalls.found, a.documentCalls(doc)...)
	if answerText != "" {
		a.Outcome.Visible.WriteString(answerText)
		a.addBeforeEnd(callwright.TextDelta{Text: answerText})
	}
	a.Outcome.ScratchpadOnly = answerText == "" && len(a.writtenCalls.found) == 0 && strings.TrimSpace(scratch) != ""
}

// readPlain searches text for calls that was to be the document: models fall back to the dialect they know.
func (a *Answer) readPlain(text string) {
	sc := dialect.NewScanner(a.Setup.Attempt.ScanOptions())
	a.reader.items = sc.Close(sc.Feed(text, a.reader.items[:0]))
	a.reader.rewritten = true
	a.reader.take(-1)
	a.reader.rewritten = false
}

var documentMembers = []string{"scratchpad", "toolCalls", "answer", "content", "needsMoreWork"}

// isDocument reports whether an object is the document that was asked for. With text around it, it is so only where it has calls:
// an object in a sentence is part of what the model says.
func isDocument(doc []byte, fixes []repair.Fix) bool {
	for _, f := range fixes {
		if f.Rule == "leading_text" || f.Rule == "trailing_text" {
			_, calls := jsonx.Find(doc, "toolCalls")
			return calls
		}
	}
	if string(jsonx.Compact(nil, doc)) == "{}" {
		return true
	}
	for _, m := range documentMembers {
		if _, ok := jsonx.Find(doc, m); ok {
			return true
		}
	}
	return false
}

// documentCalls are the calls of a document.
func (a *Answer) documentCalls(doc []byte) []*dialect.Call {
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
		out = append(out, &dialect.Call{Name: a.Setup.Toolset.Naming.Declared(name), Written: name, JSON: string(args), Format: "document", Raw: string(v)})
	}
	return out
}

// stringAt is the string of a member, "" where there is none.
func stringAt(doc []byte, key string) string {
	v, ok := jsonx.Find(doc, key)
	if !ok {
		return ""
	}
	s, _ := jsonx.String(v)
	return s
}
