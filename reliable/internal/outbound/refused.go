package outbound

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// DeclaredName is the declared name of a tool that a provider names, or tells by its place in the body that was sent, as a JSON pointer;
// "" where there is none there. names are those that were sent, to the declared ones.
func DeclaredName(ref string, body []byte, names map[string]string) string {
	if strings.HasPrefix(ref, "/") {
		at := body
		for step := range strings.SplitSeq(ref[1:], "/") {
			var ok bool
			if at, ok = below(at, step); !ok {
				return ""
			}
		}
		for _, path := range [][]string{{"name"}, {"function", "name"}, {"custom", "name"}} {
			if v, ok := jsonx.Lookup(at, path...); ok {
				ref = jsonx.Alias(v)
				break
			}
		}
	}
	return cmp.Or(names[ref], ref)
}
