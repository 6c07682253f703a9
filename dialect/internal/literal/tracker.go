package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Tracker finds the end of a bracketed value (JSON, a Python list or an argument list), valid or malformed. It
// handles strings in both types of quotes. A quote closes a string only if the following text can follow a value, so
// unescaped inner quotes are tolerated. The zero Tracker is before the opening bracket.
type Tracker struct {
	Open      []byte // stack of open brackets
	Quote     byte   // opening quote of the current string, 0 outside strings
	escaped   bool
	closing   bool   // a quote was found that closes the string if the following text agrees
	lastQuote byte   // the last quote, as long as only closing brackets followed
	depth     int    // number of open brackets at that quote
	shut      []byte // these closing brackets
	passed    bool   // they were treated as text of the string, because the same quote followed
	Last      byte   // last byte outside strings that is not white space
	comment   byte   // '*' or '/' inside a comment, otherwise 0
	slashed   bool   // a slash may begin a comment
	before    byte   // the previous byte, outside strings
	isHash    bool   // an arrow was found: keys have no colon, and values follow white space
}

// A Stop is the reason why Run returned.
type Stop uint8

// Reasons why Run returns.
const (
	More   Stop = iota // the text ended
	Closed             // the value ended
	AtMark             // a byte that may begin a marker
)

// InString reports whether the position is certainly inside a string.
func (k *Tracker) InString() bool { return k.Quote != 0 && !k.closing }

// Run scans from t[i:]. It stops after the end of the value, at the end of the text, or at a byte in marks, which Step
// must then process.
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

// plainRun returns the number of leading bytes without meaning inside a string.
func plainRun(t string) int {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '"', '\'', '\\', '<', '[', '`':
			return i
		}
	}
	return len(t)
}

// Step processes one byte. It reports whether the byte closed the value.
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

// endString ends the current string before c. If c makes it a key, brackets that were treated as its text are brackets
// after all, and a comma is missing.
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

// LastQuote returns the last quote if only the brackets that closed the value followed, otherwise 0.
func (k *Tracker) LastQuote() byte { return k.lastQuote }

// Reopen continues the string that ended before the last closing brackets, which are text, after a further quote.
func (k *Tracker) Reopen() {
	k.Open, k.Quote, k.closing, k.lastQuote, k.passed = k.Open[:k.depth], k.lastQuote, true, 0, true
}

// inside updates the state for a byte inside a string. It returns false: the byte does not close the value.
func (k *Tracker) inside(c byte) bool {
	switch c {
	case '\\':
		k.escaped = true
	case k.Quote:
		k.closing = true
	}
	return false
}

// FollowsValue reports whether c can follow a value or key.
func FollowsValue(c byte) bool { return c == ',' || c == ':' || c == ';' || isCloser(c) }

func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

// outside updates the state for a byte outside strings. It reports whether the byte closes the value.
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

// opensComment reports whether a slash can begin a comment at this position: after white space, a bracket or a comma.
func opensComment(last, before byte) bool {
	return (chars.IsSpace(before) || before == last) && strings.IndexByte(`{[,:"}]`, last) >= 0 && (last != ':' || chars.IsSpace(before))
}

// inComment ends the comment if c, a byte of it, is its last byte.
func (k *Tracker) inComment(c byte) {
	if k.comment == '/' && (c == '\n' || c == '\r') || k.comment == '*' && k.before == '*' && c == '/' {
		k.comment, c = 0, ' '
	}
	k.before = c
}

// opensString reports whether a quote after c can open a string: after a bracket, comma, colon or equals sign, or the
// prefix letter of a Python string.
func opensString(c byte) bool {
	switch c {
	case '{', '[', '(', ',', ':', '=', '"', '}', ']', 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U', '|', '+', 0:
		return true
	}
	return '0' <= c && c <= '9' || c == 'e' || c == 'l' // after a number or literal, if the comma is missing
}

// pop closes the innermost bracket that c closes and the brackets inside it. It ignores c if there is none.
func (k *Tracker) pop(c byte) {
	for n := len(k.Open) - 1; n >= 0; n-- {
		if k.Open[n] == opener(c) {
			k.Open = k.Open[:n]
			return
		}
	}
}

// opener returns the opening bracket for the closing bracket c.
func opener(c byte) byte {
	switch c {
	case '}':
		return '{'
	case ']':
		return '['
	}
	return '('
}

// Reset prepares the tracker for the next value.
func (k *Tracker) Reset() { *k = Tracker{Open: k.Open[:0], shut: k.shut[:0]} }

// ClosesAll reports whether text ends with closing brackets for all opening brackets in open.
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

// ObjectEnd returns the end of the object at v[i:], or i if there is none.
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
