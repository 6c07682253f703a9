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

// readDocument reads the document of the modes json_schema and json_object. Text that is not the document is read like
// any other.
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

// endsInString reports whether a text is the beginning of JSON that ends inside a string. It was cut there, whatever
// the provider says.
func endsInString(text []byte) bool {
	var c jsonx.Checker
	return c.Feed(text) == nil && c.InString()
}

// refuseCut refuses the calls that were found since there were so many: the text was cut in them, and repair closed
// them.
func (a *Answer) refuseCut(before int) {
	for _, f := range a.writtenCalls.found[before:] {
		a.writtenCalls.rejected = append(a.writtenCalls.rejected, dialect.Item{Kind: dialect.CallRejected, Why: dialect.Truncated, Call: f})
	}
	a.writtenCalls.found = a.writtenCalls.found[:before]
}

// readCutDocument reads a document that was cut off, and reports whether it has a list of calls. Calls before the cut
// are whole; the one in which it was cut is rejected, since its repair may lack arguments.
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

// sayAnswer adds the text of a document.
func (a *Answer) sayAnswer(text string) {
	if text != "" {
		a.Outcome.Visible.WriteString(text)
		a.addBeforeEnd(callwright.TextDelta{Text: text})
	}
}

// readPlain searches text for calls that was to be the document: models fall back to the dialect they know.
func (a *Answer) readPlain(text string) {
	sc := dialect.NewScanner(a.Setup.Attempt.ScanOptions())
	a.reader.items = sc.Close(sc.Feed(text, a.reader.items[:0]))
	a.reader.rewritten = true
	a.reader.take(-1)
	a.reader.rewritten = false
}

// readCalls reads the calls of a document: those of its list, or one that stands beside the other members in any form
// that is read in text. It returns the members that such a call consists of.
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

// readCall reads an element of the list of calls.
func (a *Answer) readCall(v []byte) {
	name, args := document.Text(v, "name"), []byte(nil)
	if args, _ = jsonx.Find(v, "arguments"); (name == "" || args == nil) && a.scanCalls(string(v)) {
		return
	}
	a.writtenCalls.found = append(a.writtenCalls.found, &dialect.Call{
		Name: a.Setup.Toolset.Naming.DeclaredName(name), Written: name, JSON: string(args), Format: "document", Raw: string(v),
	})
}

// scanCalls takes the calls that a text consists of, and reports whether there are any.
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

// withoutMembers returns the members of an object without those that the form of the document defines, see
// [document.Members]. A member of such a name stays if it is an argument: the object names a tool that declares it, and
// no member is an object with arguments.
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
