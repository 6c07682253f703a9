package dialect

import "strings"

// aroundCall is the number of brackets around the arguments of a call that carries its name.
func aroundCall(text string) int { return 1 + strings.Count(text[:min(2, len(text))], "[") }

func openness(n, around int) int {
	switch {
	case n == 0:
		return 0
	case n <= around:
		return 1
	case n == around+1:
		return 2
	}
	return 3
}

// A tracker follows a bracketed value (JSON, a Python list, an argument list), broken or not, to its end. It knows
// strings in both kinds of quotes; a quote inside a string closes it only when what follows could follow a value, so
// unescaped inner quotes do not end it. Its zero value stands before the opening bracket.
type tracker struct {
	open    []byte // the open brackets
	quote   byte   // the quote that opened the string it is in, or 0
	escaped bool
	closing bool // a quote was met that closes the string if what follows agrees
	last    byte // the last byte outside strings that was no white space
	comment byte // the star or the slash of the comment it is in, or 0
	slashed bool // a slash was met that may begin a comment
	before  byte // the byte before, outside strings or in a comment
}

// A stop is why a tracker returned.
type stop uint8

const (
	more     stop = iota // the text ended
	closed               // the value ended
	markByte             // a byte that may begin a mark
)

// inString reports whether it is inside a string for certain.
func (k *tracker) inString() bool { return k.quote != 0 && !k.closing }

// run goes on at t[i:]. It stops at the value's end (the next byte is returned), at the end of the text, or at a byte
// of marks, which step must then pass.
func (k *tracker) run(t string, i int, marks string) (int, stop) {
	for i < len(t) {
		c := t[i]
		if k.inString() && !k.escaped {
			n := plainRun(t[i:])
			if i += n; i == len(t) {
				return i, more
			}
			c = t[i]
		}
		if k.comment == 0 && strings.IndexByte(marks, c) >= 0 {
			return i, markByte
		}
		i++
		if k.step(c) {
			return i, closed
		}
	}
	return i, more
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

// step passes one byte and reports whether it closed the value.
func (k *tracker) step(c byte) bool {
	switch {
	case k.comment != 0:
		k.inComment(c)
		return false
	case k.escaped:
		k.escaped = false
		return false
	case k.closing:
		if isSpace(c) {
			return false
		}
		k.closing = false
		if !followsValue(c) {
			return k.inside(c)
		}
		k.quote, k.last = 0, '"'
	case k.quote != 0:
		return k.inside(c)
	}
	return k.outside(c)
}

// inside passes a byte of a string.
func (k *tracker) inside(c byte) bool {
	switch c {
	case '\\':
		k.escaped = true
	case k.quote:
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
func (k *tracker) outside(c byte) bool {
	before := k.before
	k.before = c
	switch c {
	case '/', '*':
		if before == '/' && k.slashed {
			k.comment, k.slashed = c, false
			return false
		}
		k.slashed = c == '/' && opensComment(k.last, before)
		if k.slashed {
			return false
		}
	case '"', '\'':
		if opensString(k.last) {
			k.quote = c
			return false
		}
	case '{', '[', '(':
		k.open = append(k.open, c)
	case '}', ']', ')':
		k.pop(c)
		k.last = c
		return len(k.open) == 0
	}
	if !isSpace(c) {
		k.last = c
	}
	return false
}

// opensComment reports whether a slash may begin a comment: behind white space, a bracket or a comma, where no value goes on.
func opensComment(last, before byte) bool {
	return (isSpace(before) || before == last) && strings.IndexByte(`{[,:"}]`, last) >= 0 && (last != ':' || isSpace(before))
}

// inComment passes a byte of a comment.
func (k *tracker) inComment(c byte) {
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
func (k *tracker) pop(c byte) {
	var want byte
	switch c {
	case '}':
		want = '{'
	case ']':
		want = '['
	default:
		want = '('
	}
	for n := len(k.open) - 1; n >= 0; n-- {
		if k.open[n] == want {
			k.open = k.open[:n]
			return
		}
	}
}

// reset puts the tracker before the next value.
func (k *tracker) reset() { *k = tracker{open: k.open[:0]} }
