package answer

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// A document is the JSON object in which a model answers, while it is read.
type document struct {
	begun     bool
	tentative bool            // it may still be something else: what was read is kept in raw
	raw       strings.Builder // with its first brace
	apart     bool            // it began a line
	spoken    bool            // its text is over
	queue     []Directive     // those that stand before the text
	text      repair.TextReader
	directive int    // the number of the next directive
	bare      bool   // it is a list of directives without a document
	wrapped   bool   // it is a member of another object, whose brace is still to come
	typed     string // the value of the member type, of what may be a directive without a document
	follows   bool   // a member, or an element of the list, stands before what comes
	commas    int    // behind it
}

// isMember reports whether a name is one of the document's members.
func isMember(name string) bool { return name == TextMember || name == DirectivesMember }

// beginDocument begins a document that is one for certain.
func (r *Reader) beginDocument() {
	r.endOutside()
	r.count++
	r.row = false
	r.doc.begun, r.doc.tentative = true, false
	r.doc.raw.Reset()
}

// member is before the next member of a document.
func (r *Reader) member() state {
	if !r.separators() {
		return r.orCut()
	}
	c := r.in[0]
	switch c {
	case '}':
		r.noteCommas(true)
		r.skip(1)
		return r.closeDocument()
	case ']':
		r.skip(1)
		r.noteFix("extra_closer", "]")
		return (*Reader).member
	}
	name, n, found := memberKey(r.in, r.ended)
	switch {
	case found == more:
		return nil
	case found == no && r.ended && isQuote(r.in): // the name was cut
		r.skip(len(r.in))
		return r.cut()
	case found == no && r.doc.tentative:
		return r.release(r.doc.raw.String())
	case found == no: // the document ends here, without its brace
		r.noteFix("missing_closer", "")
		return r.endDocument()
	}
	r.noteCommas(false)
	r.skip(n)
	member := Plain(name)
	if !isMember(member) {
		return r.otherMember(name)
	}
	if r.doc.tentative {
		r.beginDocument()
	}
	switch {
	case c == '\'':
		r.noteFix("single_quotes", "'")
	case c != '"':
		r.noteFix("unquoted_key", name)
	}
	if member != name {
		r.note(ruleName, "/"+member, name, member, "")
	}
	if member == TextMember {
		return (*Reader).textValue
	}
	return (*Reader).directives
}

// otherMember is before the value of a member that documents do not have. The value may itself be the document, where
// it is not yet known to be another object.
func (r *Reader) otherMember(name string) state {
	keep := r.keepAfterSpace(func(r *Reader, raw string, whole bool) state {
		switch {
		case !r.doc.tentative:
			r.note(ruleMember, Pointer(name), raw, "", "")
		case whole && name == TypeMember:
			r.doc.typed = raw
		}
		return (*Reader).member
	})
	if !r.doc.tentative {
		return keep
	}
	return func(r *Reader) state {
		if !r.space() {
			return r.orEnd(keep)
		}
		at, known, ok := r.next()
		switch {
		case r.in[0] != '{', ok && !known:
			return keep
		case !ok:
			return nil
		}
		switch inner, _, found := memberKey(r.in[at:], r.ended); {
		case found == more:
			return nil
		case found == no || !isMember(Plain(inner)):
			return keep
		}
		r.skip(1)
		r.beginDocument()
		r.note(ruleWrapped, Pointer(name), "", "", "")
		r.doc.wrapped, r.doc.follows, r.doc.commas = true, false, 0
		return (*Reader).member
	}
}

// noteFix notes a repair of the document itself.
func (r *Reader) noteFix(rule, was string) {
	if r.doc.begun {
		r.addNotes(fixNote(rule, was))
	}
}

// separators skips the separators between members, or elements, and reports whether anything is left.
func (r *Reader) separators() bool {
	n := len(r.in) - len(strings.TrimLeft(r.in, white+","))
	r.doc.commas += strings.Count(r.in[:n], ",")
	r.skip(n)
	return r.in != ""
}

// noteCommas notes commas that are missing or too many before a member or an element, or before a closing bracket.
func (r *Reader) noteCommas(closing bool) {
	most := 1
	if closing || !r.doc.follows {
		most = 0
	}
	switch {
	case r.doc.commas > most:
		r.noteFix("trailing_comma", ",")
	case r.doc.commas < most:
		r.noteFix("missing_comma", "")
	}
	r.doc.commas, r.doc.follows = 0, true
}

// textValue is before the text of a document.
func (r *Reader) textValue() state {
	switch {
	case !r.space():
		return r.orCut()
	case isQuote(r.in):
		r.doc.text = repair.TextReader{}
		r.output.begin(false)
		return (*Reader).text
	}
	return r.keep(func(r *Reader, raw string, _ bool) state {
		r.output.begin(false)
		r.noText(raw)
		return r.endText()
	})
}

// noText takes a value in place of the text of a document that is no string. Words and numbers are said as they are.
func (r *Reader) noText(raw string) {
	switch {
	case isNothing(raw):
	case raw[0] == '{' || raw[0] == '[':
		r.note(ruleText, "/"+TextMember, raw, "", "it is no text, and was left out")
	default:
		r.note(ruleText, "/"+TextMember, raw, "", "it is no string")
		r.output.say(raw)
	}
}

// isNothing reports whether a value is null, or missing, or was cut before it was anything else.
func isNothing(raw string) bool { return strings.HasPrefix("null", raw) }

// text is inside the text of a document.
func (r *Reader) text() state {
	t := &r.doc.text
	in, at, done := r.in, 0, false
	for at < len(in) && !done {
		n := min(stride, len(in)-at)
		var said string
		said, _, done = t.Feed(in[at : at+n])
		r.output.say(said)
		at += n
	}
	if !done && r.ended {
		var said string
		said, _, done = t.Close()
		r.output.say(said)
	}
	if r.in = ""; done {
		r.in = following(t.Rest(), in, at)
	}
	if !done && !r.ended {
		return nil
	}
	r.addNotes(FixNotes(t.Fixes(), "/"+TextMember, ""))
	return r.endText()
}

// endText ends the text of a document.
func (r *Reader) endText() state {
	if text, repeated := r.output.end(); repeated {
		r.note(ruleRepeated, "/"+TextMember, text, "", "the text was said before")
	}
	r.flush()
	return (*Reader).member
}

// flush gives the directives that waited for the text of the document.
func (r *Reader) flush() {
	r.doc.spoken = true
	for _, d := range r.doc.queue {
		r.sink.Directive(d)
	}
	r.doc.queue = nil
}

// emitDirective gives a directive, after the text of the document where that is still to come.
func (r *Reader) emitDirective(raw, path string, whole bool) {
	d := Directive{Raw: raw, Path: path, Document: r.count, Whole: whole}
	if r.doc.begun && !r.doc.spoken {
		r.doc.queue = append(r.doc.queue, d)
		return
	}
	r.sink.Directive(d)
}

// orCut waits for more of a document, and ends it where nothing more comes.
func (r *Reader) orCut() state {
	if !r.ended {
		return nil
	}
	return r.cut()
}

// cut is where the answer ended inside a document.
func (r *Reader) cut() state {
	if r.doc.tentative {
		return r.abandon(r.doc.raw.String())
	}
	r.note(ruleCut, "", "", "", "the answer ended inside its document")
	return r.endDocument()
}

// closeDocument is after the last brace of a document.
func (r *Reader) closeDocument() state {
	if r.doc.tentative {
		return r.settle(r.doc.raw.String(), true)
	}
	return r.endDocument()
}

// endDocument ends a document.
func (r *Reader) endDocument() state {
	r.flush()
	r.outside.wrapped = r.doc.wrapped
	r.doc = document{}
	r.outside.blank = true
	if r.outside.fence != "" {
		r.addNotes(fixNote("code_fence", strings.TrimSpace(r.outside.fence)))
		r.outside.fence, r.outside.fenced = "", true
	}
	return (*Reader).after
}

// after is behind a document, where brackets that close nothing may stand.
func (r *Reader) after() state {
	switch {
	case !r.space():
		return nil
	case r.in[0] == '}' && r.outside.wrapped:
		r.outside.wrapped = false
		r.skip(1)
		return (*Reader).after
	case r.in[0] == '}' || r.in[0] == ']':
		r.addNotes(fixNote("extra_closer", r.in[:1]))
		r.skip(1)
		return (*Reader).after
	}
	return (*Reader).prose
}
