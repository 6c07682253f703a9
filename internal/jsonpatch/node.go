package jsonpatch

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// A node is a JSON value. It is immutable except for its cached fields.
type node struct {
	kind jsonx.Kind
	size int    // length of its text in bytes
	raw  []byte // its text; nil until requested for a value that an operation created

	open     bool // whether members or elements are set
	members  []member
	elements []*node

	depth int // depth of nested arrays and objects, including itself; 0 if not computed yet, and for a scalar

	asked  int            // number of searches for a member
	places map[string]int // indexes of members by name; nil until many were searched
}

// A member is a member of an object.
type member struct {
	key   jsonx.Key
	value *node
}

// name returns the unescaped name.
func (m member) name() string { return jsonx.TextOf(m.key) }

// leaf returns a node for raw, valid JSON without white space between tokens.
func leaf(raw []byte) *node { return &node{kind: jsonx.KindOf(raw), size: len(raw), raw: raw} }

// parseChildren sets the members or elements of n, if not done yet, and returns n.
func (n *node) parseChildren() *node {
	if n.open {
		return n
	}
	n.open = true
	switch n.kind {
	case jsonx.Object:
		for k, v := range jsonx.Members(n.raw) {
			n.members = append(n.members, member{k, leaf(v)})
		}
	case jsonx.Array:
		for v := range jsonx.Elements(n.raw) {
			n.elements = append(n.elements, leaf(v))
		}
	}
	return n
}

// objectOf returns an object with the given members, which it retains.
func objectOf(members []member) *node {
	n := &node{kind: jsonx.Object, open: true, members: members, size: len("{}") + max(len(members)-1, 0)}
	for _, m := range members {
		n.size += len(m.key) + len(":") + m.value.size
	}
	return n
}

// entries returns the number of members or elements.
func (n *node) entries() int { return len(n.parseChildren().members) + len(n.elements) }

// with returns a copy of n with the value at index i replaced.
func (n *node) with(i int, value *node) *node {
	made := &node{kind: n.kind, open: true}
	if n.kind == jsonx.Object {
		made.members = slices.Clone(n.members)
		made.size = n.size - n.members[i].value.size + value.size
		made.members[i].value = value
		return made
	}
	made.elements = slices.Clone(n.elements)
	made.size = n.size - n.elements[i].size + value.size
	made.elements[i] = value
	return made
}

// insertValue returns a copy of n with a value added: before element i of an array, or at the end of an object.
func (n *node) insertValue(i int, key jsonx.Key, value *node) *node {
	made := &node{kind: n.kind, open: true, size: n.size + value.size}
	if n.entries() > 0 {
		made.size += len(",")
	}
	if n.kind == jsonx.Object {
		made.size += len(key) + len(":")
		made.members = append(slices.Clip(n.members), member{key, value})
		return made
	}
	made.elements = slices.Insert(slices.Clip(n.elements), i, value)
	return made
}

// without returns a copy of n without the value at index i.
func (n *node) without(i int) *node {
	made := &node{kind: n.kind, open: true, size: n.size}
	if n.entries() > 1 {
		made.size -= len(",")
	}
	if n.kind == jsonx.Object {
		made.size -= len(n.members[i].key) + len(":") + n.members[i].value.size
		made.members = slices.Concat(n.members[:i], n.members[i+1:])
		return made
	}
	made.size -= n.elements[i].size
	made.elements = slices.Concat(n.elements[:i], n.elements[i+1:])
	return made
}

// text returns the JSON text of the value.
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

// levels returns the depth of nested arrays and objects, including n itself; 0 for a scalar.
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

// depthOf returns the depth of nested arrays and objects in a text.
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

// place returns the index of the member or element that a pointer token names, or -1 if there is none.
func (n *node) place(token string) int {
	switch n.kind {
	case jsonx.Object:
		return n.member(token)
	case jsonx.Array:
		if i, ok := index(token); ok && i < len(n.parseChildren().elements) {
			return i
		}
	}
	return -1
}

// manyAsked is the number of linear searches for members of an object before an index of all members is built.
const manyAsked = 16

// member returns the index of the member called name, or -1 if there is none.
func (n *node) member(name string) int {
	members := n.parseChildren().members
	if n.asked++; n.asked <= manyAsked {
		return slices.IndexFunc(members, func(m member) bool { return m.key.Is(name) })
	}
	if n.places == nil {
		n.places = make(map[string]int, len(members))
		for i, m := range members {
			n.places[m.name()] = i
		}
	}
	if i, ok := n.places[name]; ok {
		return i
	}
	return -1
}

// child returns the member or element that a pointer token names, or nil if there is none.
func (n *node) child(token string) *node {
	switch i := n.place(token); {
	case i < 0:
		return nil
	case n.kind == jsonx.Object:
		return n.members[i].value
	default:
		return n.elements[i]
	}
}

// equal reports whether two values are equal. Its cost depends on the smaller one.
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
		return slices.EqualFunc(n.parseChildren().elements, o.parseChildren().elements, (*node).equal)
	}
	return jsonx.Equal(n.raw, o.raw)
}

func (n *node) equalMembers(o *node) bool {
	if len(n.parseChildren().members) != len(o.parseChildren().members) {
		return false
	}
	values := make(map[string]*node, len(n.members))
	for _, m := range n.members {
		values[m.name()] = m.value
	}
	return !slices.ContainsFunc(o.members, func(m member) bool {
		v := values[m.name()]
		return v == nil || !v.equal(m.value)
	})
}
