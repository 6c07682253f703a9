package schema

import "github.com/callwright/callwright/internal/jsonx"

// Param is a parameter of a tool: a property of the root schema.
type Param struct {
	Name     string
	Types    []string // permitted JSON Schema types; nil for any type
	Required bool
	Schema   []byte // original JSON of the schema; the caller must not modify it
}

// Params returns the parameters in declaration order, including those that the root schema gets through $ref or allOf.
// The caller must not modify the slice.
func (s *Schema) Params() []Param { return s.params }

func (s *Schema) listParams() []Param {
	view := flatten(s.root)
	var out []Param
	seen := map[string]bool{}
	for _, n := range view {
		if n.object == nil {
			continue
		}
		for key, value := range jsonx.Members(s.resolvePointer(n.at + "/properties")) {
			name := key.String()
			if seen[name] {
				continue
			}
			seen[name] = true
			p := Param{Name: name, Required: isRequired(view, name), Schema: value}
			if k := possible(childrenOf(view, name)); k != kindAll {
				p.Types = k.names()
			}
			out = append(out, p)
		}
	}
	return out
}

// resolvePointer returns the JSON at a JSON pointer in the original schema, nil if there is none.
func (s *Schema) resolvePointer(path string) []byte {
	v := s.raw
	for _, step := range steps(path) {
		switch kindOf(v) {
		case kindObject:
			v, _ = jsonx.Find(v, step)
		case kindArray:
			v = element(v, step)
		default:
			return nil
		}
	}
	return v
}

// isRequired reports whether a schema of view requires the member name.
func isRequired(view []*node, name string) bool {
	for _, n := range view {
		if n.object != nil && n.object.requires(name) {
			return true
		}
	}
	return false
}

// possible returns the kinds of values that can satisfy all schemas of view.
func possible(view []*node) kindSet {
	set := kindSet(kindAll)
	for _, n := range view {
		set &= n.may
	}
	return set
}

// possible returns the kinds of JSON values that can be valid for n. The field may of its subschemas must be set.
func (n *node) possible() kindSet {
	if n.none {
		return 0
	}
	set := kindSet(kindAll)
	if n.kinds != 0 {
		set = n.kinds
	}
	for _, rule := range n.values {
		var of kindSet
		for _, l := range rule.list {
			of |= l.kind
		}
		set &= of
	}
	if n.ref != nil {
		set &= n.ref.may
	}
	for _, all := range n.allOf {
		set &= all.may
	}
	for _, branches := range [...][]*node{n.anyOf, n.oneOf} {
		var of kindSet
		for _, b := range branches {
			of |= b.may
		}
		if branches != nil {
			set &= of
		}
	}
	return set
}
