package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/backslash"
)

// isSlashed reports whether all newlines and double quotes in t are escaped.
func isSlashed(t string) bool {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '\n', '"':
			return false
		}
	}
	return true
}

// UnescapeBackslashes decodes a text whose newlines and quotes are escaped. It returns "" if not all of them are.
func UnescapeBackslashes(t string) string {
	if !isSlashed(t) {
		return ""
	}
	return backslash.Unwrap(t, `nrt"\`, "\n\r\t\"\\")
}

// RestoreBrackets inserts the missing opening brackets, and slashes of closing tags, in call markup such as invoke
// name="x">.
func RestoreBrackets(text string) string { return brackets.Replace(text) }

var brackets = strings.NewReplacer(`invoke name="`, `<invoke name="`, `parameter name="`, `<parameter name="`, "parameter>",
	"</parameter>", "invoke>", "</invoke>")
