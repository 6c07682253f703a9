package anthropic

import "github.com/callwright/callwright/internal/jsonx"

// object calls visit for each member of the JSON object that begins at offset i of b, with the member's name and the
// offset of its value. visit returns the offset of the end of the value. object returns the offset of the end of the
// object.
func object(b []byte, i int, visit func(name []byte, at int) (end int)) int {
	return jsonx.WalkMembers(b, i, func(k jsonx.Key, at int) int { return visit(jsonx.TextBytes(k), at) })
}
