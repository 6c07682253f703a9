package result

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// The text of a result must not end the enclosing markup. If it contains such a marker, the first character of the
// marker is escaped: as \u in JSON strings and as an entity elsewhere.

// quoteWithoutMarks returns text as a JSON string in which the first character of each marker in marks is escaped.
func quoteWithoutMarks(text string, marks ...string) []byte {
	out := jsonx.AppendQuote(nil, text)
	for _, m := range marks {
		if bytes.Contains(out, []byte(m)) {
			out = bytes.ReplaceAll(out, []byte(m), fmt.Appendf(nil, `\u%04x%s`, m[0], m[1:]))
		}
	}
	return out
}

// plain returns text in which the "<" of each marker in marks is replaced by "&lt;".
func plain(text string, marks ...string) string {
	for _, m := range marks {
		text = strings.ReplaceAll(text, m, "&lt;"+m[1:])
	}
	return text
}

// closerOf returns the beginning of a closing tag. The end is omitted because white space may precede it.
func closerOf(tag string) string { return "</" + tag }
