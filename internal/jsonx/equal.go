package jsonx

import (
	"bytes"
	"slices"
)

// Equal reports whether two JSON values are equal: objects with the same members in any order, arrays with the same
// elements in order, strings with the same characters after unescaping, numbers with exactly the same value. Duplicate
// names are compared in their order. It allocates only if the order of members differs. It takes linear time except for
// sorting members.
func Equal(a, b []byte) bool {
	p := pair{a: a, b: b}
	switch p.values(0) {
	case same:
		return true
	case differ:
		return false
	}
	x, y := newTree(a), newTree(b)
	return len(x.nodes) == len(y.nodes) && len(x.nodes) > 0 && sameTree(x, 0, y, 0)
}

// A comparison is the result of comparing two texts in parallel. unordered means that the members are in different
// orders, so that the texts must be compared as trees.
type comparison uint8

const (
	same comparison = iota
	differ
	unordered
)

// pair traverses two texts in parallel. i and j are the offsets in a and b.
type pair struct {
	a, b []byte
	i, j int
}

// next skips white space and returns the next byte if both texts have the same one, else 0.
func (p *pair) next() byte {
	p.i, p.j = Space(p.a, p.i), Space(p.b, p.j)
	if p.i >= len(p.a) || p.j >= len(p.b) || p.a[p.i] != p.b[p.j] {
		return 0
	}
	return p.a[p.i]
}

func (p *pair) move() { p.i, p.j = p.i+1, p.j+1 }

func (p *pair) values(depth int) comparison {
	i, j := Space(p.a, p.i), Space(p.b, p.j)
	if i >= len(p.a) || j >= len(p.b) || depth > MaxDepth {
		return differ
	}
	p.i, p.j = i, j
	switch k := kinds[p.a[i]]; {
	case k != kinds[p.b[j]]:
		return differ
	case k == Object || k == Array:
		return p.containers(k, depth)
	default:
		p.i, p.j = Skip(p.a, i), Skip(p.b, j)
		if sameScalar(p.a[i:p.i], p.b[j:p.j]) {
			return same
		}
		return differ
	}
}

func (p *pair) containers(k Kind, depth int) comparison {
	p.move()
	if c := p.next(); c == ']' || c == '}' {
		p.move()
		return same
	}
	for {
		if k == Object {
			if v := p.keys(); v != same {
				return v
			}
		}
		if v := p.values(depth + 1); v != same {
			return v
		}
		c := p.next()
		if c != ',' && c != ']' && c != '}' {
			return differ
		}
		p.move()
		if c != ',' {
			return same
		}
	}
}

// keys compares and skips a member's name and colon in both texts. It returns unordered if the names differ.
func (p *pair) keys() comparison {
	if p.next() != '"' {
		return differ
	}
	i, j := p.i, p.j
	p.i, p.j = skipString(p.a, i+1), skipString(p.b, j+1)
	if !sameScalar(p.a[i:p.i], p.b[j:p.j]) {
		return unordered
	}
	if p.next() != ':' {
		return differ
	}
	p.move()
	return same
}

// sameScalar reports whether two strings, numbers or literals are equal.
func sameScalar(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	switch KindOf(a) {
	case Text:
		escaped := bytes.IndexByte(a, '\\') >= 0 || bytes.IndexByte(b, '\\') >= 0
		return escaped && KindOf(b) == Text && compareStrings(inner(a), inner(b)) == 0
	case Number:
		return KindOf(b) == Number && sameNumber(a, b)
	}
	return false
}

// tree contains the offsets of all values in a text, parents before children.
type tree struct {
	text  []byte
	nodes []node
}

type node struct {
	key, keyEnd int // offsets of the member's name with its quotes; equal for an element
	start, end  int
	next        int // index of the first node after this value
}

func newTree(text []byte) *tree {
	t := &tree{text: text}
	t.value(0, 0, 0, 0)
	return t
}

// value adds the value at offset i. The name of a member is between the offsets key and keyEnd, which are equal for
// other values. It returns the offset after the value.
func (t *tree) value(i, key, keyEnd, depth int) int {
	i = Space(t.text, i)
	if i >= len(t.text) || depth > MaxDepth {
		return len(t.text)
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{key: key, keyEnd: keyEnd, start: i})
	var end int
	switch k := kinds[t.text[i]]; k {
	case Object, Array:
		end = t.children(k, i+1, depth+1)
	default:
		end = Skip(t.text, i)
	}
	t.nodes[at].end, t.nodes[at].next = end, len(t.nodes)
	return end
}

// children adds the members of an object or the elements of an array from offset i. It returns the offset after the
// closing bracket.
func (t *tree) children(k Kind, i, depth int) int {
	for {
		i = Space(t.text, i)
		if i >= len(t.text) {
			return i
		}
		if c := t.text[i]; c == '}' || c == ']' {
			return i + 1
		}
		key, keyEnd := 0, 0
		if k == Object {
			key, keyEnd = i, Skip(t.text, i)
			if i = Space(t.text, keyEnd); i >= len(t.text) || t.text[i] != ':' {
				return len(t.text)
			}
			i++
		}
		i = Space(t.text, t.value(i, key, keyEnd, depth))
		if i >= len(t.text) || t.text[i] != ',' && t.text[i] != '}' && t.text[i] != ']' {
			return len(t.text)
		}
		if t.text[i] == ',' {
			i++
		}
	}
}

// under returns the indexes of the children of node n. Members are sorted by name, duplicates in their order.
func (t *tree) under(n int) []int {
	var list []int
	for c := n + 1; c < t.nodes[n].next; c = t.nodes[c].next {
		list = append(list, c)
	}
	if t.text[t.nodes[n].start] == '{' {
		slices.SortFunc(list, func(x, y int) int {
			if c := compareStrings(inner(t.key(x)), inner(t.key(y))); c != 0 {
				return c
			}
			return x - y
		})
	}
	return list
}

func (t *tree) key(n int) []byte { return t.text[t.nodes[n].key:t.nodes[n].keyEnd] }

func sameTree(a *tree, x int, b *tree, y int) bool {
	av, bv := a.text[a.nodes[x].start:a.nodes[x].end], b.text[b.nodes[y].start:b.nodes[y].end]
	k := KindOf(av)
	if k != KindOf(bv) {
		return false
	}
	if k != Object && k != Array {
		return sameScalar(av, bv)
	}
	xs, ys := a.under(x), b.under(y)
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if k == Object && compareStrings(inner(a.key(xs[i])), inner(b.key(ys[i]))) != 0 {
			return false
		}
		if !sameTree(a, xs[i], b, ys[i]) {
			return false
		}
	}
	return true
}
