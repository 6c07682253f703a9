package repair

import "strings"

// held is text that is read again with the next piece. It lies at the end of a chunk that is only added to, and goes on
// in another one when that is full: strings of it stay as they are, and few pieces take memory of their own. It must
// not be copied after its first add.
type held struct {
	text  string // the end of chunk
	chunk strings.Builder
}

const (
	leastChunk = 64
	mostChunk  = 4096 // but for more text at once
)

// add adds a piece and returns the whole text.
func (h *held) add(piece string) string {
	if h.chunk.Cap()-h.chunk.Len() < len(piece) {
		h.move(len(piece))
	}
	h.chunk.WriteString(piece)
	h.text = h.chunk.String()[h.chunk.Len()-len(h.text)-len(piece):]
	return h.text
}

// drop takes the first n bytes away.
func (h *held) drop(n int) {
	h.text = h.text[n:]
	if h.chunk.Cap() > mostChunk {
		h.move(0)
	}
}

// move takes the text to another chunk, in which there is room.
func (h *held) move(room int) {
	size := min(2*h.chunk.Cap()+leastChunk, mostChunk)
	h.chunk.Reset()
	if need := 2*len(h.text) + room; need > 0 {
		h.chunk.Grow(max(size, need))
		h.chunk.WriteString(h.text)
	}
}
