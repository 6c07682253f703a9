package backslash

import "strings"

// A Language selects the syntax of string escapes.
type Language uint8

// Languages of string literals.
const (
	JSON   Language = iota // with the escapes added by JavaScript and Markdown: \' \` \_ \x41 \u{1F600}
	Python                 // with \/ and \` of JavaScript
)

// plainEscapes contains the characters that form an escape directly after a backslash.
var plainEscapes = [...]string{JSON: "\"\\/bfnrt'`_", Python: "\"\\/bfnrt'`av\n01234567"}

// hexEscapes contains the letters that form an escape with hexadecimal digits.
var hexEscapes = [...]string{JSON: "xu", Python: "xuU"}

// IsUnknown reports whether the backslash at s[i] does not begin a valid escape of the language, such as \d in JSON. It
// returns false for a backslash at the end of s.
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

// HasUnknown reports whether s contains an invalid escape of the language, such as \d in JSON.
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

// Unwrap removes one level of escaping from text that may contain several strings: a backslash and the character
// from[n] become to[n]. Other escapes are kept. If s has an escape that is invalid in JSON, backslashes that a [Reader]
// classifies as text are also kept.
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

// digitsOf returns the number of hexadecimal digits after \x, \u or \U.
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

// isBraced reports whether s begins with hexadecimal digits in braces, such as {1F600}.
func isBraced(s string) bool {
	n := strings.IndexByte(s[:min(len(s), 8)], '}')
	return n > 1 && s[0] == '{' && isHex(s[1:], n-1)
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }

// isName reports whether c may be part of a file name, a variable or a command.
func isName(c byte) bool {
	return isLetter(c) || isDigit(c) || c >= 0x80 || strings.IndexByte("_-.%~@", c) >= 0
}
