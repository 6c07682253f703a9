package jsonx

import (
	"encoding/binary"
	"math/bits"
)

// The functions below test eight bytes at once as one word. In their results the top bit of a byte is set if the byte
// matches. Bytes above the lowest match may be marked wrongly (by a borrow), so only the lowest mark is reliable.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080

	wordSize = 8
)

// load returns the eight bytes of b at offset i as a little-endian word.
func load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+wordSize])
}

// store writes a word to b at offset i.
func store(b []byte, i int, w uint64) {
	binary.LittleEndian.PutUint64(b[i:i+wordSize], w)
}

// first returns the index, 0 to 7, of the lowest marked byte.
func first(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// equalTo marks the bytes of w that equal c.
func equalTo(w uint64, c byte) uint64 {
	w ^= ones * uint64(c)
	return (w - ones) & ^w & tops
}

// quotes marks the quotes and backslashes in w. It needs fewer operations than two calls of equalTo.
func quotes(w uint64) uint64 {
	return ((w ^ ones*'"' - ones) | (w ^ ones*'\\' - ones)) &^ w & tops
}

// unusual marks the bytes of w that are not plain ASCII text of a string: quotes, backslashes, control characters and
// bytes above 0x7f.
func unusual(w uint64) uint64 {
	// With the bit 0x02 inverted, the quote is 0x20, and control characters are still below it.
	return ((w ^ ones*'\\' - ones) | (w ^ ones*0x02 - ones*0x21) | w) & tops
}

// plain returns the offset of the first byte at or after i that is not plain ASCII text of a string: a quote, a
// backslash, a control character or a byte above 0x7f.
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

// quoteOrBracket returns the offset of the first quote, bracket or brace at or after i, or len(b) if there is none. It
// may also stop at 'y', 'Y', '_' and DEL, which valid text contains only in strings.
func quoteOrBracket(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := load(b, i)
		// With the bits 0x26 set, both brackets and both braces are 0x7f.
		if m := equalTo(w, '"') | equalTo(w|ones*0x26, 0x7f); m != 0 {
			return i + first(m)
		}
	}
	for i < len(b) && b[i] != '"' && b[i]|0x26 != 0x7f {
		i++
	}
	return i
}
