package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Writable reports whether a JSON value can be written as elements and parsed back: keys are valid names, nothing is
// empty, and no string looks like another type.
func Writable(v []byte) bool { return writable(v, 0) }

func writable(v []byte, depth int) bool {
	switch n := 0; jsonx.KindOf(v) {
	case jsonx.Object:
		for k, e := range jsonx.Members(v) {
			n++
			name := k.String()
			if name == "" || name == "item" ||
				strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || !writable(e, depth+1) {
				return false
			}
		}
		return n > 0 && depth < MaxDepth
	case jsonx.Array:
		for e := range jsonx.Elements(v) {
			n++
			if !writable(e, depth+1) {
				return false
			}
		}
		return n > 0 && depth < MaxDepth
	case jsonx.Text:
		s, ok := jsonx.String(v)
		return ok && !IsScalar(s)
	}
	return true
}
