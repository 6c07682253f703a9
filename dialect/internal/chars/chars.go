// Package chars classifies bytes, and holds the bounds of lookahead in one place.
package chars

import (
	"strings"
	"unicode"
)

// MaxBlank bounds the white space that is looked at in one place.
const MaxBlank = 256

// BarAt is the length of the bar, or of its look-alike, at t[i:], with a space that may stand before it; -1 where one
// may be cut.
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

// bar is barAt without the space; nothing may be a bar, too.
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

// Bounds of the text buffered for a mark.
const (
	MaxToken = 96
	MaxTag   = 640
)

// IsSpace reports whether c is white space. So is NUL, which engines leave in place of tokens that have no text, such
// as vLLM's of GigaChat 3.
func IsSpace(c byte) bool { return c == 0 || c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// IsUpper reports whether c is a capital letter of ASCII.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsLower reports whether c is a small letter of ASCII.
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

// MaxName bounds the length of a name as written.
const MaxName = 160

// IsNameByte reports whether c may stand in a name as models write them.
func IsNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' ||
		c == ':' || c == '\\' || c == '/'
}

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return IsLower(c) || IsUpper(c) }

// IsWordByte reports whether c may stand in a word of a sentence, in any language.
func IsWordByte(c byte) bool { return IsLetter(c) || c >= 0x80 || c == '_' }

// IsHeadByte reports whether c may stand in a name that a mark introduces.
func IsHeadByte(c byte) bool { return IsNameByte(c) || c >= 0x80 }

// IsTagByte reports whether c may stand in the name of a tag.
func IsTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|'
}

// IsJoint reports whether c divides a name from its namespace.
func IsJoint(c byte) bool { return c == '.' || c == ':' || c == '/' }

// WordEnd is where the word at v[i:] ends.
func WordEnd(v string, i int) int {
	for end := i; end < len(v) && end-i < MaxName; end++ {
		if !IsNameByte(v[end]) {
			return end
		}
	}
	return min(len(v), i+MaxName)
}

// SpaceEnd is where the white space at t[i:] ends, of which at most MaxBlank bytes are looked at.
func SpaceEnd(t string, i int) int {
	limit := min(len(t), i+MaxBlank)
	for i < limit && IsSpace(t[i]) {
		i++
	}
	return i
}

// First is the first byte of a text, 0 where it is empty.
func First(t string) byte {
	if t == "" {
		return 0
	}
	return t[0]
}

// NormalizeName is a name in lower case without the characters that divide its words and numbers: servers spell one
// model in several ways.
func NormalizeName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_.: ", c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// maxIdentifier is the longest name that every format carries without being asked.
const maxIdentifier = 64

// IsIdentifier reports whether a name is one of a programming language.
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
