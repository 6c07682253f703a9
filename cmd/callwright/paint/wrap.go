package paint

import (
	"strings"
	"unicode/utf8"
)

// Wrap fills the paragraphs of a text anew, so that no line is wider than width where its words allow it. The first line begins at
// the margin that the caller wrote, the others behind indent. Empty lines stay, and so do lines that begin with a blank or a tab: they
// are commands.
func Wrap(text string, width int, indent string) string {
	var b strings.Builder
	var words []string
	fill := func() {
		fillWords(&b, words, width, indent)
		words = nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		kept := line == "" || line[0] == ' ' || line[0] == '\t'
		if !kept {
			words = append(words, strings.Fields(line)...)
			continue
		}
		if words != nil {
			fill()
			b.WriteByte('\n')
		}
		b.WriteString(line)
		if i < len(lines)-1 {
			b.WriteByte('\n')
		}
	}
	fill()
	return b.String()
}

func fillWords(b *strings.Builder, words []string, width int, indent string) {
	column := utf8.RuneCountInString(indent)
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
}
