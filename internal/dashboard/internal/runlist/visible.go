package runlist

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible writes a text so that a person who decides by it sees all of it: characters that hide, or that reorder
// others, are written as their number in a string of JSON, but for the ends of lines and tabs.
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
