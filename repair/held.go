package repair

import "strings"

// held is buffered text that is parsed again with the next chunk. It is the end of an append-only buffer, which is
// replaced when it is full. Substrings therefore stay valid, and few chunks need an allocation. It must not be copied
// after the first add.
type held struct {
	text  string // the end of the contents of chunk
	chunk strings.Builder
}

const (
	leastChunk = 64
	mostChunk  = 4096 // larger only if one text needs more
)

// add appends a chunk and returns the whole buffered text.
func (h *held) add(piece string) string {
	if h.chunk.Cap()-h.chunk.Len() < len(piece) {
		h.move(len(piece))
	}
	h.chunk.WriteString(piece)
	h.text = h.chunk.String()[h.chunk.Len()-len(h.text)-len(piece):]
	return h.text
}

// drop removes the first n bytes.
func (h *held) drop(n int) {
	h.text = h.text[n:]
	if h.chunk.Cap() > mostChunk {
		h.move(0)
	}
}

// move moves the text to a new buffer with space for room more bytes.
func (h *held) move(room int) {
	size := min(2*h.chunk.Cap()+leastChunk, mostChunk)
	h.chunk.Reset()
	if need := 2*len(h.text) + room; need > 0 {
		h.chunk.Grow(max(size, need))
		h.chunk.WriteString(h.text)
	}
}
