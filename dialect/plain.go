package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// IsPlain reports whether a text has no byte with which a mark or a call begins, and does not begin as an answer whose
// first marks were lost: a Scanner gives it back as it is, whatever its Options are but for ReasoningPrimed.
func IsPlain(text string) bool {
	return chars.NextOpen(text, 0) == len(text) && !beginsUnmarked(text)
}

// ScansAsText reports whether a Scanner with these Options finds nothing in a text but the text itself.
func ScansAsText(o Options, text string) bool {
	for _, it := range ScanAll(o, text) {
		if it.Kind != Text || !strings.HasPrefix(text, it.Text) {
			return false
		}
		text = text[len(it.Text):]
	}
	return text == ""
}
