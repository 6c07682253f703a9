package answer

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A tristate is the result of a test on incomplete text.
type tristate uint8

const (
	no tristate = iota
	yes
	more // more input is needed
)

// memberKey parses a member name, quoted or bare, and its colon at the start of the input in. n is the length of both.
// ended reports that no more input follows. found is more if more input is needed.
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
