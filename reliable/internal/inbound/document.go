package inbound

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/document"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
)

// readDocument parses the document of modes json_schema and json_object. Other text is scanned for calls.
func (a *Answer) readDocument(text []byte) {
	cut := (a.cutShort() || endsInString(text)) && jsonx.Valid(text) != nil
	if cut && a.readCutDocument(text) {
		return
	}
	r, err := repair.JSON(string(text))
	doc := r.JSON
	if err != nil || jsonx.KindOf(doc) != jsonx.Object || !document.Is(doc, r.Fixes) {
		a.readPlain(string(text))
		return
	}
	for _, f := range r.Fixes {
		a.judge.NoteFix(f, "")
	}
	if a.Setup.Sent.Document != nil {
		doc = a.Setup.Sent.Document(doc)
	}
	scratch := document.Text(doc, "scratchpad")
	if scratch != "" {
		a.addBeforeEnd(callwright.ReasoningDelta{Text: scratch})
	}
	if v, ok := jsonx.Find(doc, "needsMoreWork"); ok && jsonx.KindOf(v) == jsonx.Bool {
		more := v[0] == 't'
		a.Outcome.MoreWork = &more
	}
	before := len(a.writtenCalls.found)
	own, answerText := a.readCalls(doc), ""
	if cut {
		a.refuseCut(before)
	}
	for _, key := range [...]string{"answer", "content"} {
		if _, ok := own.Get(key); !ok {
			answerText += document.Text(doc, key)
		}
	}
	a.sayAnswer(answerText)
	a.Outcome.ScratchpadOnly = answerText == "" && len(a.writtenCalls.found)+len(a.writtenCalls.rejected) == 0 &&
		strings.TrimSpace(scratch) != ""
}

// endsInString reports whether text is valid JSON up to its end inside a string, so that it was truncated.
func endsInString(text []byte) bool {
	var c jsonx.Checker
	return c.Feed(text) == nil && c.InString()
}

// refuseCut rejects the found calls from index before on, because repair completed them after a truncation.
func (a *Answer) refuseCut(before int) {
	for _, f := range a.writtenCalls.found[before:] {
		a.writtenCalls.rejected = append(a.writtenCalls.rejected, dialect.Item{Kind: dialect.CallRejected, Why: dialect.Truncated, Call: f})
	}
	a.writtenCalls.found = a.writtenCalls.found[:before]
}

// readCutDocument parses a truncated document. It returns false if the document has no list of calls. Complete calls
// are kept. The truncated call is rejected.
func (a *Answer) readCutDocument(text []byte) bool {
	d := document.ReadCut(text)
	if !d.Listed {
		return false
	}
	if d.Scratchpad != "" {
		a.addBeforeEnd(callwright.ReasoningDelta{Text: d.Scratchpad})
	}
	doc := slices.Concat([]byte(`{"toolCalls":[`), bytes.Join(d.Calls, []byte{','}), []byte("]}"))
	if a.Setup.Sent.Document != nil {
		doc = a.Setup.Sent.Document(doc)
	}
	a.readCalls(doc)
	if d.Rest != nil {
		found, _ := repair.JSON(string(d.Rest))
		name := document.Text(found.JSON, "name")
		a.writtenCalls.rejected = append(a.writtenCalls.rejected, dialect.Item{Kind: dialect.CallRejected, Why: dialect.Truncated,
			Call: &dialect.Call{Name: a.Setup.Toolset.Naming.DeclaredName(name), Written: name, Format: "document", Raw: string(d.Rest)}})
	}
	a.sayAnswer(d.Answer)
	return true
}

// sayAnswer adds the answer text of a document to the response, unless it is "".
func (a *Answer) sayAnswer(text string) {
	if text != "" {
		a.Outcome.Visible.WriteString(text)
		a.addBeforeEnd(callwright.TextDelta{Text: text})
	}
}

// readPlain scans text that is not the expected document for calls in any text format.
func (a *Answer) readPlain(text string) {
	sc := dialect.NewScanner(a.Setup.Attempt.ScanOptions())
	a.reader.items = sc.Close(sc.Feed(text, a.reader.items[:0]))
	a.reader.rewritten = true
	a.reader.take(-1)
	a.reader.rewritten = false
}

// readCalls reads the calls of a document: those in its list, or one call in any format that its other members
// represent. In the second case it returns these members, otherwise nil.
func (a *Answer) readCalls(doc []byte) (own jsonx.List) {
	list, _ := jsonx.Find(doc, "toolCalls")
	switch jsonx.KindOf(list) {
	case jsonx.Array:
		for v := range jsonx.Elements(list) {
			a.readCall(v)
		}
	case jsonx.Object:
		a.readCall(list)
	default:
		if rest := a.withoutMembers(doc); len(rest) > 0 && a.scanCalls(string(rest.Append(nil))) {
			return rest
		}
	}
	return nil
}

// readCall reads v, an element of the list of calls, as a document's call or as a call in any text format.
func (a *Answer) readCall(v []byte) {
	name, args := document.Text(v, "name"), []byte(nil)
	if args, _ = jsonx.Find(v, "arguments"); (name == "" || args == nil) && a.scanCalls(string(v)) {
		return
	}
	a.writtenCalls.found = append(a.writtenCalls.found, &dialect.Call{
		Name: a.Setup.Toolset.Naming.DeclaredName(name), Written: name, JSON: string(args), Format: "document", Raw: string(v),
	})
}

// scanCalls adds the calls that text consists of. It reports whether there are any.
func (a *Answer) scanCalls(text string) (found bool) {
	for _, it := range dialect.ScanAll(a.Setup.Attempt.ScanOptions(), text) {
		switch it.Kind {
		case dialect.CallFound:
			a.writtenCalls.found, found = append(a.writtenCalls.found, it.Call), true
		case dialect.CallRejected:
			a.writtenCalls.rejected, found = append(a.writtenCalls.rejected, it), true
		}
	}
	return found
}

// withoutMembers returns the members of an object other than [document.Members]. It keeps a member with such a name if
// the member is a declared argument: the object names a tool, and its arguments are beside the name.
func (a *Answer) withoutMembers(doc []byte) jsonx.List {
	var inline *judge.Target
	for _, v := range jsonx.Members(doc) {
		if jsonx.KindOf(v) == jsonx.Object {
			inline = nil
			break
		}
		if name, ok := jsonx.String(v); ok && inline == nil {
			inline, _, _ = a.Setup.Toolset.ResolveTool(name)
		}
	}
	return document.Others(doc, func(key string) bool { return inline != nil && inline.Declares(key) })
}
