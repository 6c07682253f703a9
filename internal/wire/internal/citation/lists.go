package citation

import (
	"bytes"
	"iter"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// ListKeys are members beside the choices of Chat Completions that list the sources of the answer.
var ListKeys = [...]string{citations, searchResults}

// Lists are those lists in a stream, which may come with any chunk, or with each. The zero Lists is ready for use.
type Lists struct {
	in   [len(ListKeys)][]byte
	late bool // they are not what came with the first chunk
}

// Take takes a member of a chunk. Begun says that it is not the first one.
func (l *Lists) Take(k jsonx.Key, v []byte, begun bool) {
	for i, key := range ListKeys {
		if k.Is(key) && !bytes.Equal(l.in[i], v) {
			l.in[i], l.late = slices.Clone(v), begun
		}
	}
}

// Late gives the lists by their keys, none where all came with the first chunk.
func (l *Lists) Late() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i, list := range l.in {
			if l.late && list != nil && !yield(ListKeys[i], list) {
				return
			}
		}
	}
}
