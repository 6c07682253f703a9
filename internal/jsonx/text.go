package jsonx

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// String returns a copy of the unescaped text of a JSON string. Lone surrogates become U+FFFD. ok is false if v is not
// a string.
func String(v []byte) (s string, ok bool) {
	v = Trim(v)
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return "", false
	}
	raw := inner(v)
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), true
	}
	return unescape(raw), true
}

// unescape returns the unescaped contents of a JSON string.
func unescape(raw []byte) string {
	var room [512]byte
	n, i := unquote(room[:], raw, 0)
	if i == len(raw) {
		return string(room[:n])
	}
	var b strings.Builder
	b.Grow(len(raw))
	b.Write(room[:n])
	for i < len(raw) {
		n, i = unquote(room[:], raw, i)
		b.Write(room[:n])
	}
	return b.String()
}

// inner returns v without its first and last byte, the quotes.
func inner(v []byte) []byte {
	if len(v) < 2 {
		return nil
	}
	return v[1 : len(v)-1]
}

// Unquote appends the unescaped text of the JSON string v to dst. Lone surrogates become U+FFFD. It appends nothing if
// v is not a string. dst must not overlap v.
func Unquote(dst, v []byte) []byte {
	v = Trim(v)
	if len(v) < 2 || v[0] != '"' {
		return dst
	}
	raw := inner(v)
	dst = slices.Grow(dst, len(raw)+unquoteRoom) // an escape is at least as long as its character, unless cut at the end
	n, _ := unquote(dst[len(dst):cap(dst)], raw, 0)
	return dst[:len(dst)+n]
}

// unquoteRoom is the maximum number of bytes that one step of unquote writes: a word whose last byte begins an escape.
const unquoteRoom = wordSize - 1 + utf8.UTFMax

// unquote writes the unescaped contents raw of a JSON string, from offset i, to out while unquoteRoom bytes are left. n
// is the number of written bytes, end the offset in raw at which it stopped.
func unquote(out, raw []byte, i int) (n, end int) {
	for i < len(raw) && n+unquoteRoom <= len(out) {
		if i+wordSize <= len(raw) { // a whole word is copied; bytes after its backslash are overwritten later
			w := load(raw, i)
			store(out, n, w)
			m := equalTo(w, '\\')
			if m == 0 {
				i, n = i+wordSize, n+wordSize
				continue
			}
			i, n = i+first(m), n+first(m)
		}
		if raw[i] != '\\' {
			out[n] = raw[i]
			i, n = i+1, n+1
			continue
		}
		var r rune
		r, i = nextRune(raw, i)
		if r < utf8.RuneSelf {
			out[n] = byte(r)
			n++
			continue
		}
		n = len(utf8.AppendRune(out[:n], r)) // writes U+FFFD for a surrogate
	}
	return n, i
}

// nextRune decodes the character at offset i of the contents of a JSON string. It also returns the offset of the next
// one. Lone surrogates are returned unchanged.
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

// hexRune decodes an escape such as \u1234 at offset i. ok is false if there is none.
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

// sameText reports whether the contents of a JSON string, unescaped as by Unquote, equal text.
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

// compareStrings compares the unescaped contents of two JSON strings by code points. Lone surrogates keep their value.
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

// AppendQuote appends s to dst as a JSON string. It escapes only quotes, backslashes and control characters, and not <,
// > and &. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote[T ~string | ~[]byte](dst []byte, s T) []byte {
	return appendQuote(dst, []byte(s)) // without a copy, since appendQuote neither retains nor modifies the bytes
}

const hexDigits = "0123456789abcdef"

// quoteRoom is the maximum number of bytes that one step of quoting writes: a word and an escape.
const quoteRoom = 2 * wordSize

// shorts are the letters after the backslash of short escapes, by character; 0 for a character without one.
var shorts = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// longQuote is the length from which the memory for a string is allocated at once, since growing it would take several
// times as long.
const longQuote = 64 << 10

// quotedRoom returns an upper bound of the length of s as a JSON string, unless s contains invalid UTF-8.
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
	room := len(s) + len(s)/16
	if len(s) >= longQuote {
		room = quotedRoom(s)
	}
	dst = append(slices.Grow(dst, room+quoteRoom), '"')
	out, n := dst[:cap(dst)], len(dst)
	for i := 0; i < len(s); {
		// a whole word is copied; bytes after the first one to escape are overwritten later
		for i+wordSize <= len(s) && n+quoteRoom <= len(out) {
			w := load(s, i)
			store(out, n, w)
			if m := unusual(w); m != 0 {
				i, n = i+first(m), n+first(m)
				break
			}
			i, n = i+wordSize, n+wordSize
		}
		if i >= len(s) {
			break
		}
		if len(out)-n < quoteRoom {
			out = slices.Grow(out[:n], len(s)-i+len(s)/4+quoteRoom)
			out = out[:cap(out)]
		}
		switch c := s[i]; {
		case shorts[c] != 0:
			out[n], out[n+1] = '\\', shorts[c]
			n += 2
		case c >= utf8.RuneSelf:
			if end := passRune(s, i); end > 0 && i+4 <= len(s) { // four bytes are copied; those after the rune are overwritten later
				binary.LittleEndian.PutUint32(out[n:n+4], binary.LittleEndian.Uint32(s[i:i+4]))
				i, n = end, n+end-i
				continue
			}
			r, size := utf8.DecodeRune(s[i:])
			n = len(utf8.AppendRune(out[:n], r))
			i += size
			continue
		case c >= 0x20:
			out[n] = c
			n++
		default:
			n = len(append(out[:n], '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15]))
		}
		i++
	}
	return append(out[:n], '"')
}

// ValidText reports whether v is exactly one JSON string, as strictly as Valid.
func ValidText(v []byte) bool { return len(v) > 1 && v[0] == '"' && passString(v, 1) == len(v) }
