package schema

import "github.com/callwright/callwright/internal/jsonx"

// A worker limits the work of the complete validator. That validator visits every branch of every union and caches
// nothing, so recursive schemas can take exponential time.
type worker struct{ left int }

// canDo subtracts the estimated work for v from the limit. It returns false if the limit is exceeded.
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
