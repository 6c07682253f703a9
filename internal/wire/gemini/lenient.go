package gemini

import (
	"encoding/json"
	"iter"

	"github.com/callwright/callwright/internal/jsonx"
)

// The API reads JSON as proto3 does: null is a member that is not set, one value stands for a list of one, and numbers
// may come as text. https://protobuf.dev/programming-guides/json/

// elements are the elements of a list, or v alone where it is one object or text; none where it is not set.
func elements(v []byte) iter.Seq[[]byte] {
	if jsonx.IsObject(v) || jsonx.IsText(v) {
		return func(yield func([]byte) bool) { yield(v) }
	}
	return jsonx.Elements(v)
}

// canBeList reports whether v is a list of objects, one object, or not set.
func canBeList(v []byte) bool { return jsonx.IsArray(v) || jsonx.IsObject(v) || jsonx.IsNull(v) }

// numberOf is a number, which may come as text.
func numberOf(v []byte) (n json.Number, ok bool) {
	if jsonx.IsText(v) {
		v = jsonx.TextBytes(v)
	}
	if jsonx.KindOf(v) != jsonx.Number || jsonx.Valid(v) != nil {
		return "", false
	}
	return json.Number(jsonx.Trim(v)), true
}
