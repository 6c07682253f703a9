package markup

import (
	"fmt"
	"strings"
)

// NameInMark stands for the tool's name in a mark.
const NameInMark = "%s"

// shortestMark is the length in bytes of the shortest mark: shorter texts stand in prose.
const shortestMark = 3

// CheckMark returns the fault of a mark of a caller's own, nil for none. A mark is a pair of tags, special tokens or
// texts in brackets, or the beginning of a line.
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

// holdsName reports whether a mark in brackets holds the place of one name, between texts that do not stand in prose.
func holdsName(text string) bool {
	head, rest, _ := strings.Cut(text, NameInMark)
	return text[0] == '[' && len(head) >= shortestMark && strings.Trim(head, "[ ") != "" && rest != "" && !strings.Contains(rest, NameInMark)
}
