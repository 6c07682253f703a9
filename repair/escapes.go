package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/backslash"
)

var entities = []struct{ name, text string }{
	{"&quot;", `"`}, {"&#34;", `"`}, {"&#x22;", `"`},
	{"&apos;", "'"}, {"&#39;", "'"}, {"&#x27;", "'"},
	{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&nbsp;", " "},
}

// entityAt returns the text and length of the HTML entity at the start of s. n is 0 if there is none.
func entityAt(s string) (text string, n int) {
	for i := range entities {
		if e := &entities[i]; strings.HasPrefix(s, e.name) {
			return e.text, len(e.name)
		}
	}
	return "", 0
}

// quoteEntity returns the HTML entity at the start of s if it encodes a quote, such as "&quot;", otherwise "".
func quoteEntity(s string) string {
	for i := range entities {
		if e := &entities[i]; isQuote(e.text[0]) && strings.HasPrefix(s, e.name) {
			return e.name
		}
	}
	return ""
}

// decodeEntities decodes the HTML entities in s, one level.
func decodeEntities(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		text, n := entityAt(s[i:])
		if n == 0 {
			text, n = "&", 1
		}
		b.WriteString(text)
		s = s[i+n:]
	}
}

// unescape decodes one level of JSON string escapes. A backslash that is not part of an escape stays, for the next
// level.
func unescape(s string) string {
	var r *backslash.Reader
	if backslash.HasUnknown(s, backslash.JSON) {
		r = backslash.NewReader(s, '"', backslash.JSON)
	}
	whole := len(s)
	var b strings.Builder
	b.Grow(whole)
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		n := 2
		c := s[i+1]
		if r != nil && r.IsText(whole-len(s)+i) {
			c = 0
		}
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '"', '\\', '/':
			b.WriteByte(c)
		case 'u':
			if r, ok := hex(s[i+2:], 4); ok && utf8.ValidRune(r) {
				b.WriteRune(r)
				n = 6
				break
			}
			b.WriteString(`\u`)
		default:
			b.WriteString(s[i : i+2])
		}
		s = s[i+n:]
	}
}
