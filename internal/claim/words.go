package claim

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A word is the byte range of a word in a text: letters, digits and joining characters, as in main.go, e-mail or I've.
type word struct{ from, to int }

// nextWord returns the first word of s that begins at or after offset at. ok is false if there is none.
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

// joins reports whether the byte at i is a joining character within a word.
func joins(s string, i int) bool {
	switch s[i] {
	case '.', '-', '/', '\'', ':', '@':
		return i+1 < len(s) && isWordByte(s[i+1])
	}
	return false
}

// isWordByte reports whether a byte is part of a word. Non-ASCII bytes are, because they are letters or typographic
// apostrophes.
func isWordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// maxWord is the maximum length in bytes of words that are looked up.
const maxWord = 24

// lower returns a word in lower case, stored in room. It returns nil for a word longer than maxWord.
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

// A wordSet is a set of words in lower case. The masks lengths and initials exclude most other words without a lookup.
type wordSet struct {
	words             map[string]bool
	lengths, initials uint32 // bit n: a word has n bytes; the lower five bits of its first byte are n
}

// isInSet reports whether a word is in a set, ignoring case.
func isInSet(s string, set *wordSet) bool {
	if s == "" || len(s) > maxWord || set.lengths>>len(s)&1 == 0 || set.initials>>(s[0]&31)&1 == 0 {
		return false
	}
	var room [maxWord]byte
	return set.has(string(lower(s, &room)))
}

// has reports whether a word in lower case is in the set.
func (set *wordSet) has(w string) bool { return set.words[w] }

// setOf returns the set of the words in a text.
func setOf(words string) *wordSet {
	set := &wordSet{words: map[string]bool{}}
	for _, w := range strings.Fields(words) {
		set.add(w)
	}
	return set
}

// add adds a word of at most maxWord bytes.
func (set *wordSet) add(w string) {
	set.words[w] = true
	set.lengths |= 1 << len(w)
	set.initials |= 1 << (w[0] & 31)
}

// hasWord reports whether a text contains a word of a set, ignoring case.
func hasWord(text string, set *wordSet) bool {
	for w, ok := nextWord(text, 0); ok; w, ok = nextWord(text, w.to) {
		if isInSet(text[w.from:w.to], set) {
			return true
		}
	}
	return false
}

// clip shortens a text to MaxSentence bytes, with an ellipsis.
func clip(text string) string {
	if len(text) <= MaxSentence {
		return strings.Clone(text)
	}
	return jsonx.Clip(text, MaxSentence) + "…"
}
