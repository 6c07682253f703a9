package openai

import (
	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// writer appends JSON. Commas are set by what stands before.
type writer struct{ buf []byte }

// comma separates what comes from what stands before it in the same object or list.
func (w *writer) comma() {
	if n := len(w.buf); n > 0 && w.buf[n-1] != '{' && w.buf[n-1] != '[' && w.buf[n-1] != ':' {
		w.buf = append(w.buf, ',')
	}
}

// open begins an object or a list, as a member called key where that is not empty.
func (w *writer) open(key string, bracket byte) {
	w.key(key)
	w.buf = append(w.buf, bracket)
}

func (w *writer) close(bracket byte) { w.buf = append(w.buf, bracket) }

// key begins a member, or an element of a list for "".
func (w *writer) key(key string) {
	w.comma()
	if key != "" {
		w.buf = append(jsonx.AppendQuote(w.buf, key), ':')
	}
}

func (w *writer) raw(key string, v []byte) {
	w.key(key)
	w.buf = append(w.buf, v...)
}

func (w *writer) text(key, s string) {
	w.key(key)
	w.buf = jsonx.AppendQuote(w.buf, s)
}

// given writes a text that is not empty.
func (w *writer) given(key, s string) {
	if s != "" {
		w.text(key, s)
	}
}

func (w *writer) truth(key string, b bool) {
	w.key(key)
	if b {
		w.buf = append(w.buf, "true"...)
		return
	}
	w.buf = append(w.buf, "false"...)
}

// extra writes the members of e, if it is of this wire, but for those in skip.
func (w *writer) extra(e callwright.Extra, skip ...string) {
	if e.Wire != callwright.WireOpenAI {
		return
	}
	for k, v := range jsonx.Members(e.JSON) {
		if !oneOf(k, skip) {
			w.comma()
			w.buf = append(append(append(w.buf, k...), ':'), v...)
		}
	}
}

// within writes the members of the object that e has under key.
func (w *writer) within(e callwright.Extra, key string) {
	if in := ownMember(e, key); in != nil {
		w.extra(callwright.Extra{Wire: callwright.WireOpenAI, JSON: in})
	}
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	if e.Wire != callwright.WireOpenAI {
		return nil
	}
	v, _ := jsonx.Find(e.JSON, key)
	return v
}

func oneOf(k jsonx.Key, names []string) bool {
	for _, name := range names {
		if k.Is(name) {
			return true
		}
	}
	return false
}

// extraOf collects the members of obj that are not in known. nested are members that are objects of their own, of
// which only what is not in their list is kept.
func extraOf(obj []byte, known []string, nested ...nest) callwright.Extra {
	var w writer
	for k, v := range jsonx.Members(obj) {
		if oneOf(k, known) {
			continue
		}
		if n := nestOf(k, nested); n != nil && isObject(v) {
			in := extraOf(v, n.known)
			if in.JSON == nil {
				continue
			}
			v = in.JSON
		}
		if w.buf == nil {
			w.buf = append(w.buf, '{')
		}
		w.comma()
		w.buf = append(append(append(w.buf, k...), ':'), v...)
	}
	if w.buf == nil {
		return callwright.Extra{}
	}
	w.close('}')
	return callwright.Extra{Wire: callwright.WireOpenAI, JSON: w.buf}
}

// nest is a member whose own members are partly known.
type nest struct {
	key   string
	known []string
}

func nestOf(k jsonx.Key, nested []nest) *nest {
	for i := range nested {
		if k.Is(nested[i].key) {
			return &nested[i]
		}
	}
	return nil
}
