// Package control removes control characters from the strings of a JSON text: all below U+0020 but tab, newline and
// return, and U+007F. In JSON they stand as \u escapes, as \b or as \f.
package control

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Change is a string that changed.
type Change struct {
	Path     string // JSON pointer
	Was, Now string // in JSON
}

// Clean returns valid JSON without control characters in its strings, and the strings that changed. Names of members
// stay as they are.
func Clean(doc []byte) (out []byte, changes []Change) {
	c := cleaner{doc: doc}
	c.value(jsonx.Space(doc, 0), "")
	return jsonx.Splice(nil, doc, c.edits...), c.made
}

// A cleaner walks through valid JSON and collects the strings that change.
type cleaner struct {
	doc   []byte
	edits []jsonx.Edit
	made  []Change
}

// value cleans the value at i, whose JSON pointer is path, and returns where it ends.
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
	for i := 0; i < len(doc); i++ {
		if c := doc[i]; c == 0x7f {
			return true
		} else if c == '\\' {
			if controlAt(doc[i:]) > 0 {
				return true
			}
			i++
		}
	}
	return false
}

// controlAt is the length of the control character at the start of b, 0 where there is none.
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
