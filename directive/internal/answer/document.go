package answer

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// A document is the state of parsing the JSON object with the response.
type document struct {
	begun     bool
	tentative bool            // the object may not be a document; its text is buffered in raw
	raw       strings.Builder // text of a tentative document from its opening brace
	apart     bool            // the object begins a line or a code block
	spoken    bool            // assistant_text is complete
	queue     []Directive     // directives that precede assistant_text
	text      repair.TextReader
	directive int    // index of the next directive
	bare      bool   // an array of directives without a document
	wrapped   bool   // the document is a member of another object, which is not closed yet
	typed     string // value of the member "type", if the object may be a directive without a document
	follows   bool   // a member or element precedes the next one
	commas    int    // number of commas since that member or element
}

// isMember reports whether name is a member of the document.
func isMember(name string) bool { return name == TextMember || name == DirectivesMember }

// beginDocument starts a document that is certain to be one.
func (r *Reader) beginDocument() {
	r.endOutside()
	r.count++
	r.row = false
	r.doc.begun, r.doc.tentative = true, false
	r.doc.raw.Reset()
}

// member is the state before the next member of a document.
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
	case found == no && r.ended && isQuote(r.in): // the name is truncated
		r.skip(len(r.in))
		return r.cut()
	case found == no && r.doc.tentative:
		return r.release(r.doc.raw.String())
	case found == no: // the document ends here without its closing brace
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

// otherMember returns the state after the name of a member that documents do not have. The value is
// dropped unless the enclosing object is tentative: then it may be the document or, for "type", show a directive.
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

// noteFix notes a JSON repair of the document.
func (r *Reader) noteFix(rule, was string) {
	if r.doc.begun {
		r.addNotes(fixNote(rule, was))
	}
}

// separators skips white space and commas. It reports whether any text is left.
func (r *Reader) separators() bool {
	n := len(r.in) - len(strings.TrimLeft(r.in, white+","))
	r.doc.commas += strings.Count(r.in[:n], ",")
	r.skip(n)
	return r.in != ""
}

// noteCommas notes missing or extra commas before a member, an element or, if closing is set, a closing bracket.
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

// textValue is the state before the value of assistant_text.
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

// noText uses raw, a value of assistant_text that is not a string, as text if it is a word or number. It drops objects
// and arrays.
func (r *Reader) noText(raw string) {
	switch {
	case isNothing(raw):
	case raw[0] == '{' || raw[0] == '[':
		r.note(ruleText, "/"+TextMember, raw, "", "it is not a text and was left out")
	default:
		r.note(ruleText, "/"+TextMember, raw, "", "it is not a string")
		r.output.say(raw)
	}
}

// isNothing reports whether raw is empty, null or a truncated null.
func isNothing(raw string) bool { return strings.HasPrefix("null", raw) }

// text is the state inside the string assistant_text.
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
		r.note(ruleRepeated, "/"+TextMember, text, "", "the text is a repetition")
	}
	r.flush()
	return (*Reader).member
}

// flush delivers the directives that were held back until the document's text was complete.
func (r *Reader) flush() {
	r.doc.spoken = true
	for _, d := range r.doc.queue {
		r.sink.Directive(d)
	}
	r.doc.queue = nil
}

// emitDirective delivers a directive. It holds the directive back if the document's text may still follow.
func (r *Reader) emitDirective(raw, path string, whole bool) {
	d := Directive{Raw: raw, Path: path, Document: r.count, Whole: whole}
	if r.doc.begun && !r.doc.spoken {
		r.doc.queue = append(r.doc.queue, d)
		return
	}
	r.sink.Directive(d)
}

// orCut returns nil to wait for more input, or ends the document if the response has ended.
func (r *Reader) orCut() state {
	if !r.ended {
		return nil
	}
	return r.cut()
}

// cut ends a document that the end of the response truncated. A tentative document is decided by abandon.
func (r *Reader) cut() state {
	if r.doc.tentative {
		return r.abandon(r.doc.raw.String())
	}
	r.note(ruleCut, "", "", "", "the answer ended inside its document")
	return r.endDocument()
}

// closeDocument ends a document after its closing brace. A tentative document is decided by settle.
func (r *Reader) closeDocument() state {
	if r.doc.tentative {
		return r.settle(r.doc.raw.String(), true)
	}
	return r.endDocument()
}

// endDocument resets the state after a document and continues with the text after it.
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

// after is the state after a document, in which extra closing brackets are skipped.
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
