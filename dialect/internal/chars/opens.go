package chars

import "math/bits"

// opens are the bytes with which something begins that is no plain text: markup, an object, a list, arguments, a fence, an entity.
var opens = [256]bool{'<': true, '[': true, ']': true, '{': true, '(': true, '`': true, '~': true, '&': true}

// NextOpen is the place of the first byte of t, from i on, with which something begins that is no plain text; len(t) without one.
func NextOpen(t string, i int) int {
	for i+8 <= len(t) {
		b := t[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// Brackets, braces and the tilde stand after the letters, with few others: these are looked at one by one.
		m := ((w|ones*0x20)&^tops + ones*(0x80-'{')) &^ w
		m |= equal(w, '<') | equal(w, '(') | equal(w, '&') | equal(w, '`')
		if m &= tops; m == 0 {
			i += 8
			continue
		}
		if i += bits.TrailingZeros64(m) >> 3; opens[t[i]] {
			return i
		}
		i++
	}
	for i < len(t) && !opens[t[i]] {
		i++
	}
	return i
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// equal sets the top bit of the bytes of w that are c. Above the lowest of them others may be set too.
func equal(w uint64, c byte) uint64 {
	w ^= ones * uint64(c)
	return (w - ones) &^ w
}
