package jsonx

import (
	"reflect"
	"slices"
)

// Span returns the place of part in whole, which it must alias, so that part is whole[start:end]. It returns -1, -1
// when part lies elsewhere, or has no memory: it is nil, or empty with no room to grow.
func Span(whole, part []byte) (start, end int) {
	w, p := address(whole), address(part)
	if p < w || p+uintptr(len(part)) > w+uintptr(len(whole)) {
		return -1, -1
	}
	start = int(p - w)
	return start, start + len(part)
}

// address is the address of the memory of b, 0 where b has none. It is good for comparing: Value.Pointer makes the
// memory escape to the heap, where nothing moves, as it could on a stack.
func address(b []byte) uintptr {
	if cap(b) == 0 {
		return 0
	}
	return reflect.ValueOf(&b[:1][0]).Pointer()
}

// Edit replaces the bytes from Start to End by New. Start equal to End inserts.
type Edit struct {
	Start, End int
	New        []byte
}

// Splice appends whole to dst with the edits made. Edits come in order of place and do not overlap; others are a
// mistake of the caller, and panic as slicing does. dst must not overlap whole.
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

// Compact appends v to dst without the white space between its tokens. All else stays byte for byte. dst must not
// overlap v.
func Compact(dst, v []byte) []byte {
	start := 0 // of what is not yet written
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
