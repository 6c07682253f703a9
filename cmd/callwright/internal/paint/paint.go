// Package paint prints for people: text in colours where the output is a terminal whose owner wants them, as wide as
// that terminal, and safe to show whatever a model wrote into it.
package paint

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// A Style is how a text is painted: a parameter of the terminal's escape sequence.
type Style string

// The styles. Plain paints nothing.
const (
	Plain Style = ""
	Bold  Style = "1"
	Faint Style = "2"
	Red   Style = "31"
	Green Style = "32"
)

// The width of the output in columns: the default, and the bounds of COLUMNS.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 140
)

// A Printer writes to one output.
type Printer struct {
	Width   int  // columns
	Colours bool // Paint paints
	Live    bool // Update shows: it is a terminal, and takes escape sequences

	w       io.Writer
	updated bool // the cursor is behind a text of Update
}

// New returns a printer for w, as wide as COLUMNS says or, without it, the terminal is. It reads COLUMNS, NO_COLOR and
// TERM from env.
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

// Paint returns the text in a style, or as it is where the output has no colours.
func (p *Printer) Paint(style Style, text string) string {
	if !p.Colours || style == Plain {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Printf writes to the output. A failed write is not reported.
func (p *Printer) Printf(format string, args ...any) {
	p.Clear()
	fmt.Fprintf(p.w, format, args...)
}

// Println writes a line to the output. A failed write is not reported.
func (p *Printer) Println(args ...any) {
	p.Clear()
	fmt.Fprintln(p.w, args...)
}

// Update shows a text, cut to the width, in the line of the cursor, over the one that it showed before. It stays until
// Clear, or until something is printed. Where the output is not Live, nothing is shown.
func (p *Printer) Update(text string) {
	if !p.Live {
		return
	}
	fmt.Fprint(p.w, clearLine+p.Paint(Faint, CutRight(text, p.Width-1)))
	p.updated = true
}

// Clear takes away the text of Update.
func (p *Printer) Clear() {
	if p.updated {
		fmt.Fprint(p.w, clearLine)
		p.updated = false
	}
}

// clearLine takes the cursor to the beginning of its line and empties it.
const clearLine = "\r\x1b[K"

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth returns the columns of a stream that is a terminal, 0 for any other.
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

// VisibleLines is Visible for a text of several lines, whose ends stay.
func VisibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return strings.Join(lines, "\n")
}

// Visible returns a model's text made safe for a terminal: control characters and marks that turn the direction of
// writing are shown as such, a tab as a blank.
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
