package anthropic

import "github.com/callwright/callwright/internal/jsonx"

// object visits the members of the object at i by name and returns its end, as jsonx.WalkMembers does.
func object(b []byte, i int, visit func(name []byte, at int) (end int)) int {
	return jsonx.WalkMembers(b, i, func(k jsonx.Key, at int) int { return visit(jsonx.TextBytes(k), at) })
}
