package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/google/go-cmp/cmp"
)

// What is painted reads the same without the paint.
func TestParsePainted(t *testing.T) {
	text := "I do.\n<tool_call>{\"name\": \"ping\", \"arguments\": {,}}</tool_call>"
	job := parseJob{Text: &text, Tools: []byte(`[{"type": "function", "function": {"name": "ping"}}]`)}
	got, err := job.parse()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(colours bool) string {
		var b bytes.Buffer
		p := newParsePrinter(&app{std: streams{out: &b}, env: func(string) (string, bool) { return "", false }}, text)
		p.Colours = colours
		p.print(got)
		return b.String()
	}
	plain, painted := shown(false), shown(true)
	if !strings.Contains(painted, "\x1b[32mcall\x1b[0m \x1b[1mping\x1b[0m") || !strings.Contains(painted, "\x1b[31m^") {
		t.Errorf("not painted:\n%s", painted)
	}
	if d := cmp.Diff(plain, regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(painted, "")); d != "" {
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
		at, ok := p.locate(&c.note)
		if !ok {
			t.Errorf("%s: not found", c.about)
			continue
		}
		number, line, pointer := p.excerpt(at, 40)
		if number != c.number || line != c.line || pointer != c.pointer {
			t.Errorf("%s: line %d %q with %q, want %d %q with %q", c.about, number, line, pointer, c.number, c.line, c.pointer)
		}
	}
	if at, ok := p.locate(&callwright.Note{Rule: "g", Call: "f", Was: "absent"}); ok {
		t.Errorf("found what is not there at %v", at)
	}
}
