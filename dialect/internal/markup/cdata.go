package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// CDATA marks stand around a value whose tags are its own text.
const (
	OpenCDATA  = "<![CDATA["
	CloseCDATA = "]]>"
)

// CDATAEnd is where a CDATA section that begins at v[i:] ends, before its last mark; i where none does.
func CDATAEnd(v string, i int) int {
	k := chars.SpaceEnd(v, i)
	if !strings.HasPrefix(v[k:], OpenCDATA) {
		return i
	}
	if n := strings.Index(v[k:], CloseCDATA); n >= 0 {
		return k + n
	}
	return i
}
