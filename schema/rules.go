package schema

import (
	"encoding/json"
	"slices"
)

// maxBits is the maximum number of required members that are tracked in a bit set while an object is read.
const maxBits = 64

// A limitKind is a keyword that restricts numbers. breaks reports whether the number v violates the limit. The argument
// by is the limit.
type limitKind struct {
	keyword, words string
	breaks         func(by *bound, v []byte) bool
}

var limitTable = []limitKind{
	{"minimum", "a number not below", func(by *bound, v []byte) bool { return by.compare(v) < 0 }},
	{"exclusiveMinimum", "a number above", func(by *bound, v []byte) bool { return by.compare(v) <= 0 }},
	{"maximum", "a number not above", func(by *bound, v []byte) bool { return by.compare(v) > 0 }},
	{"exclusiveMaximum", "a number below", func(by *bound, v []byte) bool { return by.compare(v) >= 0 }},
	{"multipleOf", "a multiple of", func(by *bound, v []byte) bool { return !by.divides(v) }},
}

func (f fields) number() numberRules {
	var r numberRules
	for i := range limitTable {
		if v, ok := f.has(limitTable[i].keyword); ok {
			n, _ := v.(json.Number)
			r = append(r, limit{&limitTable[i], newBound(string(n))})
		}
	}
	return r
}

func (f fields) str() *stringRules {
	r := stringRules{min: f.count("minLength", 0), max: f.count("maxLength", -1), patternText: str(f.m["pattern"])}
	if r.patternText != "" {
		r.pattern, _ = compileRegexp(r.patternText)
		r.patternSize = patternSize(r.patternText)
	}
	if name := str(f.m["format"]); name != "" {
		r.format, r.formatName = formatOf(name), name
	}
	if r.min == 0 && r.max < 0 && r.pattern == nil && r.format == nil {
		return nil
	}
	return &r
}

func (f fields) array() *arrayRules {
	r := arrayRules{
		min: f.count("minItems", 0), max: f.count("maxItems", -1), unique: f.m["uniqueItems"] == true,
		atLeast: f.count("minContains", 1), atMost: f.count("maxContains", -1), contains: f.node("contains"),
		prefix: f.nodes("prefixItems"),
	}
	if _, list := f.m["items"].([]any); list {
		r.prefix, r.items = f.nodes("items"), f.node("additionalItems")
	} else {
		r.items = f.node("items")
	}
	if r.min == 0 && r.max < 0 && !r.unique && r.prefix == nil && r.items == nil && r.contains == nil {
		return nil
	}
	return &r
}

func (f fields) object() *objectRules {
	r := objectRules{
		min: f.count("minProperties", 0), max: f.count("maxProperties", -1),
		rest: f.node("additionalProperties"), names: f.node("propertyNames"), required: f.strings(f.m["required"]),
	}
	f.properties(&r)
	if m, ok := f.m["patternProperties"].(map[string]any); ok {
		for _, k := range sortedKeys(m) {
			re, err := compileRegexp(k)
			if err == nil {
				r.patterns = append(r.patterns, patternRule{re: re, node: f.b.node(join(join(f.path, "patternProperties"), k), m[k])})
			}
		}
	}
	for _, name := range [...]string{"dependentRequired", "dependentSchemas", "dependencies"} {
		if v, ok := f.has(name); ok {
			f.dependencies(&r, name, v)
		}
	}
	if r.min == 0 && r.max < 0 && len(r.props)+len(r.required)+len(r.patterns)+len(r.needs)+len(r.needSchemas) == 0 &&
		r.rest == nil && r.names == nil {
		return nil
	}
	return &r
}

func (f fields) properties(r *objectRules) {
	m, _ := f.m["properties"].(map[string]any)
	r.props = make(map[string]*property, len(m)+len(r.required))
	r.order = sortedKeys(m)
	for _, k := range r.order {
		r.props[k] = &property{node: f.b.node(join(join(f.path, "properties"), k), m[k])}
	}
	for i, k := range r.required {
		if i >= maxBits {
			break
		}
		if r.props[k] == nil {
			// required but not declared in properties: additionalProperties and patterns determine its schema
			r.props[k] = &property{}
		}
		r.props[k].bit = i + 1
	}
}

func (f fields) dependencies(r *objectRules, name string, v any) {
	m, _ := v.(map[string]any)
	for _, k := range sortedKeys(m) {
		if list, ok := m[k].([]any); ok {
			r.needs = append(r.needs, need{key: k, others: f.strings(list)})
			continue
		}
		r.needSchemas = append(r.needSchemas, needSchema{key: k, node: f.b.node(join(join(f.path, name), k), m[k])})
	}
}

// declares reports whether properties has the member name.
func (r *objectRules) declares(name string) bool {
	p := r.props[name]
	return p != nil && p.node != nil
}

func (r *objectRules) requires(name string) bool { return slices.Contains(r.required, name) }
