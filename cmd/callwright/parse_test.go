package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/google/go-cmp/cmp"
)

// Colours are for terminals whose owner wants them.
func TestParseColours(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a device of characters, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		about string
		out   streams
		env   map[string]string
		want  bool
	}{
		{"a terminal", streams{out: terminal}, nil, true},
		{"a terminal without colours", streams{out: terminal}, map[string]string{"NO_COLOR": "1"}, false},
		{"a dumb terminal", streams{out: terminal}, map[string]string{"TERM": "dumb"}, false},
		{"a pipe", streams{out: &bytes.Buffer{}}, nil, false},
	} {
		a := &app{std: c.out, env: func(key string) (string, bool) { v, ok := c.env[key]; return v, ok }}
		if got := newParsePrinter(a, "").paint(red, "x") != "x"; got != c.want {
			t.Errorf("%s: colours: %v, want %v", c.about, got, c.want)
		}
	}
}

// What is painted reads the same without the paint.
func TestParsePainted(t *testing.T) {
	text := "I do.\n<tool_call>{\"name\": \"ping\", \"arguments\": {,}}</tool_call>"
	job := parseJob{Text: &text, Tools: []byte(`[{"type": "function", "function": {"name": "ping"}}]`)}
	got, err := job.parse()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(paint func(style, text string) string) string {
		var b bytes.Buffer
		p := &parsePrinter{w: &b, paint: paint, width: 80, text: text}
		p.print(got)
		return b.String()
	}
	plain := shown(func(_, text string) string { return text })
	painted := shown(func(_, text string) string { return "\x01" + text + "\x02" })
	if !strings.Contains(painted, "\x01call\x02 \x01ping\x02") || !strings.Contains(painted, "\x01^") {
		t.Errorf("not painted:\n%s", painted)
	}
	if d := cmp.Diff(plain, strings.NewReplacer("\x01", "", "\x02", "").Replace(painted)); d != "" {
		t.Error(d)
	}
}

// The place of a note is what it says was there, in the call that it is about.
func TestPlaces(t *testing.T) {
	text := "a, b\n{\"x\": 1,}\n{\"x\": 1,}\n" + strings.Repeat("–", 100) + "\"7\"" + strings.Repeat("y", 100)
	got := &parsed{Calls: []parsedCall{{Name: "f", source: `{"x": 1,}`}, {Name: "f", source: `{"x": 1,}`}}}
	p := newPlaces(text, got)
	for _, c := range []struct {
		about         string
		note          callwright.Note
		number        int
		line, pointer string
	}{
		{"a call without a hint", callwright.Note{Rule: "a", Call: "f", Was: ","}, 2, `{"x": 1,}`, `       ^`},
		{"the same in the next call", callwright.Note{Rule: "a", Call: "f", Was: ","}, 3, `{"x": 1,}`, `       ^`},
		{"by its offset", callwright.Note{Rule: "b", Call: "f", Was: "x", Why: "at byte 2"}, 2, `{"x": 1,}`, `  ^`},
		{"by its offset, in the next call", callwright.Note{Rule: "b", Call: "f", Was: "x", Why: "at byte 2"}, 3, `{"x": 1,}`, `  ^`},
		{"an argument without its quotes", callwright.Note{Rule: "c", Call: "f", Path: "/x", Was: `"1"`}, 2, `{"x": 1,}`, `      ^`},
		{"no call", callwright.Note{Rule: "d", Was: "b"}, 1, "a, b", "   ^"},
		{"several lines", callwright.Note{Rule: "e", Was: "b\n{"}, 1, "a, b", "   ^"},
		{"a long line", callwright.Note{Rule: "f", Was: `"7"`}, 4, "…" + strings.Repeat("–", 19) + "\"7\"" + strings.Repeat("y", 16) + "…", strings.Repeat(" ", 20) + "^^^"},
	} {
		at, ok := p.of(&c.note)
		if !ok {
			t.Errorf("%s: not found", c.about)
			continue
		}
		number, line, pointer := p.excerpt(at, 40)
		if number != c.number || line != c.line || pointer != c.pointer {
			t.Errorf("%s: line %d %q with %q, want %d %q with %q", c.about, number, line, pointer, c.number, c.line, c.pointer)
		}
	}
	if at, ok := p.of(&callwright.Note{Rule: "g", Call: "f", Was: "absent"}); ok {
		t.Errorf("found what is not there at %v", at)
	}
}
