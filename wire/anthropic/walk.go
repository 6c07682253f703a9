package anthropic

import (
	"bytes"
	"unsafe"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The walk goes over a validated body once: containers are entered in place, only leaves are skipped. Going by spans
// (members, then elements, then members) would scan every byte once for each level it lies in.

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// object calls f with the name of each member of the object at i and the place of its value; f returns the value's end.
// The result is the object's end.
func object(b []byte, i int, f func(name []byte, at int) int) int {
	for i = space(b, i+1); i < len(b) && b[i] == '"'; i = space(b, i+1) {
		end := jsonx.Skip(b, i)
		name := plain(b[i:end])
		i = space(b, end)
		i = space(b, f(name, space(b, i+1)))
		if i < len(b) && b[i] == '}' {
			break
		}
	}
	return i + 1
}

// array calls f with the number of each element of the array at i and its place; f returns the element's end. The result
// is the array's end.
func array(b []byte, i int, f func(n, at int) int) int {
	i = space(b, i+1)
	for n := 0; i < len(b) && b[i] != ']'; n++ {
		i = space(b, f(n, i))
		if i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return i + 1
}

// plain is the text of a JSON string, aliasing it where nothing in it is escaped. It is nil for all else.
func plain(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	return jsonx.Unquote(nil, v)
}

// aliasFrom is the length from which text is not copied out of a body. Shorter text may outlive the request in notes
// and must not hold the whole body in memory.
const aliasFrom = 256

// text is the text of a JSON string. Long text that needs no unescaping aliases the body, which nobody writes to.
func text(v []byte) string {
	p := plain(v)
	if len(p) < aliasFrom {
		return string(p)
	}
	return unsafe.String(unsafe.SliceData(p), len(p))
}

// extras gathers the members of an object that have no place in the vocabulary. It is empty until the first is added.
type extras []byte

func (x *extras) add(name, value []byte) {
	if *x == nil {
		*x = append(*x, '{')
	} else {
		*x = append(*x, ',')
	}
	*x = append(jsonx.AppendQuote(*x, name), ':')
	*x = append(*x, value...)
}

func (x extras) extra() callwright.Extra {
	if x == nil {
		return callwright.Extra{}
	}
	return callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(append(x, '}'))}
}

// ours is the JSON of an extra of this wire, nil for one of another.
func ours(x callwright.Extra) []byte {
	if x.Wire != callwright.WireAnthropic {
		return nil
	}
	return x.JSON
}
