package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Tracker follows a bracketed value (JSON, a Python list, an argument list), broken or not, to its end. It knows
// strings in both kinds of quotes; a quote inside a string closes it only when what follows could follow a value, so
// unescaped inner quotes do not end it. Its zero value stands before the opening bracket.
type Tracker struct {
	Open    []byte // the open brackets
	Quote   byte   // the quote that opened the string it is in, or 0
	escaped bool
	closing bool // a quote was met that closes the string if what follows agrees
	Last    byte // the last byte outside strings that was no white space
	comment byte // the star or the slash of the comment it is in, or 0
	slashed bool // a slash was met that may begin a comment
	before  byte // the byte before, outside strings or in a comment
}

// A Stop is why a Tracker returned.
type Stop uint8

// Why a Tracker returned.
const (
	More   Stop = iota // the text ended
	Closed             // the value ended
	AtMark             // a byte that may begin a mark
)

// InString reports whether it is inside a string for certain.
func (k *Tracker) InString() bool { return k.Quote != 0 && !k.closing }

// Run goes on at t[i:]. It stops at the value's end (the next byte is returned), at the end of the text, or at a byte
// of marks, which step must then pass.
func (k *Tracker) Run(t string, i int, marks string) (int, Stop) {
	for i < len(t) {
		c := t[i]
		if k.InString() && !k.escaped {
			n := plainRun(t[i:])
			if i += n; i == len(t) {
				return i, More
			}
			c = t[i]
		}
		if k.comment == 0 && strings.IndexByte(marks, c) >= 0 {
			return i, AtMark
		}
		i++
		if k.Step(c) {
			return i, Closed
		}
	}
	return i, More
}

// plainRun is the length of the run of bytes that mean nothing in a string.
func plainRun(t string) int {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '"', '\'', '\\', '<', '[', '`':
			return i
		}
	}
	return len(t)
}

// Step passes one byte and reports whether it closed the value.
func (k *Tracker) Step(c byte) bool {
	switch {
	case k.comment != 0:
		k.inComment(c)
		return false
	case k.escaped:
		k.escaped = false
		return false
	case k.closing:
		if chars.IsSpace(c) {
			return false
		}
		k.closing = false
		if !followsValue(c) {
			return k.inside(c)
		}
		k.Quote, k.Last = 0, '"'
	case k.Quote != 0:
		return k.inside(c)
	}
	return k.outside(c)
}

// inside passes a byte of a string.
func (k *Tracker) inside(c byte) bool {
	switch c {
	case '\\':
		k.escaped = true
	case k.Quote:
		k.closing = true
	}
	return false
}

func followsValue(c byte) bool {
	switch c {
	case ',', ':', '}', ']', ')', ';':
		return true
	}
	return false
}

// outside passes a byte outside strings.
func (k *Tracker) outside(c byte) bool {
	before := k.before
	k.before = c
	switch c {
	case '/', '*':
		if before == '/' && k.slashed {
			k.comment, k.slashed = c, false
			return false
		}
		k.slashed = c == '/' && opensComment(k.Last, before)
		if k.slashed {
			return false
		}
	case '"', '\'':
		if opensString(k.Last) {
			k.Quote = c
			return false
		}
	case '{', '[', '(':
		k.Open = append(k.Open, c)
	case '}', ']', ')':
		k.pop(c)
		k.Last = c
		return len(k.Open) == 0
	}
	if !chars.IsSpace(c) {
		k.Last = c
	}
	return false
}

// opensComment reports whether a slash may begin a comment: behind white space, a bracket or a comma, where no value goes on.
func opensComment(last, before byte) bool {
	return (chars.IsSpace(before) || before == last) && strings.IndexByte(`{[,:"}]`, last) >= 0 && (last != ':' || chars.IsSpace(before))
}

// inComment passes a byte of a comment.
func (k *Tracker) inComment(c byte) {
	if k.comment == '/' && (c == '\n' || c == '\r') || k.comment == '*' && k.before == '*' && c == '/' {
		k.comment, c = 0, ' '
	}
	k.before = c
}

// opensString reports whether a quote after byte c opens a string: after a bracket, a comma, a colon, an equals sign, or
// the prefix letter of a Python string.
func opensString(c byte) bool {
	switch c {
	case '{', '[', '(', ',', ':', '=', '"', '}', ']', 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U', '|', '+', 0:
		return true
	}
	return '0' <= c && c <= '9' || c == 'e' || c == 'l' // after a number or a literal: the comma is missing
}

// pop closes the innermost bracket of c's kind, and those left open inside it. A closer without opener says nothing.
func (k *Tracker) pop(c byte) {
	var want byte
	switch c {
	case '}':
		want = '{'
	case ']':
		want = '['
	default:
		want = '('
	}
	for n := len(k.Open) - 1; n >= 0; n-- {
		if k.Open[n] == want {
			k.Open = k.Open[:n]
			return
		}
	}
}

// Reset puts the tracker before the next value.
func (k *Tracker) Reset() { *k = Tracker{Open: k.Open[:0]} }
