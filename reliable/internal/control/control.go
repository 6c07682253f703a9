// Package control removes control characters from JSON strings: all below U+0020 except tab, newline and carriage
// return, and U+007F. In JSON most are written as escapes such as \u0001, \b or \f.
package control

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Change is a string of a JSON document from which Clean removed control characters.
type Change struct {
	Path     string // JSON pointer to the string
	Was, Now string // as JSON
}

// Clean returns doc, which is valid JSON, without control characters in its strings, and the changes. Member names
// stay unchanged.
func Clean(doc []byte) (out []byte, changes []Change) {
	c := cleaner{doc: doc}
	c.value(jsonx.Space(doc, 0), "")
	return jsonx.Splice(nil, doc, c.edits...), c.made
}

// A cleaner collects the changed strings of a JSON document.
type cleaner struct {
	doc   []byte
	edits []jsonx.Edit
	made  []Change
}

// value collects the changes in the value at offset i, and returns the offset of its end. path is its JSON pointer.
func (c *cleaner) value(i int, path string) int {
	switch c.doc[i] {
	case '{':
		return jsonx.WalkMembers(c.doc, i, func(key jsonx.Key, at int) int {
			return c.value(at, path+"/"+jsonx.EscapeToken(key.String()))
		})
	case '[':
		return jsonx.WalkElements(c.doc, i, func(n, at int) int { return c.value(at, path+"/"+strconv.Itoa(n)) })
	}
	end := jsonx.SkipValue(c.doc, i)
	if was := c.doc[i:end]; was[0] == '"' && Has(was) {
		now := withoutControls(was)
		c.edits = append(c.edits, jsonx.Edit{Start: i, End: end, New: now})
		c.made = append(c.made, Change{Path: path, Was: string(was), Now: string(now)})
	}
	return end
}

// withoutControls returns a JSON string without its control characters.
func withoutControls(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := controlAt(text[i:])
		switch {
		case n > 0:
			i += n
		case text[i] == '\\' && i+1 < len(text):
			out = append(out, text[i], text[i+1])
			i += 2
		default:
			out = append(out, text[i])
			i++
		}
	}
	return out
}

// Has reports whether a JSON text has control characters in it.
func Has(doc []byte) bool {
	if bytes.IndexByte(doc, 0x7f) >= 0 {
		return true
	}
	for {
		i := bytes.IndexByte(doc, '\\')
		if i < 0 || i+1 == len(doc) {
			return false
		}
		if controlAt(doc[i:]) > 0 {
			return true
		}
		doc = doc[i+2:]
	}
}

// controlAt returns the size of the control character at the start of b, raw or escaped, 0 if there is none.
func controlAt(b []byte) int {
	if b[0] == 0x7f {
		return 1
	}
	if b[0] != '\\' || len(b) < 2 {
		return 0
	}
	switch b[1] {
	case 'b', 'f':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		if err == nil && (n < 0x20 && n != '\t' && n != '\n' && n != '\r' || n == 0x7f) {
			return 6
		}
	}
	return 0
}
