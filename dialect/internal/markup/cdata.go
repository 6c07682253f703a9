package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// The markers around an XML CDATA section.
const (
	OpenCDATA  = "<![CDATA["
	CloseCDATA = "]]>"
)

// CDATAEnd returns the end of the contents of a CDATA section at v[i:], before its closing marker. It returns i if
// there is no complete section.
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
