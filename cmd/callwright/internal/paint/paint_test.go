package paint_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/prerequisite"
)

// env returns an environment of these variables.
func env(vars map[string]string) func(string) (string, bool) {
	return func(key string) (string, bool) { v, ok := vars[key]; return v, ok }
}

// openTerminal opens a terminal of the test's own.
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		prerequisite.Missing(t, "a terminal:", err)
	}
	t.Cleanup(func() { f.Close() })
	if !paint.IsTerminal(f) {
		prerequisite.Missing(t, "a terminal: /dev/ptmx is none")
	}
	return f
}

// Colours are for terminals whose owner wants them.
func TestColours(t *testing.T) {
	terminal := openTerminal(t)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		about string
		out   io.Writer
		vars  map[string]string
		want  string
	}{
		{"a terminal", terminal, nil, "\x1b[31mx\x1b[0m"},
		{"a terminal without colours", terminal, map[string]string{"NO_COLOR": "1"}, "x"},
		{"a dumb terminal", terminal, map[string]string{"TERM": "dumb"}, "x"},
		{"a pipe", &bytes.Buffer{}, nil, "x"},
		{"nowhere", null, nil, "x"},
	} {
		p := paint.New(c.out, env(c.vars))
		if got := p.Paint(paint.Red, "x"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
		if got := p.Paint(paint.Plain, "x"); got != "x" {
			t.Errorf("%s: plain text is painted: %q", c.about, got)
		}
	}
}

func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 80, "wide": 80, "0": 80, "-5": 80, "1": 40, "100": 100, "100000": 140} {
		if got := paint.New(io.Discard, env(map[string]string{"COLUMNS": columns})).Width; got != want {
			t.Errorf("COLUMNS=%s: got %d, want %d", columns, got, want)
		}
	}
}

// A terminal says how wide it is, unless COLUMNS does.
func TestWidthOfTerminal(t *testing.T) {
	f := openTerminal(t)
	for columns, want := range map[uint16]int{20: 40, 80: 80, 120: 120, 300: 140} {
		if err := setWidth(f, columns); err != nil {
			prerequisite.Missing(t, "a terminal whose size can be set:", err)
		}
		if got := paint.New(f, env(nil)).Width; got != want {
			t.Errorf("%d columns: got %d, want %d", columns, got, want)
		}
		if got := paint.New(f, env(map[string]string{"COLUMNS": "99"})).Width; got != 99 {
			t.Errorf("COLUMNS does not win: got %d", got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct{ about, text, indent, want string }{
		{"a short line", "one two", "", "one two"},
		{"a long line", "one two three four", "", "one two\nthree four"},
		{"lines are joined", "one\ntwo\nthree four", "", "one two\nthree four"},
		{"paragraphs are not", "one\n\ntwo", "", "one\n\ntwo"},
		{"commands stay", "say:\n\n\tone two three four five\n\nand more", "", "say:\n\n\tone two three four five\n\nand more"},
		{"a word wider than all", "extraordinarily wide", "", "extraordinarily\nwide"},
		{"behind a margin", "one two three", "    ", "one\n    two\n    three"},
		{"letters, not bytes", "ååååå ååååå", "", "ååååå\nååååå"},
		{"nothing", "", "", ""},
	} {
		if got := paint.Wrap(c.text, 10, c.indent); got != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ about, line, want string }{
		{"nothing", "", ""},
		{"what fits", "0123456789", "0123456789"},
		{"behind a blank", "0123456 89 b", "0123456|89 b"},
		{"a blank too far away", "0 23456789abc", "0 23456789|abc"},
		{"blanks inside stay", "a  b  c  d", "a  b  c  d"},
		{"wide characters", "東京東京東京", "東京東京東|京"},
	} {
		if got := strings.Join(paint.Fold(c.line, 10), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := paint.VisibleLines("a\tb\n\x1b[2Jc\r\n"), "a b\n␛[2Jc␍\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := paint.Visible("a\tb\x1b[31m\r\x7f\u009b\u202eø"), "a b␛[31m␍␡��ø"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A line of Update gives way to the next one and to whatever is printed, and is shown on terminals alone.
func TestUpdate(t *testing.T) {
	var out bytes.Buffer
	p := paint.New(&out, env(map[string]string{"COLUMNS": "40"}))
	p.Update("nobody sees it")
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("no terminal is shown %q", &out)
	}
	p.Live = true
	p.Update("one")
	p.Update(strings.Repeat("2", 50))
	p.Printf("three\n")
	p.Clear()
	p.Update("four")
	p.Println("five")
	const gone = "\r\x1b[K"
	if want := gone + "one" + gone + strings.Repeat("2", 38) + "…" + gone + "three\n" + gone + "four" + gone + "five\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	if terminal := openTerminal(t); !paint.New(terminal, env(nil)).Live || paint.New(terminal, env(map[string]string{"TERM": "dumb"})).Live {
		t.Error("a terminal shows such lines unless it takes no escape sequences")
	}
}

// Of two texts that are too wide the end is seen that is not the same.
func TestApart(t *testing.T) {
	for _, c := range []struct{ about, a, b, wantA, wantB string }{
		{"what fits", "one", "two", "one", "two"},
		{"the beginning is not the same", "a" + long, "b" + long, "a" + long, "b" + long},
		{"the end is not", long + "a", long + "b", "…qrstuvwxyzåøa", "…qrstuvwxyzåøb"},
		{"one goes on", long, long + "b", "…qrstuvwxyzåø", "…qrstuvwxyzåøb"},
	} {
		if a, b := paint.Apart(c.a, c.b, 20); a != c.wantA || b != c.wantB {
			t.Errorf("%s: got %q and %q", c.about, a, b)
		}
	}
}

const long = "abcdefghijklmnopqrstuvwxyzåø"
