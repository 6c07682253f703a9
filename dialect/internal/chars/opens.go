package chars

import "math/bits"

// opens has the bytes that can begin markup, an object, a list, arguments, a code block or an entity.
var opens = [256]bool{'<': true, '[': true, ']': true, '{': true, '(': true, '`': true, '~': true, '&': true}

// NextOpen returns the index of the first byte of t at or after i that is in opens, len(t) if there is none.
func NextOpen(t string, i int) int {
	for i+32 <= len(t) {
		b := t[i : i+32]
		if (mayOpen(word(b))|mayOpen(word(b[8:]))|mayOpen(word(b[16:]))|mayOpen(word(b[24:])))&tops == 0 {
			i += 32
			continue
		}
		for end := i + 32; i < end; i++ {
			if opens[t[i]] {
				return i
			}
		}
	}
	for i < len(t) && !opens[t[i]] {
		i++
	}
	return i
}

// LineStart returns the start of the last line of t.
func LineStart(t string) int {
	i := len(t)
	for ; i >= 8; i -= 8 {
		w := word(t[i-8:])
		if m := equal(w&^tops, '\n') &^ w & tops; m != 0 {
			return i - bits.LeadingZeros64(m)>>3
		}
	}
	for i > 0 && t[i-1] != '\n' {
		i--
	}
	return i
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// word returns the first eight bytes of b as an integer.
func word(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// mayOpen sets the top bit of each byte of w that is in opens, and of a few rare others: the range & ' ( ) is tested
// as one, and brackets, braces and the tilde together with the characters between them.
func mayOpen(w uint64) uint64 {
	x := (w | ones*0x20) &^ tops
	m := (x + ones*(0x80-'{')) | (x+ones*(0x80-'&'))&^(x+ones*(0x80-')'))
	return (m | equal(x, '<') | equal(x, '`')) &^ w
}

// equal sets the top bit of each byte of w that equals c. The top bits of w and c must be zero.
func equal(w uint64, c byte) uint64 { return tops - (w ^ ones*uint64(c)) }
