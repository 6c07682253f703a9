package jsonx

import (
	"bytes"
	"unicode/utf8"
)

// WalkMembers and WalkElements traverse valid JSON once. A visitor gets the offset of a value and returns the offset
// after it, so that a nested value need not be skipped before it is traversed. Traversing by spans (members, then their
// elements, and so on) would scan every byte once for each level.

// Space returns the offset of the first byte at or after i that is not JSON white space.
func Space(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// WalkMembers calls visit for each member of the object at offset i and returns the offset after the object. visit gets
// the offset of the value and must return the offset after it.
func WalkMembers(b []byte, i int, visit func(key Key, at int) (end int)) int {
	for i = Space(b, i+1); i < len(b) && b[i] == '"'; i = Space(b, i+1) {
		colon := SkipValue(b, i)
		key := Key(b[i:colon:colon])
		at := Space(b, Space(b, colon)+1)
		if at >= len(b) { // the object is incomplete
			return len(b)
		}
		i = Space(b, visit(key, at))
		if i >= len(b) || b[i] != ',' {
			break
		}
	}
	return min(i+1, len(b))
}

// KeySpan returns the offsets of the name of the member whose value begins at offset at. Only a colon and white space
// are between them.
func KeySpan(b []byte, key Key, at int) (start, end int) {
	end = min(at, len(b))
	for b[end-1] != '"' {
		end--
	}
	return end - len(key), end
}

// WalkElements calls visit for each element of the array at offset i and returns the offset after the array. visit gets
// the index and the offset of the element and must return the offset after it.
func WalkElements(b []byte, i int, visit func(n, at int) (end int)) int {
	i = Space(b, i+1)
	for n := 0; i < len(b) && b[i] != ']'; n++ {
		i = Space(b, visit(n, i))
		if i >= len(b) || b[i] != ',' {
			break
		}
		i = Space(b, i+1)
	}
	return min(i+1, len(b))
}

// SkipValue is Skip for a value that begins at i, without white space.
func SkipValue(b []byte, i int) int {
	if b[i] == '"' {
		return skipString(b, i+1)
	}
	return Skip(b, i)
}

// TextOf returns the text of a JSON string without surrounding white space, or "" for other values.
func TextOf(v []byte) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	s, _ := String(v)
	return s
}

// TextBytes returns the result of TextOf as bytes, or nil for other values. It aliases v if the string has no escapes,
// so the result must not be modified.
func TextBytes(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	return Key(v).Text()
}

// IsBlank reports whether the text of a JSON string is only white space, as defined by strings.TrimSpace. It stops at
// the first other character.
func IsBlank(v []byte) bool {
	in := inner(v)
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == ' ':
		case c == '\\' && i+1 < len(in) && (in[i+1] == 'n' || in[i+1] == 't' || in[i+1] == 'r'):
			i++
		case c == '\\', c >= utf8.RuneSelf:
			return len(bytes.TrimSpace(TextBytes(v))) == 0
		default:
			return false
		}
	}
	return true
}
