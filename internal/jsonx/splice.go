package jsonx

import (
	"reflect"
	"slices"
)

// Span returns the offsets of part in whole, so that whole[start:end] is part. part must alias whole. It returns -1, -1
// if part is elsewhere, is nil, or has no capacity.
func Span(whole, part []byte) (start, end int) {
	w, p := address(whole), address(part)
	if p < w || p+uintptr(len(part)) > w+uintptr(len(whole)) {
		return -1, -1
	}
	start = int(p - w)
	return start, start + len(part)
}

// address returns the address of the memory of b, or 0 if b has no capacity. Addresses can be compared: Value.Pointer
// makes the memory escape to the heap, where it does not move.
func address(b []byte) uintptr {
	if cap(b) == 0 {
		return 0
	}
	return reflect.ValueOf(&b[:1][0]).Pointer()
}

// Edit replaces the bytes from Start to End by New. If Start equals End, it inserts New.
type Edit struct {
	Start, End int
	New        []byte
}

// Splice appends whole to dst with the edits applied. Edits must be sorted and must not overlap, else Splice panics.
// dst must not overlap whole.
func Splice(dst, whole []byte, edits ...Edit) []byte {
	at, room := 0, len(whole)
	for _, e := range edits {
		room += len(e.New) - (e.End - e.Start)
	}
	dst = slices.Grow(dst, max(room, 0))
	for _, e := range edits {
		dst = append(dst, whole[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, whole[at:]...)
}

// Compact appends v to dst without white space between tokens. All other bytes are kept. dst must not overlap v.
func Compact(dst, v []byte) []byte {
	start := 0 // start of the bytes that are not appended yet
	for i := 0; i < len(v); {
		switch c := v[i]; {
		case c == '"':
			i = skipString(v, i+1)
		case isSpace(c):
			dst = append(dst, v[start:i]...)
			i = Space(v, i)
			start = i
		default:
			i++
		}
	}
	return append(dst, v[start:]...)
}
