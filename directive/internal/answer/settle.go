package answer

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// settle decides whether a complete object or array, buffered as raw, is a document, a directive or text.
func (r *Reader) settle(raw string, _ bool) state {
	apart := r.doc.apart
	read, err := repair.JSON(raw)
	if err != nil {
		return r.release(raw)
	}
	inner, wrapped := documentIn(read.JSON)
	switch {
	case inner != nil:
		r.doc = document{}
		r.beginDocument()
		r.addNotes(FixNotes(read.Fixes, "", ""))
		if wrapped {
			r.note(ruleWrapped, "", raw, "", "")
		}
		return r.whole(inner)
	case apart && r.sink.IsDirective(read.JSON):
		r.beginRow(raw)
		r.emitDirective(raw, "", true)
		return r.endDocument()
	}
	return r.release(raw)
}

// beginRow starts or continues a group of directives outside documents.
func (r *Reader) beginRow(raw string) {
	if r.endOutside(); !r.row {
		r.row = true
		r.count++
	}
	r.doc = document{begun: true, spoken: true, bare: true}
	r.note(ruleBare, "", raw, "", "")
}

// abandon decides whether a truncated tentative object is a directive or text.
func (r *Reader) abandon(raw string) state {
	if !r.doc.apart || r.doc.typed == "" || !r.sink.IsDirective([]byte(`{"type":`+r.doc.typed+`}`)) {
		return r.release(raw)
	}
	r.capture = nil
	r.beginRow(raw)
	r.emitDirective(raw, "", false)
	return r.cut()
}

// list is the state at a bracket that may open an array of directives without a document.
func (r *Reader) list() state {
	at, known, ok := r.next()
	switch {
	case !ok:
		return nil
	case !known || r.in[at] != '{':
		return r.release(r.takeByte())
	}
	r.doc = document{tentative: true}
	r.skip(at)
	return r.keepElement(func(r *Reader, raw string, _ bool) state {
		read, err := repair.JSON(raw)
		if err != nil || !r.sink.IsDirective(read.JSON) {
			return r.release(r.doc.raw.String())
		}
		r.beginRow(raw)
		r.doc.follows = true
		r.emitDirective(raw, r.path(), true)
		return (*Reader).element
	})
}

// documentIn returns v if it is a document, or the value of its only member if that is a document. wrapped reports the
// second case. doc is nil if neither is a document.
func documentIn(v []byte) (doc []byte, wrapped bool) {
	var inner []byte
	members := 0
	for k, m := range jsonx.Members(v) {
		if isMember(Plain(k.String())) {
			return v, false
		}
		inner = m
		members++
	}
	if members == 1 {
		for k := range jsonx.Members(inner) {
			if isMember(Plain(k.String())) {
				return inner, true
			}
		}
	}
	return nil, false
}

// whole reads a complete document.
func (r *Reader) whole(doc []byte) state {
	for k, v := range jsonx.Members(doc) {
		name := k.String()
		switch Plain(name) {
		case TextMember:
			r.output.begin(false)
			if text, ok := jsonx.String(v); ok {
				r.output.say(text)
			} else {
				r.noText(string(v))
			}
			r.endText()
		case DirectivesMember:
			if jsonx.KindOf(v) == jsonx.Text {
				r.readEncoded(string(v), "/"+DirectivesMember)
			} else {
				r.all(v, "/"+DirectivesMember)
			}
		default:
			r.note(ruleMember, Pointer(name), string(v), "", "")
		}
	}
	return r.endDocument()
}
