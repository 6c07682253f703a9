package jsonx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrDepth is the error for arrays and objects nested deeper than MaxDepth.
var ErrDepth = errors.New("json: nested deeper than 512 levels")

// A SyntaxError is the error for text that is not valid JSON.
type SyntaxError struct {
	Offset int    // offset of the first byte that makes the text invalid; the length of a text that is incomplete
	Want   string // the permitted input, such as "a value"
	Got    string // the actual input: a quoted character, a byte in hexadecimal, or "end of text"
}

// Error returns "json: expected WANT at byte OFFSET, got GOT".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("json: expected %s at byte %d, got %s", e.Want, e.Offset, e.Got)
}

// Valid returns an error unless b is exactly one JSON value with optional white space around it, by RFC 8259, with
// strings in well-formed UTF-8 and nesting up to MaxDepth. Duplicate names and lone surrogate escapes are permitted, as
// in the RFC. It makes one pass without allocation. For invalid text a second pass finds the error, a *SyntaxError or
// ErrDepth.
func Valid(b []byte) error {
	if accepts(b) {
		return nil
	}
	var c Checker
	if err := c.Feed(b); err != nil {
		return err
	}
	return c.Close()
}

// accepts reports whether the text is valid. It is faster than a Checker, which finds the error.
func accepts(b []byte) bool {
	i := Space(b, 0)
	if i >= len(b) {
		return false
	}
	i = passValue(b, i, MaxDepth)
	return i >= 0 && Space(b, i) == len(b)
}

// passValue returns the offset after the value at i, or -1 if it is invalid or nested deeper than room.
func passValue(b []byte, i, room int) int {
	switch kinds[b[i]] {
	case Text:
		return passString(b, i+1)
	case Number:
		return passNumber(b, i)
	case Null, Bool:
		return passLiteral(b, i)
	case Array, Object:
		return passContainer(b, i, room)
	}
	return -1
}

// passContainer returns the offset after the array or object at i, or -1 if it is invalid or nested deeper than room,
// including itself.
func passContainer(b []byte, i, room int) int {
	var open nesting
	for {
		if i >= len(b) {
			return -1
		}
		k := kinds[b[i]]
		switch k {
		case Text:
			i = passString(b, i+1)
		case Number:
			i = passNumber(b, i)
		case Null, Bool:
			i = passLiteral(b, i)
		case Array, Object:
			if open.depth >= room {
				return -1
			}
			next := Space(b, i+1)
			if next < len(b) && b[next] == b[i]+2 { // ']' and '}' are '[' and '{' plus two
				i = next + 1
				break
			}
			open.push(k)
			if k == Object {
				next = passKey(b, next)
			}
			if i = next; i < 0 {
				return -1
			}
			continue
		default:
			return -1
		}
		if i < 0 || open.depth == 0 {
			return i
		}
		var done bool
		if i, done = passEnds(b, i, &open); done {
			return i
		}
	}
}

// passEnds skips closing brackets and a comma after a value, to the start of the next value. done reports that the
// outermost array or object is closed, or that the text is invalid and next is -1.
func passEnds(b []byte, i int, open *nesting) (next int, done bool) {
	for {
		if i = Space(b, i); i >= len(b) {
			return -1, true
		}
		k := open.top()
		switch c := b[i]; {
		case c == ',':
			i = Space(b, i+1)
			if k == Object {
				i = passKey(b, i)
			}
			return i, i < 0
		case c == '}' && k == Object, c == ']' && k == Array:
			i++
			if open.depth--; open.depth == 0 {
				return i, true
			}
		default:
			return -1, true
		}
	}
}

// passKey returns the offset of the value after the member name and colon at i, or -1 if they are invalid.
func passKey(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	if i = passString(b, i+1); i < 0 {
		return -1
	}
	if i = Space(b, i); i >= len(b) || b[i] != ':' {
		return -1
	}
	return Space(b, i+1)
}

// passString returns the offset after a string whose text begins at i, or -1 if it is invalid.
func passString(b []byte, i int) int {
	end, _ := passText(b, i)
	return end
}

// passText is passString that also reports whether AppendQuote would write the string differently.
func passText(b []byte, i int) (end int, rewritten bool) {
	for {
		for i+wordSize <= len(b) {
			if m := unusual(load(b, i)); m != 0 {
				i += first(m)
				break
			}
			i += wordSize
		}
		if i >= len(b) {
			return -1, false
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, rewritten
		case c == '\\':
			if i+1 < len(b) && kept[b[i+1]] {
				i += 2
				continue
			}
			if i = passEscape(b, i+1); i < 0 {
				return -1, false
			}
			rewritten = true
		case c >= utf8.RuneSelf:
			for i < len(b) && b[i] >= utf8.RuneSelf {
				if i = passRune(b, i); i < 0 {
					return -1, false
				}
			}
		case c < ' ':
			return -1, false
		default: // less than a word is left
			i++
		}
	}
}

// passRune returns the offset after the non-ASCII character at i, or -1 if it is invalid UTF-8. The forms are in RFC
// 3629, section 4.
func passRune(b []byte, i int) int {
	if i+4 > len(b) {
		if r, n := utf8.DecodeRune(b[i:]); r != utf8.RuneError || n > 1 {
			return i + n
		}
		return -1
	}
	switch w := binary.LittleEndian.Uint32(b[i:]); {
	case w&0xc0c0f0 == 0x8080e0 && w&0x200f != 0 && w&0x200f != 0x200d: // not overlong, and not a surrogate
		return i + 3
	case w&0xc0e0 == 0x80c0 && w&0x1e != 0:
		return i + 2
	case w&0xc0c0c0f8 == 0x808080f0 && w&0x3007 != 0 && (w&0x07 < 4 || w&0x3007 == 4): // up to U+10FFFF
		return i + 4
	}
	return -1
}

// escapes are the characters of escapes, by the byte after the backslash; 'u' maps to itself.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// kept are the bytes after a backslash of escapes that AppendQuote writes in the same way.
var kept = func() (all [256]bool) {
	for c, stands := range escapes {
		all[c] = stands != 0 && shorts[stands] == byte(c)
	}
	return all
}()

// passEscape returns the offset after an escape whose backslash precedes i, or -1 if it is invalid.
func passEscape(b []byte, i int) int {
	switch {
	case i >= len(b) || escapes[b[i]] == 0:
		return -1
	case b[i] != 'u':
		return i + 1
	case i+5 > len(b):
		return -1
	}
	for _, c := range b[i+1 : i+5] {
		if !isHex(c) {
			return -1
		}
	}
	return i + 5
}

func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isDigit(c byte) bool { return c-'0' <= 9 }

// passNumber returns the offset after the number at i, or -1 if it is invalid.
func passNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b) || !isDigit(b[i]):
		return -1
	case b[i] == '0':
		i++
	default:
		i = passDigits(b, i)
	}
	if i < len(b) && b[i] == '.' {
		if i = passDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = passDigits(b, i)
	}
	return i
}

// passDigits returns the offset after one or more digits at i, or -1 if there are none.
func passDigits(b []byte, i int) int {
	start := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// passLiteral returns the offset after true, false or null at i, or -1 if it is invalid.
func passLiteral(b []byte, i int) int {
	word := literals[b[i]]
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

// literals are true, false and null by their first byte.
var literals = [256]string{'t': "true", 'f': "false", 'n': "null"}
