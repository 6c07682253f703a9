package jsonx

// MaxDepth is the maximum depth of nested arrays and objects.
const MaxDepth = 512

// nesting is the stack of open arrays and objects, one bit for each: 1 for an object.
type nesting struct {
	bits  [MaxDepth / 64]uint64
	depth int
}

// push opens an array or object. It returns false if MaxDepth is reached.
func (n *nesting) push(k Kind) bool {
	if n.depth >= MaxDepth {
		return false
	}
	word, bit := n.depth>>6, uint64(1)<<(n.depth&63)
	if k == Object {
		n.bits[word] |= bit
	} else {
		n.bits[word] &^= bit
	}
	n.depth++
	return true
}

// top returns the kind of the innermost open array or object, or Invalid if there is none.
func (n *nesting) top() Kind {
	d := n.depth - 1
	if d < 0 {
		return Invalid
	}
	if n.bits[d>>6&(MaxDepth/64-1)]>>(d&63)&1 != 0 {
		return Object
	}
	return Array
}
