package openai

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/callwright/callwright/internal/jsonx"
)

// The walkers below go through valid JSON once: a visitor gets the place where a value begins and returns where it ends,
// so that a large value is entered without having been skipped first.

// skip returns the end of the value at i. Most of a conversation is text with escaped line ends in it: the next quote that
// no odd run of backslashes escapes is found faster than by stopping at each of them.
func skip(b []byte, i int) int {
	if b[i] != '"' {
		return jsonx.Skip(b, i)
	}
	for at := i + 1; ; {
		n := bytes.IndexByte(b[at:], '"')
		if n < 0 {
			return len(b)
		}
		slashes := at + n
		for b[slashes-1] == '\\' {
			slashes--
		}
		end := at + n + 1
		if (end-1-slashes)%2 == 0 {
			return end
		}
		at = end
	}
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// eachMember visits the members of the object at i and returns its end.
func eachMember(b []byte, i int, visit func(key jsonx.Key, at int) (end int)) int {
	for i = space(b, i+1); i < len(b) && b[i] == '"'; i = space(b, i+1) {
		colon := skip(b, i)
		key := jsonx.Key(b[i:colon:colon])
		i = space(b, visit(key, space(b, space(b, colon)+1)))
		if i >= len(b) || b[i] != ',' {
			break
		}
	}
	return min(i+1, len(b))
}

// eachElement visits the elements of the array at i and returns its end.
func eachElement(b []byte, i int, visit func(n, at int) (end int)) int {
	i = space(b, i+1)
	for n := 0; i < len(b) && b[i] != ']'; n++ {
		i = space(b, visit(n, i))
		if i >= len(b) || b[i] != ',' {
			break
		}
		i = space(b, i+1)
	}
	return min(i+1, len(b))
}

// text is the text of a JSON string, "" for other values. Without escapes it aliases v: bodies are not changed once they
// were decoded, and chunks are cloned where a text is kept.
func text(v []byte) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	in := v[1 : len(v)-1]
	if bytes.IndexByte(in, '\\') < 0 {
		return unsafe.String(unsafe.SliceData(in), len(in))
	}
	s, _ := jsonx.String(v)
	return s
}

// kindOf names the kind of v with its article.
func kindOf(v []byte) string {
	switch k := jsonx.KindOf(v); k {
	case jsonx.Null:
		return k.String()
	case jsonx.Invalid:
		return "nothing"
	case jsonx.Array, jsonx.Object:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}

func isString(v []byte) bool { return len(v) > 0 && v[0] == '"' }
func isObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }
func isArray(v []byte) bool  { return len(v) > 0 && v[0] == '[' }
func isNull(v []byte) bool   { return len(v) == 0 || v[0] == 'n' }
func isTrue(v []byte) bool   { return len(v) > 0 && v[0] == 't' }

// isNumber tells a number by its first byte.
func isNumber(v []byte) bool { return jsonx.KindOf(v) == jsonx.Number }

// isBlank tells whether the text of a JSON string is nothing but white space.
func isBlank(v []byte) bool {
	in := v[1 : len(v)-1]
	for i := 0; i < len(in); i++ {
		switch in[i] {
		case ' ', '\t', '\n', '\r':
		case '\\':
			if i++; i < len(in) && in[i] != 'n' && in[i] != 't' && in[i] != 'r' {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pointer is the JSON pointer of element n of the list called list, and below.
func pointer(list string, n int, below string) string {
	return "/" + list + "/" + strconv.Itoa(n) + below
}
