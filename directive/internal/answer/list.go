package answer

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// directives is the state before the value of the member "directives".
func (r *Reader) directives() state {
	const path = "/" + DirectivesMember
	switch {
	case !r.space():
		return r.orCut()
	case r.in[0] == '[':
		r.skip(1)
		r.doc.follows = false
		return (*Reader).element
	}
	return r.keep(func(r *Reader, raw string, whole bool) state {
		switch {
		case isNothing(raw):
		case !whole:
			r.emitDirective(raw, path, false)
		case raw[0] == '{':
			r.note(ruleSingle, path, raw, "", "")
			r.emitDirective(raw, path, true)
		default:
			r.readEncoded(raw, path)
		}
		return (*Reader).member
	})
}

// readEncoded reads directives from a string that contains JSON.
func (r *Reader) readEncoded(raw, path string) {
	read, err := repair.JSON(raw)
	if k := jsonx.KindOf(read.JSON); err != nil || k != jsonx.Array && k != jsonx.Object {
		r.emitDirective(raw, path, true)
		return
	}
	r.addNotes(FixNotes(read.Fixes, path, ""))
	r.all(read.JSON, path)
}

// all delivers the directives of a complete JSON value, which is an array or a single directive.
func (r *Reader) all(v []byte, path string) {
	if jsonx.KindOf(v) != jsonx.Array {
		if jsonx.KindOf(v) == jsonx.Object {
			r.note(ruleSingle, path, string(v), "", "")
		}
		if !jsonx.IsNull(v) {
			r.emitDirective(string(v), path, true)
		}
		return
	}
	for e := range jsonx.Elements(v) {
		r.emitDirective(string(e), r.path(), true)
	}
}

// path returns the JSON pointer of the next directive and increments the index.
func (r *Reader) path() string {
	r.doc.directive++
	at := "/" + strconv.Itoa(r.doc.directive-1)
	if r.doc.bare {
		return at
	}
	return "/" + DirectivesMember + at
}

// element is the state before the next directive of an array.
func (r *Reader) element() state {
	if !r.separators() {
		return r.orCut()
	}
	switch c := r.in[0]; {
	case c == ']':
		r.noteCommas(true)
		r.skip(1)
		if r.doc.bare {
			return r.endDocument()
		}
		return (*Reader).member
	case c == '}' && r.doc.bare:
		r.noteFix("extra_closer", "}")
		r.skip(1)
		return (*Reader).element
	case c == '}':
		r.noteFix("missing_closer", "")
		return (*Reader).member
	case (c == '"' || c == '\'') && !r.doc.bare:
		switch name, _, found := memberKey(r.in, r.ended); {
		case found == more:
			return nil
		case found == yes && isMember(Plain(name)):
			r.noteFix("missing_closer", "")
			return (*Reader).member
		}
	}
	r.noteCommas(false)
	return r.keepElement(func(r *Reader, raw string, whole bool) state {
		r.emitDirective(raw, r.path(), whole)
		return (*Reader).element
	})
}
