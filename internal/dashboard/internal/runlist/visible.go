package runlist

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible returns a text in which characters that are invisible or change the reading order are replaced by their
// escape, such as \u202e. Line ends and tabs are kept. It ensures that a person sees all of a text before a decision.
func Visible(text string) string {
	hidden := func(r rune) bool {
		return !unicode.IsGraphic(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Zs, r) && r != ' '
	}
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
