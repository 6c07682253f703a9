package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// White space around the equals sign of an attribute says nothing, in every format that has attributes.
func TestSpacedAttributes(t *testing.T) {
	seen := 0
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		text := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a word"}`)}})
		if !strings.Contains(text, `name="text"`) {
			continue
		}
		seen++
		for _, sign := range []string{` = "`, `= "`, ` ="`, "\n=\n\""} {
			text := strings.ReplaceAll(text, `="`, sign)
			items := scan(dialect.Options{Tools: tools}, text)
			samePieces(t, text, items)
			if calls := callsIn(items); len(calls) != 1 || strings.TrimSpace(calls[0].Args[0].Text) != "a word" {
				t.Errorf("%s: %q gives %q", f.Name, text, joined(items))
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d formats", seen)
	}
}

// The line end after a value whose closing mark is missing is none of the value, in every format with tags.
func TestLineEndOfUnclosedValues(t *testing.T) {
	for _, f := range dialect.Formats() {
		text := f.RenderCalls([]dialect.RenderedCall{{Name: "route", Arguments: []byte(`{"city":"Oslo","goal":"Rome"}`)}})
		for _, value := range route {
			if at, closer := closerAt(text, value); closer != "" {
				for _, end := range []string{"\n", "\r\n"} {
					routedExactly(t, f.Name, text[:strings.Index(text, value)+len(value)]+end+strings.TrimLeft(text[at+len(closer):], "\n"))
				}
			}
		}
	}
}

// routedExactly holds the arguments of a call against those that were meant, white space included.
func routedExactly(t *testing.T, format, text string) {
	t.Helper()
	for _, c := range callsIn(scan(dialect.Options{Tools: routeTool}, text)) {
		for _, a := range c.Args {
			if a.Text != route[a.Key] {
				t.Errorf("%s: %q: %s is %q", format, text, a.Key, a.Text)
			}
		}
	}
}
