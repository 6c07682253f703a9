package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// A call that lacks arguments because the text was cut says that it was not closed, in every format and wherever it is cut.
func TestUnclosedCalls(t *testing.T) {
	whole := map[string]string{"from": "Bonn", "to": "Ulm", "class": "first"}
	args := []byte(`{"from": "Bonn", "to": "Ulm", "class": "first"}`)
	for _, f := range dialect.Formats() {
		one := dialect.RenderedCall{Name: "book", Arguments: args}
		for _, calls := range [][]dialect.RenderedCall{{one}, {one, one}} {
			text := f.RenderCalls(calls)
			for cut := range len(text) {
				items := scan(dialect.Options{Tools: book}, text[:cut])
				for _, it := range items {
					if it.Kind != dialect.CallFound || it.Call.Unclosed {
						continue
					}
					if got := argsOf(it.Call); len(got) != len(whole) {
						t.Errorf("%s: %q gives %v, which says that it was closed", f.Name, text[:cut], got)
					}
				}
			}
			for _, it := range scan(dialect.Options{Tools: book}, text) {
				if it.Kind == dialect.CallFound && it.Call.Unclosed {
					t.Errorf("%s: %q says that it was not closed", f.Name, text)
				}
			}
		}
	}
}

// A call whose last argument is a marker of a key without a key says that it was not closed, because the marker may belong to the value before it.
func TestUnclosedKeys(t *testing.T) {
	for _, f := range dialect.Formats() {
		text := f.RenderCalls([]dialect.RenderedCall{{Name: "book", Arguments: []byte(`{"from": "Bonn", "class": ""}`)}})
		for _, key := range f.Marks {
			for _, value := range f.Marks {
				at := strings.LastIndex(text, value.Close)
				if key.Role != dialect.Key || value.Role != dialect.Value || at < 0 {
					continue
				}
				at += len(value.Close)
				for _, marker := range []string{key.Open, key.Open + key.Close} {
					text := text[:at] + marker + text[at:]
					for _, c := range callsIn(scan(dialect.Options{Tools: book, Hint: f.Name}, text)) {
						if !c.Unclosed {
							t.Errorf("%s: %q gives %v, which says that it was closed", f.Name, text, argsOf(c))
						}
					}
				}
			}
		}
	}
}

// A call with text that is no arguments in the place of them is not run, and one without any text there is.
func TestNoArguments(t *testing.T) {
	for _, f := range dialect.Formats() {
		text := f.RenderCalls([]dialect.RenderedCall{{Name: "ping", Arguments: []byte(`{}`)}})
		at := strings.LastIndex(text, "{}")
		if at < 0 || strings.HasPrefix(text, "{") || strings.Contains(text, `"ping"`) || len(callsIn(scan(dialect.Options{Tools: tools}, text))) != 1 {
			continue
		}
		bodies := []string{"I cannot do that", `"a text"`, "nothing here.", "12", "null and void", "```json\n```", "```json\n", "```\n\n```"}
		if strings.Contains(text, "```") {
			bodies = append(bodies, "", "\n")
		}
		for _, body := range bodies {
			text := text[:at] + body + text[at+len("{}"):]
			items := scan(dialect.Options{Tools: tools}, text)
			sameSplit(t, text, items)
			for _, c := range callsIn(items) {
				if kind := jsonx.KindOf([]byte(c.JSON)); c.JSON != "" && kind != jsonx.Object && kind != jsonx.Null {
					continue // who runs it sees that it is no object
				}
				t.Errorf("%s: %q gives %q", f.Name, text, joined(items))
			}
		}
	}
}
