package anthropic

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
)

// object visits the members of the object at i by name and returns its end, as jsonx.WalkMembers does.
func object(b []byte, i int, visit func(name []byte, at int) (end int)) int {
	return jsonx.WalkMembers(b, i, func(k jsonx.Key, at int) int { return visit(plain(k), at) })
}

// plain is the text of a JSON string, aliasing it where nothing in it is escaped. It is nil for all else.
func plain(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	return jsonx.Key(v).Text()
}

// aliasFrom is the length from which text is not copied out of a body. Shorter text may outlive the request in notes
// and must not hold the whole body in memory.
const aliasFrom = 256

// text is the text of a JSON string. Long text that needs no unescaping aliases the body, which nobody writes to; with escapes it is a copy.
func text(v []byte) string {
	if len(v) >= aliasFrom || bytes.IndexByte(v, '\\') >= 0 {
		return jsonx.Alias(v)
	}
	return string(plain(v))
}
