package citation

import (
	"bytes"
	"iter"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// ListKeys names the members of a Chat Completions response, beside choices, that list the sources of the whole
// response.
var ListKeys = [...]string{citations, searchResults}

// Lists records the values of the members ListKeys in a stream. They may come with any chunk, or with every chunk. The
// zero Lists is ready for use.
type Lists struct {
	in   [len(ListKeys)][]byte // the latest value of each member, nil for none
	late bool                  // a value changed after the first chunk
}

// Take records the member k of a chunk with the value v. It ignores members that are not in ListKeys. begun states that
// the chunk is not the first.
func (l *Lists) Take(k jsonx.Key, v []byte, begun bool) {
	for i, key := range ListKeys {
		if k.Is(key) && !bytes.Equal(l.in[i], v) {
			l.in[i], l.late = slices.Clone(v), begun
		}
	}
}

// Late returns an iterator over the members and their values. It is empty if the first chunk had the final values.
func (l *Lists) Late() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i, list := range l.in {
			if l.late && list != nil && !yield(ListKeys[i], list) {
				return
			}
		}
	}
}
