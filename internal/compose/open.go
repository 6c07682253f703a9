package compose

import "github.com/callwright/callwright/internal/jsonx"

// HasOpenObject reports whether a schema contains an object that allows any member names: one without "properties", or
// with a schema for additional members.
func HasOpenObject(schema []byte) bool {
	return jsonx.ValidObject(schema) && hasOpenObject(schema, 0)
}

// hasOpenObject is HasOpenObject for a valid schema at a depth.
func hasOpenObject(v []byte, depth int) bool {
	if depth > maxDepth || jsonx.KindOf(v) != jsonx.Object {
		return false
	}
	closed, object, keys := false, false, false
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("type"):
			object = takesObject(m)
		case k.Is("additionalProperties"):
			if closed = string(m) == "false"; !closed {
				return true
			}
		case k.Is("patternProperties"):
			return true
		case k.Is("properties"), k.Is("$defs"), k.Is("definitions"):
			keys = keys || k.Is("properties")
			for _, p := range jsonx.Members(m) {
				if hasOpenObject(p, depth+1) {
					return true
				}
			}
		case k.Is("items"):
			if hasOpenObject(m, depth+1) {
				return true
			}
		case k.Is("anyOf"), k.Is("oneOf"), k.Is("allOf"), k.Is("prefixItems"):
			for p := range jsonx.Elements(m) {
				if hasOpenObject(p, depth+1) {
					return true
				}
			}
		}
	}
	return object && !keys && !closed
}

// takesObject reports whether the value of "type" is or contains "object".
func takesObject(types []byte) bool {
	for t := range jsonx.Elements(types) {
		if jsonx.Key(t).Is("object") {
			return true
		}
	}
	return jsonx.Key(types).Is("object")
}
