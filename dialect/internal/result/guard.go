package result

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A result is data: nothing in it may end the markup around it. Where a text holds a mark that would, the first
// character of the mark is escaped: as JSON escapes it in strings of JSON, and as an entity elsewhere.

// quoteWithoutMarks is a text as a string of JSON without these marks in it.
func quoteWithoutMarks(text string, marks ...string) []byte {
	out := jsonx.AppendQuote(nil, text)
	for _, m := range marks {
		if bytes.Contains(out, []byte(m)) {
			out = bytes.ReplaceAll(out, []byte(m), fmt.Appendf(nil, `\u%04x%s`, m[0], m[1:]))
		}
	}
	return out
}

// plain is a text without these marks in it. A mark begins with "<".
func plain(text string, marks ...string) string {
	for _, m := range marks {
		text = strings.ReplaceAll(text, m, "&lt;"+m[1:])
	}
	return text
}

// closerOf is the beginning of a closing tag, as tags with white space before their end close, too.
func closerOf(tag string) string { return "</" + tag }
