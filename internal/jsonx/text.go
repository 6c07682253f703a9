package jsonx

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// String returns the text of a JSON string, escapes read, as a copy. Lone surrogates become U+FFFD. ok is false when
// v is another kind of value.
func String(v []byte) (s string, ok bool) {
	v = Trim(v)
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return "", false
	}
	raw := inner(v)
	if quoteOrEscape(raw, 0) == len(raw) {
		return string(raw), true
	}
	out := Unquote(make([]byte, 0, len(raw)), v)
	return unsafe.String(unsafe.SliceData(out), len(out)), true
}

// inner returns v without its first and last byte, the quotes.
func inner(v []byte) []byte {
	if len(v) < 2 {
		return nil
	}
	return v[1 : len(v)-1]
}

// Unquote appends the text of the JSON string v to dst, escapes read. Lone surrogates become U+FFFD. Of another kind of
// value it appends nothing. dst must not overlap v.
func Unquote(dst, v []byte) []byte {
	v = Trim(v)
	if len(v) < 2 || v[0] != '"' {
		return dst
	}
	raw := inner(v)
	for i := 0; i < len(raw); {
		at := quoteOrEscape(raw, i)
		dst = append(dst, raw[i:at]...)
		if at >= len(raw) {
			break
		}
		var r rune
		r, i = nextRune(raw, at)
		dst = utf8.AppendRune(dst, r) // writes U+FFFD for a surrogate
	}
	return dst
}

// nextRune reads the character at i of the inside of a JSON string, and where the next begins. Lone surrogates are
// returned as they are.
func nextRune(raw []byte, i int) (rune, int) {
	if raw[i] != '\\' || i+1 >= len(raw) {
		if raw[i] < utf8.RuneSelf {
			return rune(raw[i]), i + 1
		}
		r, size := utf8.DecodeRune(raw[i:])
		return r, i + size
	}
	if raw[i+1] != 'u' {
		return rune(escapes[raw[i+1]]), i + 2
	}
	r, ok := hexRune(raw, i)
	if !ok {
		return utf8.RuneError, min(i+6, len(raw))
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hexRune(raw, i+6); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, i + 12
			}
		}
	}
	return r, i + 6
}

// hexRune reads an escape of the form \u1234 at i.
func hexRune(raw []byte, i int) (r rune, ok bool) {
	if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return 0, false
	}
	for _, c := range raw[i+2 : i+6] {
		switch {
		case isDigit(c):
			c -= '0'
		case isHex(c):
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// sameText reports whether the inside of a JSON string, escapes read as Unquote reads them, is text.
func sameText(raw []byte, text string) bool {
	for i := 0; i < len(raw); {
		if text == "" {
			return false
		}
		r, next := nextRune(raw, i)
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
		}
		t, size := utf8.DecodeRuneInString(text)
		if r != t {
			return false
		}
		i, text = next, text[size:]
	}
	return text == ""
}

// compareStrings orders the insides of two JSON strings by characters. Different lone surrogates differ.
func compareStrings(a, b []byte) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		var r, s rune
		r, i = nextRune(a, i)
		s, j = nextRune(b, j)
		if r != s {
			return int(r - s)
		}
	}
	return (len(a) - i) - (len(b) - j)
}

// AppendQuote appends s to dst as a JSON string. Only what must be escaped is: quote, backslash and controls; < > & stay
// as they are. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote[T ~string | ~[]byte](dst []byte, s T) []byte {
	// Strings and slices both begin with a pointer to their bytes, so one body serves both without a copy.
	return appendQuote(dst, unsafe.Slice(*(**byte)(unsafe.Pointer(&s)), len(s)))
}

const hexDigits = "0123456789abcdef"

// shorts has the letter after the backslash for what has a short escape.
var shorts = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// longQuote is the length from which the room for a text is made at once: growing with it would take several times as much.
const longQuote = 64 << 10

// quotedRoom is about how many bytes a text takes as a JSON string, never fewer but for bytes that are not UTF-8.
func quotedRoom(s []byte) int {
	n := len(s) + len(`""`)
	for i := plain(s, 0); i < len(s); i = plain(s, i+1) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
		case shorts[c] != 0:
			n++
		default:
			n += len("u0000")
		}
	}
	return n
}

func appendQuote(dst, s []byte) []byte {
	if len(s) >= longQuote {
		dst = slices.Grow(dst, quotedRoom(s))
	}
	dst = append(dst, '"')
	start := 0 // of what is not yet written
	for i := 0; ; {
		i = plain(s, i)
		if i >= len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		switch {
		case c >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		case shorts[c] != 0:
			dst = append(dst, '\\', shorts[c])
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}
