// Package paint prints text to a terminal or file: with colors if the user wants them, wrapped to the width of the
// terminal, and with control characters of model output made harmless.
package paint

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// A Style is a text style: the parameter of a terminal's escape sequence.
type Style string

// The styles. Plain leaves a text unchanged.
const (
	Plain Style = ""
	Bold  Style = "1"
	Faint Style = "2"
	Red   Style = "31"
	Green Style = "32"
)

// The default width of the output in columns, and the limits for COLUMNS.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 140
)

// A Printer prints styled text to one output, such as a terminal.
type Printer struct {
	Width   int  // width in columns
	Colours bool // Paint adds escape sequences
	Live    bool // Update works: the output is a terminal with escape sequences

	w       io.Writer
	updated bool // the current line shows the text of Update
}

// New returns a printer for w. Its width is COLUMNS or, without it, the width of the terminal. env looks up COLUMNS,
// NO_COLOR and TERM.
func New(w io.Writer, env func(string) (string, bool)) *Printer {
	p := &Printer{Width: defaultWidth, w: w}
	columns, _ := env("COLUMNS")
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		p.Width = min(max(n, minWidth), maxWidth)
	} else if n := terminalWidth(w); n > 0 {
		p.Width = min(max(n, minWidth), maxWidth)
	}
	noColor, _ := env("NO_COLOR")
	term, _ := env("TERM")
	p.Live = term != "dumb" && IsTerminal(w)
	p.Colours = p.Live && noColor == ""
	return p
}

// Paint returns the text with escape sequences for the style. Without colors it returns the text unchanged.
func (p *Printer) Paint(style Style, text string) string {
	if !p.Colours || style == Plain {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Printf prints to the output. It ignores write errors.
func (p *Printer) Printf(format string, args ...any) {
	p.Clear()
	fmt.Fprintf(p.w, format, args...)
}

// Println prints a line to the output. It ignores write errors.
func (p *Printer) Println(args ...any) {
	p.Clear()
	fmt.Fprintln(p.w, args...)
}

// Update shows a text, cut to the width, in the current line, replacing its previous text. The text stays until Clear
// or the next output. If the printer is not Live, Update does nothing.
func (p *Printer) Update(text string) {
	if !p.Live {
		return
	}
	fmt.Fprint(p.w, clearLine+p.Paint(Faint, CutRight(text, p.Width-1)))
	p.updated = true
}

// Clear removes the text that Update has shown.
func (p *Printer) Clear() {
	if p.updated {
		fmt.Fprint(p.w, clearLine)
		p.updated = false
	}
}

// clearLine moves the cursor to the start of the line and clears the line.
const clearLine = "\r\x1b[K"

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth returns the width of a terminal in columns, 0 for any other stream.
func terminalWidth(stream any) int {
	f, ok := stream.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// VisibleLines is like Visible, but keeps line breaks.
func VisibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return strings.Join(lines, "\n")
}

// Visible makes a text safe for a terminal: it replaces control characters and bidirectional formatting characters by
// visible ones, and tabs by spaces.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ':
			return '␀' + r
		case r == 0x7F:
			return '␡'
		case unicode.IsControl(r), 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
			return '�'
		}
		return r
	}, s)
}
