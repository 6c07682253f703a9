package gemini

import (
	"encoding/json"
	"iter"

	"github.com/callwright/callwright/internal/jsonx"
)

// The API reads JSON like proto3: null means that a member is not set, one value may replace a list of one element, and
// numbers may be strings. https://protobuf.dev/programming-guides/json/

// elements iterates over the elements of a JSON list, or over v alone if it is an object or a string. It yields nothing
// for other values.
func elements(v []byte) iter.Seq[[]byte] {
	if jsonx.IsObject(v) || jsonx.IsText(v) {
		return func(yield func([]byte) bool) { yield(v) }
	}
	return jsonx.Elements(v)
}

// canBeList reports whether v is a list, an object, null or missing.
func canBeList(v []byte) bool { return jsonx.IsArray(v) || jsonx.IsObject(v) || jsonx.IsNull(v) }

// numberOf returns the number v, which may be a JSON string. ok is false for other values.
func numberOf(v []byte) (n json.Number, ok bool) {
	if jsonx.IsText(v) {
		v = jsonx.TextBytes(v)
	}
	if jsonx.KindOf(v) != jsonx.Number || jsonx.Valid(v) != nil {
		return "", false
	}
	return json.Number(jsonx.Trim(v)), true
}
