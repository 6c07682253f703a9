// Package grid prints tables and texts for people, in lines of a given width, and safe to show on a terminal whatever
// they say.
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

// A Column of a table. Its cells are texts without line ends.
type Column struct {
	Head  string
	Right bool // numbers
	Names bool // which are shortened in their middle
	// Least is how narrow it may become, 0 for as wide as its cells are.
	Least int
	// Drop says which columns go first where the width does not suffice for all: those with the largest. 0 stays.
	Drop  int
	Cells []string

	width int
}

const gap = 2 // blanks between columns

// Write writes columns side by side, at most so wide where they can be made so narrow.
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

// fit gives the columns that find room their widths.
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
		for i := range out { // with room again for what was narrowed
			out[i].width = out[i].natural()
		}
	}
	return out
}

// squeeze makes names narrower than they should be.
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

// widest is the widest of the columns that may be narrower, -1 for none.
func widest(columns []Column) int {
	found := -1
	for i, c := range columns {
		if c.Least > 0 && c.width > max(c.Least, utf8.RuneCountInString(c.Head)) && (found < 0 || c.width > columns[found].width) {
			found = i
		}
	}
	return found
}

// natural is the width of the widest cell.
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

// shorten cuts a text at its end to so many characters.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(s)
	return strings.TrimRight(string(runes[:max(0, most-1)]), " ") + "…"
}

// ShortenName cuts a name in its middle: names that begin alike mostly end differently.
func ShortenName(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	end := (most - 1) * 2 / 3
	return string(runes[:most-1-end]) + "…" + string(runes[len(runes)-end:])
}

// Visible is a text made safe for a terminal, in one line: control characters, and those that turn the direction of
// writing, are marks.
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

// Wrap breaks a text at its blanks, and words that are too long wherever that is, into lines that are at most so wide.
// There is one line at least.
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

// Clip is a text of at most so many bytes, in valid UTF-8, with an ellipsis where there was more.
func Clip(s string, most int) string {
	const ellipsis = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	return jsonx.Clip(s, most-len(ellipsis)) + ellipsis
}
