package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/backslash"
)

// isSlashed reports whether a text has no line end and no double quote but escaped ones.
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

// UnescapeBackslashes is a text whose line ends and quotes are escaped as it was meant. It is empty where the escapes
// are the text of values.
func UnescapeBackslashes(t string) string {
	if !isSlashed(t) {
		return ""
	}
	return backslash.Unwrap(t, `nrt"\`, "\n\r\t\"\\")
}

// RestoreBrackets is a text whose tags of calls lost their first bracket, and the slash of closing ones, with both.
func RestoreBrackets(text string) string { return brackets.Replace(text) }

var brackets = strings.NewReplacer(`invoke name="`, `<invoke name="`, `parameter name="`, `<parameter name="`, "parameter>",
	"</parameter>", "invoke>", "</invoke>")
