package jsonx

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes are looked at as one word. In the results of the tests below the top bit of a byte is set where the byte
// fits; bytes above the lowest that fits may be marked by mistake (a borrow), so only the lowest mark counts.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080

	wordSize = 8
)

// load returns the eight bytes of b at i.
func load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+wordSize])
}

// store writes a word to b at i.
func store(b []byte, i int, w uint64) {
	binary.LittleEndian.PutUint64(b[i:i+wordSize], w)
}

// first returns the index, 0 to 7, of the lowest marked byte.
func first(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// equalTo marks the bytes of w that are c.
func equalTo(w uint64, c byte) uint64 {
	w ^= ones * uint64(c)
	return (w - ones) & ^w & tops
}

// quotes marks the quotes and backslashes of w, in fewer steps than two tests for equality.
func quotes(w uint64) uint64 {
	return ((w ^ ones*'"' - ones) | (w ^ ones*'\\' - ones)) &^ w & tops
}

// unusual marks the bytes of w that are not printable ASCII text of a string: quotes, backslashes, controls and bytes
// above ASCII.
func unusual(w uint64) uint64 {
	// With the bit 0x02 turned, the quote is 0x20, and the controls are still below it.
	return ((w ^ ones*'\\' - ones) | (w ^ ones*0x02 - ones*0x21) | w) & tops
}

// plain returns the place of the first byte in b at or after i that is not printable ASCII text of a string: quote,
// backslash, control or above ASCII.
func plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := load(b, i)
		if m := unusual(w); m != 0 {
			return i + first(m)
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 && b[i] < 0x80 {
		i++
	}
	return i
}

// quoteOrBracket returns the place of the first quote, bracket or brace in b at or after i, len(b) without one. It
// may also stop at 'y', 'Y', '_' and DEL, which valid text has only in strings.
func quoteOrBracket(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := load(b, i)
		// With the bits 0x26 set, the two brackets and the two braces are all 0x7f.
		if m := equalTo(w, '"') | equalTo(w|ones*0x26, 0x7f); m != 0 {
			return i + first(m)
		}
	}
	for i < len(b) && b[i] != '"' && b[i]|0x26 != 0x7f {
		i++
	}
	return i
}
