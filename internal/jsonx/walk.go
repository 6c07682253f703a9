package jsonx

import (
	"bytes"
	"unicode/utf8"
)

// The walkers go through valid JSON once: a visitor gets the place where a value begins and returns where it ends, so
// that a large value is entered without having been skipped first. Going by spans (members, then elements, then
// members) would scan every byte once for each level it lies in.

// Space returns the place of the first byte from i on that is no white space.
func Space(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// WalkMembers visits the members of the object at i and returns its end.
func WalkMembers(b []byte, i int, visit func(key Key, at int) (end int)) int {
	for i = Space(b, i+1); i < len(b) && b[i] == '"'; i = Space(b, i+1) {
		colon := SkipValue(b, i)
		key := Key(b[i:colon:colon])
		at := Space(b, Space(b, colon)+1)
		if at >= len(b) { // the object was cut
			return len(b)
		}
		i = Space(b, visit(key, at))
		if i >= len(b) || b[i] != ',' {
			break
		}
	}
	return min(i+1, len(b))
}

// KeySpan returns the place of the name of the member whose value begins at at: a colon and white space stand between
// them.
func KeySpan(b []byte, key Key, at int) (start, end int) {
	end = min(at, len(b))
	for b[end-1] != '"' {
		end--
	}
	return end - len(key), end
}

// WalkElements visits the elements of the array at i, n counting from 0, and returns its end.
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

// SkipValue is Skip for the value that begins at i itself.
func SkipValue(b []byte, i int) int {
	if b[i] == '"' {
		return skipString(b, i+1)
	}
	return Skip(b, i)
}

// TextOf returns the text of a JSON string without white space around it, "" for other values.
func TextOf(v []byte) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	s, _ := String(v)
	return s
}

// TextBytes returns the result of TextOf as bytes, nil for other values. Without escapes it aliases v: it is for texts
// that are only compared or looked up.
func TextBytes(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	return Key(v).Text()
}

// IsBlank reports whether the text of a JSON string is nothing but white space, as strings.TrimSpace defines it. It
// reads no further than the first other character.
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
