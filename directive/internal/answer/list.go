package answer

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// directives is before the directives of a document.
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

// readEncoded takes directives that stand in a string.
func (r *Reader) readEncoded(raw, path string) {
	read, err := repair.JSON(raw)
	if k := jsonx.KindOf(read.JSON); err != nil || k != jsonx.Array && k != jsonx.Object {
		r.emitDirective(raw, path, true)
		return
	}
	r.addNotes(FixNotes(read.Fixes, path, ""))
	r.all(read.JSON, path)
}

// all takes the directives of a value that is whole: a list, or one of them.
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

// path is the place of the next directive in the list.
func (r *Reader) path() string {
	r.doc.directive++
	at := "/" + strconv.Itoa(r.doc.directive-1)
	if r.doc.bare {
		return at
	}
	return "/" + DirectivesMember + at
}

// element is before the next directive of a list.
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
