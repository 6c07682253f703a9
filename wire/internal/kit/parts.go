package kit

import "github.com/callwright/callwright/internal/jsonx"

// HoldsType walks the list of parts at i, gives its end, and reports whether the type of one of them is kind.
func HoldsType(b []byte, i int, kind string) (end int, holds bool) {
	end = jsonx.WalkElements(b, i, func(_, at int) int {
		if b[at] != '{' {
			return jsonx.SkipValue(b, at)
		}
		return jsonx.WalkMembers(b, at, func(key jsonx.Key, at int) int {
			end := jsonx.SkipValue(b, at)
			holds = holds || key.Is("type") && jsonx.Alias(b[at:end]) == kind
			return end
		})
	})
	return end, holds
}
