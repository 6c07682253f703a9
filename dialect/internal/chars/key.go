package chars

import "strings"

// CountKeys returns how often name occurs in text as a key: before a colon, equals sign or angle bracket, quoted or
// not, or as an attribute value.
func CountKeys(text, name string) int {
	n := 0
	for i := 0; ; {
		k := strings.Index(text[i:], name)
		if k < 0 || name == "" {
			return n
		}
		at := i + k
		i = at + len(name)
		if at > 0 && isWord(text[at-1]) || i < len(text) && isWord(text[i]) {
			continue
		}
		end := i
		for end < len(text) && strings.IndexByte(`\"' `, text[end]) >= 0 && end-i < MaxBlank {
			end++
		}
		attribute := at > 1 && end > i && text[at-2] == '=' && text[at-1] == text[i]
		if attribute || end < len(text) && strings.IndexByte(":=<>", text[end]) >= 0 {
			n++
		}
	}
}

func isWord(c byte) bool { return IsWordByte(c) || '0' <= c && c <= '9' }
