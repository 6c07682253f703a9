package items_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/wire/responses/internal/items"
	"pgregory.net/rapid"
)

// TestPieces compares a text in pieces with the text itself.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p items.Pieces
		var whole strings.Builder
		for range rapid.IntRange(0, 30).Draw(t, "pieces") {
			s := strings.Repeat(rapid.StringMatching(`[ab]{0,5}`).Draw(t, "text"), rapid.IntRange(0, 200).Draw(t, "times"))
			p.Add(s)
			whole.WriteString(s)
		}
		text := whole.String()
		if p.String() != text || p.Len() != len(text) {
			t.Fatalf("expected %q, got %q of %d", text, p.String(), p.Len())
		}
		if rest, ok := p.Rest(text + "more"); !ok || rest != "more" {
			t.Fatalf("expected more, got %q, %t", rest, ok)
		}
		if len(text) == 0 {
			return
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		for _, other := range []string{text[:at], text[:at] + "c" + text[at+1:]} {
			if _, ok := p.Rest(other); ok {
				t.Fatalf("%q begins with %q", other, text)
			}
		}
	})
}
