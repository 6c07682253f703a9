package paint

import (
	"strings"
	"unicode/utf8"
)

// Wrap wraps the paragraphs of a text to width columns, unless a word is longer. Lines other than the first start with
// indent. It keeps empty lines, and lines that start with a space or a tab, which are commands.
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

// Fold splits a line into parts of at most width columns, if possible after a space near the end. It only drops spaces
// at the ends of parts. It returns at least one part.
func Fold(line string, width int) []string {
	runes := []rune(line)
	var out []string
	for len(out) == 0 || len(runes) > 0 {
		n := foldAt(runes, max(width, 1))
		out = append(out, strings.TrimRight(string(runes[:n]), " "))
		runes = runes[n:]
	}
	return out
}

// foldAt returns the number of characters for the next line.
func foldAt(runes []rune, width int) int {
	fit, columns := 0, 0
	for fit < len(runes) {
		if columns += columnsOf(runes[fit]); columns > width {
			break
		}
		fit++
	}
	if fit == len(runes) {
		return fit
	}
	for n := fit; n > fit*2/3; n-- {
		if runes[n-1] == ' ' {
			return n
		}
	}
	return max(fit, 1)
}
