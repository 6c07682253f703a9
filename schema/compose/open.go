package compose

import "github.com/callwright/callwright/internal/jsonx"

// HasOpenObject reports whether a schema has an object of any keys: one without properties, or with a schema for further ones.
func HasOpenObject(schema []byte) bool { return hasOpenObject(schema, 0) }

// hasOpenObject is HasOpenObject at some depth.
func hasOpenObject(v []byte, depth int) bool {
	if depth > maxDepth || !jsonx.ValidObject(v) {
		return false
	}
	closed, object, keys := false, false, false
	for k, m := range jsonx.Members(v) {
		switch m := jsonx.Trim(m); {
		case k.Is("type"):
			object = string(m) == `"object"`
		case k.Is("additionalProperties"):
			if closed = string(m) == "false"; !closed {
				return true
			}
		case k.Is("patternProperties"):
			return true
		case k.Is("properties"), k.Is("$defs"), k.Is("definitions"):
			keys = keys || k.Is("properties")
			for _, p := range jsonx.Members(m) {
				if hasOpenObject(jsonx.Trim(p), depth+1) {
					return true
				}
			}
		case k.Is("items"):
			if hasOpenObject(m, depth+1) {
				return true
			}
		case k.Is("anyOf"), k.Is("oneOf"), k.Is("allOf"), k.Is("prefixItems"):
			for p := range jsonx.Elements(m) {
				if hasOpenObject(jsonx.Trim(p), depth+1) {
					return true
				}
			}
		}
	}
	return object && !keys && !closed
}
