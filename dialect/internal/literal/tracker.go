package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Tracker follows a bracketed value (JSON, a Python list, an argument list), broken or not, to its end. It knows
// strings in both kinds of quotes; a quote inside a string closes it only before a text that could follow a value, so
// unescaped inner quotes do not end it. Its zero value stands before the opening bracket.
type Tracker struct {
	Open      []byte // the open brackets
	Quote     byte   // the quote that opened the string it is in, or 0
	escaped   bool
	closing   bool   // a quote was met that closes the string if what follows agrees
	lastQuote byte   // the last quote, while nothing but closing brackets came after it
	depth     int    // how many brackets were open at that quote
	shut      []byte // those closing brackets
	passed    bool   // they were taken for text of the string, since the same quote followed them
	Last      byte   // the last byte outside strings that was no white space
	comment   byte   // the star or the slash of the comment it is in, or 0
	slashed   bool   // a slash was met that may begin a comment
	before    byte   // the byte before, outside strings or in a comment
	isHash    bool   // an arrow was met: keys have no colon, and a value stands after white space
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
		if !FollowsValue(c) && (!k.isHash || c != '-') {
			return k.inside(c)
		}
		k.endString(c)
	case k.Quote != 0:
		return k.inside(c)
	}
	if k.lastQuote != 0 {
		if n := len(k.Open); c == k.lastQuote && n > 0 && (k.Open[n-1] != '[' || k.Last == '}') {
			k.Reopen()
			return false
		}
		if k.shut = append(k.shut, c); !isCloser(c) {
			k.lastQuote = 0
		}
	}
	return k.outside(c)
}

// endString ends the string it is in, before c. Where c makes a key of it, the brackets that were taken for its text
// were none, and the comma before it is missing.
func (k *Tracker) endString(c byte) {
	if c == ':' && k.passed {
		for _, b := range k.shut {
			k.pop(b)
		}
	}
	k.lastQuote, k.depth, k.shut, k.passed = 0, len(k.Open), k.shut[:0], false
	if isCloser(c) {
		k.lastQuote = k.Quote
	}
	k.Quote, k.Last = 0, '"'
}

// LastQuote is the quote after which nothing came but the brackets that closed the value, or 0.
func (k *Tracker) LastQuote() byte { return k.lastQuote }

// Reopen goes on in the string that ended before the last closing brackets, after a further quote: they are text of it.
func (k *Tracker) Reopen() {
	k.Open, k.Quote, k.closing, k.lastQuote, k.passed = k.Open[:k.depth], k.lastQuote, true, 0, true
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

// FollowsValue reports whether a byte may follow a value, or a key.
func FollowsValue(c byte) bool { return c == ',' || c == ':' || c == ';' || isCloser(c) }

func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

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
		if opensString(k.Last) && !k.isHash || k.isHash && chars.IsSpace(before) {
			k.Quote = c
			return false
		}
	case '>':
		k.isHash = k.isHash || k.Last == '='
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

// opensComment reports whether a slash may begin a comment: after white space, a bracket or a comma, where no value
// goes on.
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

// opensString reports whether a quote after byte c opens a string: after a bracket, a comma, a colon, an equals sign,
// or the prefix letter of a Python string.
func opensString(c byte) bool {
	switch c {
	case '{', '[', '(', ',', ':', '=', '"', '}', ']', 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U', '|', '+', 0:
		return true
	}
	return '0' <= c && c <= '9' || c == 'e' || c == 'l' // after a number or a literal: the comma is missing
}

// pop closes the innermost bracket of c's kind, and those left open inside it. A closer without opener says nothing.
func (k *Tracker) pop(c byte) {
	for n := len(k.Open) - 1; n >= 0; n-- {
		if k.Open[n] == opener(c) {
			k.Open = k.Open[:n]
			return
		}
	}
}

// opener is the bracket that c closes.
func opener(c byte) byte {
	switch c {
	case '}':
		return '{'
	case ']':
		return '['
	}
	return '('
}

// Reset puts the tracker before the next value.
func (k *Tracker) Reset() { *k = Tracker{Open: k.Open[:0], shut: k.shut[:0]} }

// ClosesAll reports whether a text ends in the closers of all open brackets.
func ClosesAll(text string, open []byte) bool {
	if len(text) < len(open) || len(open) == 0 {
		return false
	}
	for i, c := range open {
		if closer := text[len(text)-1-i]; !isCloser(closer) || opener(closer) != c {
			return false
		}
	}
	return true
}

// ObjectEnd is where the object that begins at v[i:] ends; i where none does.
func ObjectEnd(v string, i int) int {
	k := chars.SpaceEnd(v, i)
	if k == len(v) || v[k] != '{' {
		return i
	}
	var t Tracker
	if end, why := t.Run(v, k, ""); why == Closed {
		return end
	}
	return i
}
