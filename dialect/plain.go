package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// IsPlain reports whether a Scanner certainly returns text unchanged: it has no byte that begins a marker or call, and
// does not begin with the remains of lost markers. The result holds for all Options without ReasoningPrimed.
func IsPlain(text string) bool {
	return chars.NextOpen(text, 0) == len(text) && !beginsUnmarked(text)
}

// ScansAsText reports whether a Scanner with the options o returns only text, equal to the input.
func ScansAsText(o Options, text string) bool {
	for _, it := range ScanAll(o, text) {
		if it.Kind != Text || !strings.HasPrefix(text, it.Text) {
			return false
		}
		text = text[len(it.Text):]
	}
	return text == ""
}
