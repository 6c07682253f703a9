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

// entityAt finds the entity at the start of s.
func entityAt(s string) (text string, n int) {
	for i := range entities {
		if e := &entities[i]; strings.HasPrefix(s, e.name) {
			return e.text, len(e.name)
		}
	}
	return "", 0
}

// quoteEntity returns the entity at the start of s when it stands for a quote.
func quoteEntity(s string) string {
	for i := range entities {
		if e := &entities[i]; isQuote(e.text[0]) && strings.HasPrefix(s, e.name) {
			return e.name
		}
	}
	return ""
}

// decodeEntities replaces entities, once.
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

// unescape takes one layer of JSON string escapes off. Those that are text stay: the layer below shows them once more.
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
