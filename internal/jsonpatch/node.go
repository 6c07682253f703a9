package jsonpatch

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// A node is a value. It never changes but for what it has found out about itself.
type node struct {
	kind jsonx.Kind
	size int    // bytes of its text
	raw  []byte // its text; nil for one that an operation made, until it is asked for

	open     bool // members or elements are there
	members  []member
	elements []*node

	depth int // arrays and objects in one another, itself included; 0 where it was not counted yet, as in a scalar
}

// A member is one of an object.
type member struct {
	name  string
	key   []byte // the name as it is written, quotes included
	value *node
}

// leaf is the node of a text that is valid JSON without white space between tokens.
func leaf(raw []byte) *node { return &node{kind: jsonx.KindOf(raw), size: len(raw), raw: raw} }

// opened returns n with its members or elements.
func (n *node) opened() *node {
	if n.open {
		return n
	}
	n.open = true
	switch n.kind {
	case jsonx.Object:
		for k, v := range jsonx.Members(n.raw) {
			n.members = append(n.members, member{k.String(), k, leaf(v)})
		}
	case jsonx.Array:
		for v := range jsonx.Elements(n.raw) {
			n.elements = append(n.elements, leaf(v))
		}
	}
	return n
}

// objectOf is the node of an object with these members, which it keeps.
func objectOf(members []member) *node {
	n := &node{kind: jsonx.Object, open: true, members: members, size: len("{}") + max(len(members)-1, 0)}
	for _, m := range members {
		n.size += len(m.key) + len(":") + m.value.size
	}
	return n
}

// arrayOf is the node of an array with these elements, which it keeps.
func arrayOf(elements []*node) *node {
	n := &node{kind: jsonx.Array, open: true, elements: elements, size: len("[]") + max(len(elements)-1, 0)}
	for _, e := range elements {
		n.size += e.size
	}
	return n
}

// text returns the text of a node.
func (n *node) text() []byte {
	if n.raw == nil {
		n.raw = n.append(make([]byte, 0, n.size))
	}
	return n.raw
}

func (n *node) append(dst []byte) []byte {
	if n.raw != nil {
		return append(dst, n.raw...)
	}
	if n.kind == jsonx.Array {
		dst = append(dst, '[')
		for i, e := range n.elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.append(dst)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range n.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.value.append(append(append(dst, m.key...), ':'))
	}
	return append(dst, '}')
}

// levels is how many arrays and objects stand in one another, itself included.
func (n *node) levels() int {
	if n.depth > 0 || n.kind != jsonx.Array && n.kind != jsonx.Object {
		return n.depth
	}
	if !n.open {
		n.depth = depthOf(n.raw)
		return n.depth
	}
	deepest := 0
	for _, m := range n.members {
		deepest = max(deepest, m.value.levels())
	}
	for _, e := range n.elements {
		deepest = max(deepest, e.levels())
	}
	n.depth = deepest + 1
	return n.depth
}

// depthOf counts the arrays and objects that stand in one another in a text.
func depthOf(text []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsonx.SkipValue(text, i) - 1
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// member returns the place of a member in an object, -1 where it has none.
func (n *node) member(name string) int {
	return slices.IndexFunc(n.opened().members, func(m member) bool { return m.name == name })
}

// child returns the value below n that a token of a pointer names, nil where there is none.
func (n *node) child(token string) *node {
	switch n.kind {
	case jsonx.Object:
		if i := n.member(token); i >= 0 {
			return n.members[i].value
		}
	case jsonx.Array:
		if i, ok := index(token); ok && i < len(n.opened().elements) {
			return n.elements[i]
		}
	}
	return nil
}

// withMember is an object with a member in the place of number i, or behind the last one where i is -1.
func (n *node) withMember(i int, m member) *node {
	if i < 0 {
		return objectOf(append(slices.Clip(n.members), m))
	}
	members := slices.Clone(n.members)
	members[i].value = m.value
	return objectOf(members)
}

// equal reports whether two values mean the same. What it costs goes by the smaller one.
func (n *node) equal(o *node) bool {
	if n == o {
		return true
	}
	if n.kind != o.kind {
		return false
	}
	switch n.kind {
	case jsonx.Object:
		return n.equalMembers(o)
	case jsonx.Array:
		return slices.EqualFunc(n.opened().elements, o.opened().elements, (*node).equal)
	}
	return jsonx.Equal(n.raw, o.raw)
}

func (n *node) equalMembers(o *node) bool {
	if len(n.opened().members) != len(o.opened().members) {
		return false
	}
	values := make(map[string]*node, len(n.members))
	for _, m := range n.members {
		values[m.name] = m.value
	}
	return !slices.ContainsFunc(o.members, func(m member) bool {
		v := values[m.name]
		return v == nil || !v.equal(m.value)
	})
}
