// Package chars classifies bytes and defines the limits of lookahead.
package chars

import (
	"strings"
	"unicode"
)

// MaxBlank is the maximum number of white-space bytes that are scanned at once.
const MaxBlank = 256

// BarAt returns the size of a vertical bar or a similar character at t[i:], including a preceding space. It returns 0
// if there is none and -1 if it may be incomplete.
func BarAt(t string, i int) int {
	if i < len(t) && t[i] == ' ' {
		if n := bar(t, i+1); n != 0 {
			return n + min(1, max(n, 0))
		}
		return 0
	}
	if i == len(t) {
		return 0
	}
	return bar(t, i)
}

// bar is BarAt without the preceding space. It returns -1 at the end of t.
func bar(t string, i int) int {
	if i >= len(t) {
		return -1
	}
	if t[i] == '|' {
		return 1
	}
	for _, look := range [...]string{"｜", "‖"} {
		if strings.HasPrefix(t[i:], look) {
			return len(look)
		}
		if len(t)-i < len(look) && strings.HasPrefix(look, t[i:]) {
			return -1
		}
	}
	return 0
}

// Maximum sizes of markers in bytes.
const (
	MaxToken = 96
	MaxTag   = 640
)

// IsSpace reports whether c is white space or NUL. Some engines emit NUL for tokens without text, for example vLLM
// with GigaChat 3.
func IsSpace(c byte) bool { return c == 0 || c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// IsUpper reports whether c is an ASCII capital letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsLower reports whether c is an ASCII lower-case letter.
func IsLower(c byte) bool { return 'a' <= c && c <= 'z' }

// IsASCII reports whether all bytes of s are ASCII.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// MaxName is the maximum length of a written name in bytes.
const MaxName = 160

// IsNameByte reports whether c can be part of a tool name as models write it.
func IsNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' ||
		c == ':' || c == '\\' || c == '/'
}

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return IsLower(c) || IsUpper(c) }

// IsWordByte reports whether c can be part of a word in any language.
func IsWordByte(c byte) bool { return IsLetter(c) || c >= 0x80 || c == '_' }

// IsHeadByte reports whether c can be part of a tool name after a marker.
func IsHeadByte(c byte) bool { return IsNameByte(c) || c >= 0x80 }

// IsTagByte reports whether c can be part of a tag name.
func IsTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|'
}

// IsJoint reports whether c can separate a namespace from a name.
func IsJoint(c byte) bool { return c == '.' || c == ':' || c == '/' }

// WordEnd returns the end of the name at v[i:], at most MaxName bytes after i.
func WordEnd(v string, i int) int {
	for end := i; end < len(v) && end-i < MaxName; end++ {
		if !IsNameByte(v[end]) {
			return end
		}
	}
	return min(len(v), i+MaxName)
}

// SpaceEnd returns the end of the white space at t[i:], at most MaxBlank bytes after i.
func SpaceEnd(t string, i int) int {
	limit := min(len(t), i+MaxBlank)
	for i < limit && IsSpace(t[i]) {
		i++
	}
	return i
}

// First returns the first byte of t, 0 if t is empty.
func First(t string) byte {
	if t == "" {
		return 0
	}
	return t[0]
}

// NormalizeName returns a model name in lower case without separators, because servers spell a model differently.
func NormalizeName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_.: ", c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// maxIdentifier is the maximum length of a name that every format can carry.
const maxIdentifier = 64

// IsIdentifier reports whether name is an ASCII identifier of at most 64 bytes.
func IsIdentifier(name string) bool {
	if name == "" || len(name) > maxIdentifier || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c != '_' && !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return false
		}
	}
	return true
}
