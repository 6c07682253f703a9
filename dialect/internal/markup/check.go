package markup

import (
	"fmt"
	"strings"
)

// NameInMark is the placeholder for the tool name in a marker.
const NameInMark = "%s"

// shortestMark is the minimum length of a marker in bytes, because shorter texts occur in prose.
const shortestMark = 3

// CheckMark returns an error if open and closing are not a valid marker for a caller's own format: a pair of tags,
// special tokens or texts in brackets or, if isLine is set, the beginning of a line.
func CheckMark(open, closing string, isLine bool) error {
	switch {
	case isLine && (len(open) < shortestMark || strings.TrimSpace(open) != open || strings.ContainsAny(open+closing, "<[{(`~&\n")):
		return fmt.Errorf("mark %q: expected at least %d bytes of one line, without brackets and without white space around them", open, shortestMark)
	case isLine:
		return nil
	}
	for _, text := range []string{open, closing} {
		switch {
		case text == "" && text == closing:
		case len(text) < shortestMark, strings.TrimSpace(text) != text, strings.Trim(text, "</>|[]=") == "":
			return fmt.Errorf("mark %q: expected at least %d bytes with a name, without white space around them", text, shortestMark)
		case strings.Contains(text, NameInMark) && (text == closing || !holdsName(text)):
			return fmt.Errorf("mark %q: expected %s for the tool's name once, inside of an opening mark in brackets", text, NameInMark)
		case text[0] != '[' && (text[0] != '<' || text[len(text)-1] != '>'):
			return fmt.Errorf("mark %q: expected a tag in < and >, or a text that begins with [", text)
		}
	}
	return nil
}

// holdsName reports whether a marker in brackets has exactly one placeholder for the name, with sufficient text before
// it.
func holdsName(text string) bool {
	head, rest, _ := strings.Cut(text, NameInMark)
	return text[0] == '[' && len(head) >= shortestMark && strings.Trim(head, "[ ") != "" && rest != "" && !strings.Contains(rest, NameInMark)
}
