package constraint

import (
	"math"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A shape is the set of values that satisfy one or several schemas together. Keywords that a grammar cannot express are
// omitted.
type shape struct {
	types        []string // nil for any
	values       [][]byte // values of enum and const; nil for any
	properties   []property
	named        bool // whether properties is present, even if empty
	required     []string
	open         []byte // schema of other members; false for none, nil if unspecified
	prefix       [][]byte
	items        []byte
	minItems     int
	maxItems     int // negative for no maximum
	minLength    int
	maxLength    int // negative for no maximum
	pattern      string
	format       string
	least, most  *float64
	alternatives [][][]byte // groups of schemas; a value satisfies one schema of each group
	never        bool       // no value satisfies the schemas
}

// A property is a named member of an object. Its value must satisfy all schemas.
type property struct {
	name    string
	schemas [][]byte
}

func newShape() shape { return shape{maxItems: -1, maxLength: -1} }

// clone returns a copy to which further schemas can be added.
func (n shape) clone() shape {
	n.properties = slices.Clone(n.properties)
	for i := range n.properties {
		n.properties[i].schemas = slices.Clip(n.properties[i].schemas)
	}
	n.required, n.prefix, n.alternatives = slices.Clip(n.required), slices.Clip(n.prefix), slices.Clip(n.alternatives)
	return n
}

// add adds the keywords of a schema. References below a maximum depth permit any value.
func (n *shape) add(s *schemas, schema []byte, depth int) {
	switch {
	case depth > maxDepth, !s.rules.reads():
		return
	case string(schema) == "false":
		n.never = true
		return
	case !jsonx.IsObject(schema):
		return
	}
	var least, most bound
	for k, v := range jsonx.Members(schema) {
		switch key := k.String(); key {
		case "$ref":
			if target, ok := s.resolve(jsonx.TextOf(v)); ok {
				n.add(s, target, depth+1)
			}
		case "allOf":
			for part := range jsonx.Elements(v) {
				n.add(s, part, depth+1)
			}
		case "anyOf", "oneOf":
			if group := slices.Collect(jsonx.Elements(v)); len(group) > 0 {
				n.alternatives = append(n.alternatives, group)
			}
		case "minimum":
			least.inclusive = limit(v)
		case "exclusiveMinimum":
			least.exclusive = limit(v)
		case "maximum":
			most.inclusive = limit(v)
		case "exclusiveMaximum":
			most.exclusive = limit(v)
		default:
			n.addKeyword(key, v)
		}
	}
	n.least, n.most = tighter(n.least, least.value(1), 1), tighter(n.most, most.value(-1), -1)
}

// addKeyword adds a keyword that does not depend on others.
func (n *shape) addKeyword(key string, v []byte) {
	switch key {
	case "type":
		n.addTypes(v)
	case "enum":
		n.addValues(slices.Collect(jsonx.Elements(v)))
	case "const":
		n.addValues([][]byte{v})
	case "properties":
		n.named = true
		for name, schema := range jsonx.Members(v) {
			n.addProperty(name.String(), schema)
		}
	case "required":
		for name := range jsonx.Elements(v) {
			if text := jsonx.TextOf(name); jsonx.IsText(name) && !slices.Contains(n.required, text) {
				n.required = append(n.required, text)
			}
		}
	case "additionalProperties":
		if string(n.open) != "false" {
			n.open = v
		}
	case "items":
		n.items = v
	case "prefixItems":
		n.prefix = slices.Collect(jsonx.Elements(v))
	case "minItems":
		n.minItems = max(n.minItems, count(v, 0))
	case "maxItems":
		n.maxItems = lower(n.maxItems, count(v, -1))
	case "minLength":
		n.minLength = max(n.minLength, count(v, 0))
	case "maxLength":
		n.maxLength = lower(n.maxLength, count(v, -1))
	case "pattern":
		n.pattern = jsonx.TextOf(v)
	case "format":
		n.format = jsonx.TextOf(v)
	}
}

// addTypes limits the types to those of a type keyword.
func (n *shape) addTypes(v []byte) {
	var types []string
	if jsonx.IsArray(v) {
		for t := range jsonx.Elements(v) {
			types = append(types, jsonx.TextOf(t))
		}
	} else {
		types = []string{jsonx.TextOf(v)}
	}
	for _, t := range types {
		if !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, t) {
			return // an unknown type is ignored
		}
	}
	if n.types == nil {
		n.types = types
		return
	}
	var both []string
	for _, t := range types {
		switch {
		case slices.Contains(n.types, t), t == "integer" && slices.Contains(n.types, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(n.types, "integer"):
			both = append(both, "integer")
		}
	}
	n.types, n.never = both, n.never || len(both) == 0
}

// addValues limits the values to those of an enum or a const.
func (n *shape) addValues(values [][]byte) {
	if n.values != nil {
		values = slices.DeleteFunc(slices.Clone(values), func(v []byte) bool {
			return !slices.ContainsFunc(n.values, func(w []byte) bool { return jsonx.Equal(v, w) })
		})
	}
	n.values, n.never = values, n.never || len(values) == 0
}

func (n *shape) addProperty(name string, schema []byte) {
	for i := range n.properties {
		if p := &n.properties[i]; p.name == name {
			p.schemas = append(p.schemas, schema)
			return
		}
	}
	n.properties = append(n.properties, property{name, [][]byte{schema}})
}

// takes reports whether the shape permits values of the type kind. Without a type keyword, the other keywords imply the
// types.
func (n *shape) takes(kind string) bool {
	if n.types != nil {
		return slices.Contains(n.types, kind)
	}
	implied := map[string]bool{
		"object": n.named || n.required != nil || n.open != nil,
		"array":  n.items != nil || n.prefix != nil || n.minItems > 0 || n.maxItems >= 0,
		"string": n.minLength > 0 || n.maxLength >= 0 || n.pattern != "" || n.format != "",
		"number": n.least != nil || n.most != nil,
	}
	for _, said := range implied {
		if said {
			return implied[kind]
		}
	}
	return kind != "integer"
}

// isAny reports whether the shape permits any value.
func (n *shape) isAny() bool {
	for _, kind := range []string{"object", "array", "string", "number", "boolean", "null"} {
		if !n.takes(kind) {
			return false
		}
	}
	return n.types == nil && n.values == nil && n.alternatives == nil && !n.never
}

// A bound is the limits of a number by an inclusive and an exclusive keyword of one schema.
type bound struct{ inclusive, exclusive *float64 }

// limit returns the number in a keyword, or nil for any other value. Draft 4 has true for an exclusive limit, which is
// then treated as inclusive.
func limit(v []byte) *float64 {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// value returns the tighter limit as an inclusive one, for integers. inward is 1 for a minimum and -1 for a maximum.
func (b *bound) value(inward float64) *float64 {
	out := b.inclusive
	if b.exclusive != nil {
		next := *b.exclusive
		if next == math.Trunc(next) {
			next += inward
		}
		out = tighter(out, &next, inward)
	}
	return out
}

// tighter returns the tighter of two limits, in which nil means none.
func tighter(a, b *float64, inward float64) *float64 {
	if a == nil || b != nil && *b*inward > *a*inward {
		return b
	}
	return a
}

// count returns the value of a keyword that limits a number of things, or the default value other if it is not a number
// from 0 to 2^31.
func count(v []byte, other int) int {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < 0 || f > 1<<31 {
		return other
	}
	return int(f)
}

// lower returns the lower of two maximums, in which a negative value means none.
func lower(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}
