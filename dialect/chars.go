package dialect

import (
	"slices"
	"strings"
)

// maxBlank bounds the white space that is looked at in one place.
const maxBlank = 256

// barAt is the length of the bar, or of its look-alike, at t[i:], with a space that may stand before it; -1 where one may
// be cut.
func barAt(t string, i int) int {
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

// Bounds of what is buffered for a mark.
const (
	maxToken = 96
	maxTag   = 640
)

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// maxName bounds the length of a name as written.
const maxName = 160

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '\\' || c == '/'
}

func isLetter(c byte) bool { return isLower(c) || isUpper(c) }

// isWordByte reports whether c may stand in a word of a sentence, in any language.
func isWordByte(c byte) bool { return isLetter(c) || c >= 0x80 || c == '_' }

// isHeadByte reports whether c may stand in a name that a mark introduces.
func isHeadByte(c byte) bool { return isNameByte(c) || c >= 0x80 }

func isTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|'
}

func isJoint(c byte) bool { return c == '.' || c == ':' || c == '/' }

// wordEnd is where the word at v[i:] ends.
func wordEnd(v string, i int) int {
	for end := i; end < len(v) && end-i < maxName; end++ {
		if !isNameByte(v[end]) {
			return end
		}
	}
	return min(len(v), i+maxName)
}

// spaceEnd is where the white space at t[i:] ends, of which at most maxBlank bytes are looked at.
func spaceEnd(t string, i int) int {
	limit := min(len(t), i+maxBlank)
	for i < limit && isSpace(t[i]) {
		i++
	}
	return i
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func firstByte(t string) byte {
	if t == "" {
		return 0
	}
	return t[0]
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
