package chars

import "math/bits"

// opens are the bytes with which something begins that is no plain text: markup, an object, a list, arguments, a fence,
// an entity.
var opens = [256]bool{'<': true, '[': true, ']': true, '{': true, '(': true, '`': true, '~': true, '&': true}

// NextOpen is the place of the first byte of t, from i on, with which something begins that is no plain text; len(t)
// without one.
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

// LineStart is where the last line of t begins.
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

// word is the first eight bytes of b.
func word(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// mayOpen sets the top bit of the bytes of w that are in opens, and of a few that are rare in text: & ' ( are taken as
// one range, and brackets, braces and the tilde with the characters among them after the letters.
func mayOpen(w uint64) uint64 {
	x := (w | ones*0x20) &^ tops
	m := (x + ones*(0x80-'{')) | (x+ones*(0x80-'&'))&^(x+ones*(0x80-')'))
	return (m | equal(x, '<') | equal(x, '`')) &^ w
}

// equal sets the top bit of the bytes of w that are c. The top bits of w and c are not set.
func equal(w uint64, c byte) uint64 { return tops - (w ^ ones*uint64(c)) }
