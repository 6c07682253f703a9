package answer

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A tristate says whether something stands in a text.
type tristate uint8

const (
	no tristate = iota
	yes
	more // more text is needed to tell
)

// memberKey reads the name of a member with its colon at the beginning of in: in quotes of one byte, or a bare word. n
// is their length.
func memberKey(in string, ended bool) (name string, n int, found tristate) {
	short := more
	if ended {
		short = no
	}
	limit := min(len(in), ahead)
	if limit == ahead {
		short = no
	}
	i, quoted := 0, limit > 0 && (in[0] == '"' || in[0] == '\'')
	if quoted {
		for i = 1; i < limit && in[i] != in[0]; i++ {
			if in[i] == '\\' {
				i++
			}
		}
		if i >= limit {
			return "", 0, short
		}
		name = in[1:i]
		if text, ok := jsonx.String([]byte(`"` + name + `"`)); ok && strings.IndexByte(name, '\\') >= 0 && jsonx.ValidText([]byte(`"`+name+`"`)) {
			name = text
		}
		i++
	} else {
		for i < limit && !notOfKey(rune(in[i])) {
			i++
		}
		if name = in[:i]; name == "" && limit > 0 {
			return "", 0, no
		}
	}
	for i < limit && strings.IndexByte(white, in[i]) >= 0 {
		i++
	}
	switch {
	case i >= limit:
		return "", 0, short
	case in[i] != ':':
		return "", 0, no
	}
	return name, i + 1, yes
}
