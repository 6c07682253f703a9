package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// bodyToken is a token that models write in place of the end of a tag, after a name without its closing quote.
const bodyToken = "<|message|>"

// AttributeAt reads key="value" at t[i:]. end is -1 if the attribute is incomplete, and i if there is none. isTorn
// reports that a token is in place of the end of the tag; end is then after the token.
func AttributeAt(t string, i int) (key, value string, end int, isTorn bool) {
	from := i
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	key = t[from:i]
	if i = chars.SpaceEnd(t, i); i == len(t) {
		return key, "", -1, false
	}
	if t[i] != '=' {
		return key, "", from, false
	}
	if i = chars.SpaceEnd(t, i+1); i == len(t) {
		return key, "", -1, false
	}
	q := t[i]
	if q != '"' && q != '\'' {
		return key, "", from, false
	}
	text := t[i+1:]
	n := strings.IndexByte(text, q)
	if k := strings.Index(text, bodyToken); k >= 0 && (n < 0 || k < n) && !ClosesTag(text[k+len(bodyToken):], q) {
		return key, text[:k], i + 1 + k + len(bodyToken), true
	}
	if n < 0 {
		return key, "", -1, false
	}
	return key, text[:n], i + n + 2, false
}
