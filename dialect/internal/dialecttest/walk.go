package dialecttest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// weather is the tool of the examples in the format table.
var weather = []dialect.Tool{{Name: "get_weather", Params: []dialect.Param{{Name: "city", Types: []string{"string"}, Required: true}}}}

// A subject is a format under test with the markers for parsing it.
type subject struct {
	dialect.Format
	marks *dialect.Marks
}

// options returns the scanner options for the format.
func (f *subject) options(tools []dialect.Tool) dialect.Options {
	return dialect.Options{Tools: tools, Marks: f.marks, Hint: f.Name}
}

// Walk tests a caller's own format: its example, which calls tool, and rendered calls. marks are the markers for
// parsing it.
func Walk(t *testing.T, f dialect.Format, marks *dialect.Marks, tool dialect.Tool) {
	t.Helper()
	s := subject{f, marks}
	walkText(t, s, []dialect.Tool{tool}, f.Example)
	s.Example = ""
	walk(t, s)
}

// walk tests the example of a format, and its rendered calls alone, after a sentence and before a sentence.
func walk(t *testing.T, f subject) {
	if f.Example != "" {
		t.Run("example", func(t *testing.T) { walkText(t, f, weather, f.Example) })
	}
	if !f.Renders() {
		return
	}
	t.Run("render", func(t *testing.T) { roundTrip(t, f) })
	for i, calls := range rendered {
		text := f.RenderCalls(calls)
		t.Run("rendered "+calls[0].Name, func(t *testing.T) {
			walkText(t, f, Tools(), text)
			walkCuts(t, f, text, calls)
			if i == 1 {
				walkChunks(t, f, Tools(), "A sentence before, with a [1] and a `name`.\n"+text)
				walkChunks(t, f, Tools(), text+"\nA sentence behind.")
				walkChunks(t, f, nil, text)
			}
		})
	}
}

// walkText tests that splitting the text does not change the items, and that quoting the text yields no call.
func walkText(t *testing.T, f subject, tools []dialect.Tool, text string) {
	walkChunks(t, f, tools, text)
	for what, quoted := range quotations(text) {
		for _, it := range scan(dialect.Options{Tools: tools, Marks: f.marks}, quoted) {
			if it.Kind == dialect.CallFound {
				t.Errorf("%s: %s was called in:\n%s", what, it.Call.Name, quoted)
			}
		}
	}
}

func walkChunks(t *testing.T, f subject, tools []dialect.Tool, text string) {
	o := f.options(tools)
	want := Say(scan(o, text))
	for i := 1; i < len(text); i++ {
		if d := cmp.Diff(want, Say(scan(o, text[:i], text[i:]))); d != "" {
			t.Fatalf("%s: cut at %d: whole (-) cut (+):\n%s", text, i, d)
		}
	}
	if d := cmp.Diff(want, Say(scan(o, strings.Split(text, "")...))); d != "" {
		t.Fatalf("%s: rune by rune (+):\n%s", text, d)
	}
}

// walkCuts tests that no prefix of a text yields a call that the whole text does not, or a truncated value.
func walkCuts(t *testing.T, f subject, text string, calls []dialect.RenderedCall) {
	for i := range len(text) {
		n := 0
		for _, it := range scan(f.options(Tools()), text[:i]) {
			if it.Kind != dialect.CallFound {
				continue
			}
			if n >= len(calls) || it.Call.Name != calls[n].Name || !within(it.Call, calls[n].Arguments) {
				t.Fatalf("%q gives %s %s", text[:i], it.Call.Name, arguments(it.Call))
			}
			n++
		}
	}
}

// within reports whether all arguments of a call are among those in whole.
func within(c *dialect.Call, whole []byte) bool {
	if len(whole) == 0 {
		whole = []byte("{}")
	}
	for _, a := range c.Args {
		v, ok := jsonx.Find(whole, a.Key)
		if !ok || !carries(&a, v) {
			return false
		}
	}
	if c.JSON == "" {
		return true
	}
	for k, got := range jsonx.Members([]byte(c.JSON)) {
		v, ok := jsonx.Find(whole, k.String())
		if !ok || !jsonx.Equal(got, v) {
			return false
		}
	}
	return true
}
