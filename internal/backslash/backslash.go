package backslash

import "strings"

// A Language says which escapes are known.
type Language uint8

// The languages whose strings are read.
const (
	JSON   Language = iota // with the escapes that JavaScript and Markdown add: \' \` \_ \x41 \u{1F600}
	Python                 // with \/ and \` of JavaScript
)

// plainEscapes has the letters after a backslash that need nothing behind them.
var plainEscapes = [...]string{JSON: "\"\\/bfnrt'`_", Python: "\"\\/bfnrt'`av\n01234567"}

// hexEscapes has the letters after a backslash that need hexadecimal digits.
var hexEscapes = [...]string{JSON: "xu", Python: "xuU"}

// IsUnknown reports whether the backslash at s[i] begins no escape of a language. A backslash at the end of s is none.
func IsUnknown(s string, i int, l Language) bool {
	if i+1 >= len(s) {
		return false
	}
	c, rest := s[i+1], s[i+2:]
	if strings.IndexByte(hexEscapes[l], c) < 0 {
		return strings.IndexByte(plainEscapes[l], c) < 0
	}
	return !isHex(rest, digitsOf(c)) && !(c == 'u' && l == JSON && isBraced(rest))
}

// HasUnknown reports whether a text has an escape that a language does not know.
func HasUnknown(s string, l Language) bool {
	for i := 0; ; i += 2 {
		n := -1
		if i < len(s) {
			n = strings.IndexByte(s[i:], '\\')
		}
		if n < 0 {
			return false
		}
		if i += n; IsUnknown(s, i, l) {
			return true
		}
	}
}

// Unwrap takes one layer of escapes off a text of many strings: the letters of from after a backslash become those of
// to. Other escapes stay, and so do those that are text, where the text has an escape that JSON does not know.
func Unwrap(s, from, to string) string {
	var r *Reader
	if HasUnknown(s, JSON) {
		r = NewReader(s, '"', JSON)
	}
	var b strings.Builder
	b.Grow(len(s))
	run := 0
	for i := 0; ; i += 2 {
		n := -1
		if i < len(s) {
			n = strings.IndexByte(s[i:], '\\')
		}
		if i += n; n < 0 || i+1 >= len(s) {
			b.WriteString(s[run:])
			return b.String()
		}
		at := strings.IndexByte(from, s[i+1])
		if r != nil && r.IsText(i) || at < 0 {
			continue
		}
		b.WriteString(s[run:i])
		b.WriteByte(to[at])
		run = i + 2
	}
}

// digitsOf is the number of digits after \x, \u or \U.
func digitsOf(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	}
	return 8
}

func isHex(s string, n int) bool {
	if len(s) < n {
		return false
	}
	for i := range n {
		if c := s[i] | 0x20; !isDigit(s[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isBraced reports whether s begins with the digits of a character in braces.
func isBraced(s string) bool {
	n := strings.IndexByte(s[:min(len(s), 8)], '}')
	return n > 1 && s[0] == '{' && isHex(s[1:], n-1)
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }

// isName reports whether a byte is part of a word: of the name of a file, a variable or a command.
func isName(c byte) bool {
	return isLetter(c) || isDigit(c) || c >= 0x80 || strings.IndexByte("_-.%~@", c) >= 0
}
