package claim

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A word is the byte range of a word in a sentence: letters, digits and joining marks, as in main.go, e-mail or I've.
type word struct{ from, to int }

// nextWord returns the first word of a text at or behind a place. ok is false at the end.
func nextWord(s string, at int) (w word, ok bool) {
	for at < len(s) && !isWordByte(s[at]) {
		at++
	}
	if at == len(s) {
		return word{}, false
	}
	end := at
	for end < len(s) && (isWordByte(s[end]) || joins(s, end)) {
		end++
	}
	return word{at, end}, true
}

// joins reports whether a byte that is none of a word stands inside one.
func joins(s string, i int) bool {
	switch s[i] {
	case '.', '-', '/', '\'', ':', '@':
		return i+1 < len(s) && isWordByte(s[i+1])
	}
	return false
}

// isWordByte reports whether a byte is of a word. Bytes beyond ASCII are: they are of letters, or of the typographic
// apostrophe.
func isWordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// maxWord bounds the words that are looked up, in bytes.
const maxWord = 24

// lower writes a word in small letters into room and returns it. Words that are longer than the room are none that is
// looked up: it returns nil.
func lower(s string, room *[maxWord]byte) []byte {
	if len(s) > maxWord {
		return nil
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		room[i] = c
	}
	return room[:len(s)]
}

// is reports whether a word of a sentence is one of a set.
func is(s string, set map[string]bool) bool {
	var room [maxWord]byte
	return set[string(lower(s, &room))]
}

// setOf is the set of the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// hasWord reports whether a text has a word, whatever its case.
func hasWord(text string, set map[string]bool) bool {
	for w, ok := nextWord(text, 0); ok; w, ok = nextWord(text, w.to) {
		if is(text[w.from:w.to], set) {
			return true
		}
	}
	return false
}

// clip cuts a text that is too long, between two characters.
func clip(text string) string {
	if len(text) <= MaxSentence {
		return strings.Clone(text)
	}
	return jsonx.Clip(text, MaxSentence) + "…"
}
