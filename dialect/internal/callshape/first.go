package callshape

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// Escaped is the result of FirstKey for an object with HTML-escaped quotes.
const Escaped = "&quot;"

// FirstKey returns the first key of the object at the start of t, quoted or not. found is maybe if more text is
// needed.
func FirstKey(t string, ended bool) (key string, found tristate.State) {
	i := 1
	for i < len(t) && i < chars.MaxBlank && (chars.IsSpace(t[i]) || t[i] == '{') {
		i++
	}
	if i == len(t) {
		return "", tristate.Unless(ended)
	}
	q := 0
	switch {
	case t[i] == '"' || t[i] == '\'':
		q = 1
	case strings.HasPrefix(t[i:], "“") || strings.HasPrefix(t[i:], "‘"):
		q = len("“")
	case strings.HasPrefix(t[i:], Escaped):
		return Escaped, tristate.Yes
	case strings.HasPrefix("“", t[i:]) || strings.HasPrefix("‘", t[i:]) || strings.HasPrefix(Escaped, t[i:]):
		return "", tristate.Unless(ended)
	}
	i += q
	end := i
	for end < len(t) && chars.IsNameByte(t[end]) && (t[end] != ':' || q > 0) && end-i < chars.MaxName {
		end++
	}
	if end == len(t) && !ended {
		return "", tristate.Maybe
	}
	return t[i:end], tristate.Yes
}
