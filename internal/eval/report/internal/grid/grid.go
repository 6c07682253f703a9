// Package grid prints tables and texts in lines of a given width. Control characters are replaced, so that untrusted
// text is safe on a terminal.
package grid

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Column is a column of a table. Its cells contain no line breaks.
type Column struct {
	Head  string
	Right bool // align right, for numbers
	Names bool // shorten cells in the middle
	// Least is the minimum width in characters to which it may be narrowed; 0 forbids narrowing.
	Least int
	// Drop determines which columns are omitted if the width is too small: those with the largest value first. 0 means
	// never.
	Drop  int
	Cells []string

	width int
}

const gap = 2 // number of spaces between columns

// Write writes a table. Columns are narrowed or dropped to fit into width characters, as far as they allow it.
func Write(w io.Writer, width int, columns []Column) error {
	columns = fit(columns, width)
	for i := -1; i < rowsOf(columns); i++ {
		var line strings.Builder
		for c := range columns {
			text := columns[c].Head
			if i >= 0 {
				text = columns[c].Cells[i]
			}
			if columns[c].Names {
				text = ShortenName(text, columns[c].width)
			}
			text = shorten(text, columns[c].width)
			pad := strings.Repeat(" ", columns[c].width-utf8.RuneCountInString(text))
			if columns[c].Right {
				text = pad + text
			} else {
				text += pad
			}
			if c > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			line.WriteString(text)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func rowsOf(columns []Column) int {
	if len(columns) == 0 {
		return 0
	}
	return len(columns[0].Cells)
}

// fit returns the columns that fit into the width, with their widths.
func fit(columns []Column, width int) []Column {
	var out []Column
	for _, c := range columns {
		if c.Drop > 0 && strings.Join(c.Cells, "") == "" {
			continue
		}
		c.width = c.natural()
		out = append(out, c)
	}
	for widthOf(out) > width {
		if i := widest(out); i >= 0 {
			out[i].width--
			continue
		}
		last := -1
		for i, c := range out {
			if c.Drop > 0 && (last < 0 || c.Drop > out[last].Drop) {
				last = i
			}
		}
		if last < 0 {
			return squeeze(out, width)
		}
		out = slices.Delete(out, last, last+1)
		for i := range out { // undo the narrowing, then narrow again
			out[i].width = out[i].natural()
		}
	}
	return out
}

// squeeze narrows columns of names below their minimum width.
func squeeze(columns []Column, width int) []Column {
	for widthOf(columns) > width {
		found := -1
		for i, c := range columns {
			if c.Names && c.width > 1 && (found < 0 || c.width > columns[found].width) {
				found = i
			}
		}
		if found < 0 {
			break
		}
		columns[found].width--
	}
	return columns
}

// widest returns the index of the widest column that can be narrowed, -1 if there is none.
func widest(columns []Column) int {
	found := -1
	for i, c := range columns {
		if c.Least > 0 && c.width > max(c.Least, utf8.RuneCountInString(c.Head)) && (found < 0 || c.width > columns[found].width) {
			found = i
		}
	}
	return found
}

// natural returns the width of the widest cell.
func (c *Column) natural() int {
	width := utf8.RuneCountInString(c.Head)
	for _, text := range c.Cells {
		width = max(width, utf8.RuneCountInString(text))
	}
	return width
}

func widthOf(columns []Column) int {
	sum := gap * max(0, len(columns)-1)
	for _, c := range columns {
		sum += c.width
	}
	return sum
}

// shorten truncates a text to the maximum number of characters most, with an ellipsis at its end.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(s)
	return strings.TrimRight(string(runes[:max(0, most-1)]), " ") + "…"
}

// ShortenName shortens a text to the maximum number of characters most, with an ellipsis in the middle, because similar
// names mostly differ at the end.
func ShortenName(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	end := (most - 1) * 2 / 3
	return string(runes[:most-1-end]) + "…" + string(runes[len(runes)-end:])
}

// Visible returns a text as one line that is safe for a terminal. Control characters and characters that change the
// writing direction are replaced by U+FFFD.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.In(r, unicode.Zl, unicode.Zp):
			return utf8.RuneError
		}
		return r
	}, s)
}

// Wrap breaks a text into lines of at most width characters, at spaces and within words that are too long. It returns
// at least one line.
func Wrap(s string, width int) []string {
	var lines []string
	var line []rune
	for field := range strings.FieldsSeq(s) {
		word := []rune(field)
		if len(line) > 0 && len(line)+1+len(word) > width {
			lines, line = append(lines, string(line)), nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for line = append(line, word...); len(line) > width; line = line[width:] {
			lines = append(lines, string(line[:width]))
		}
	}
	return append(lines, string(line))
}

// Clip returns a text as valid UTF-8, truncated to the maximum number of bytes most. A truncated text ends with an
// ellipsis.
func Clip(s string, most int) string {
	const ellipsis = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	return jsonx.Clip(s, most-len(ellipsis)) + ellipsis
}
