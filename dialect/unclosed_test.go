package dialect_test

import (
	"testing"

	"github.com/callwright/callwright/dialect"
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
