package paint_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/paint"
)

// env returns an environment of these variables.
func env(vars map[string]string) func(string) (string, bool) {
	return func(key string) (string, bool) { v, ok := vars[key]; return v, ok }
}

// Colours are for terminals whose owner wants them.
func TestColours(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a device of characters, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
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
	for columns, want := range map[string]int{"": 80, "wide": 80, "1": 40, "100": 100, "100000": 140} {
		if got := paint.New(io.Discard, env(map[string]string{"COLUMNS": columns})).Width; got != want {
			t.Errorf("COLUMNS=%s: got %d, want %d", columns, got, want)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := paint.Visible("a\tb\x1b[31m\r\x7f\u009b\u202eø"), "a b␛[31m␍␡��ø"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
