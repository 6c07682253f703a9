package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// A closing mark in which the answer ends is no text, in every format and wherever it is cut.
func TestCutClosersAreNoText(t *testing.T) {
	for _, f := range dialect.Formats() {
		call := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a word"}`)}})
		at := strings.LastIndexAny(call, "<")
		if at < 0 || !strings.HasSuffix(strings.TrimSpace(call), ">") {
			continue
		}
		for end := at + 1; end < len(call); end++ {
			text := call[:end]
			items := scan(dialect.Options{Tools: tools}, text)
			samePieces(t, text, items)
			found := false
			for _, it := range items {
				found = found || it.Kind == dialect.CallFound
				if it.Kind == dialect.Text && strings.Contains(it.Text, "<") && found {
					t.Errorf("%s: %q gives the text %q", f.Name, text, it.Text)
				}
			}
		}
	}
}
