package schema

import "github.com/callwright/callwright/internal/jsonx"

// A worker estimates the work of the complete validator, which visits every branch of every union and remembers
// nothing: with recursive schemas it can visit a nested value too often to end in time.
type worker struct{ left int }

// canDo reports whether the work for v stays within the rest of the bound.
func (w *worker) canDo(n *node, v []byte) bool {
	if w.left--; w.left < 0 {
		return false
	}
	for _, next := range n.beside() {
		if !w.canDo(next, v) {
			return false
		}
	}
	view := []*node{n}
	for key, value := range jsonx.Members(v) {
		for _, next := range append(childrenOf(view, key.String()), n.rare...) {
			if !w.canDo(next, value) {
				return false
			}
		}
	}
	i := 0
	for value := range jsonx.Elements(v) {
		next := append(itemOf(view, i), n.rare...)
		if n.array != nil && n.array.contains != nil {
			next = append(next, n.array.contains)
		}
		for _, one := range next {
			if !w.canDo(one, value) {
				return false
			}
		}
		i++
	}
	return true
}
