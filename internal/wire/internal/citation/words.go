package citation

import (
	"sort"

	"github.com/callwright/callwright/internal/pool"
)

// words is the concatenated text of a response. It converts between offsets in bytes and in characters. It counts
// characters only when an offset is requested.
type words struct {
	text   []byte
	memory *memory // pool entry that owns the memory of text
	marks  []int   // number of characters before each block of stride bytes
	chars  int     // characters counted so far
	bytes  int     // bytes counted so far
}

// stride is the size in bytes of a block of text: a conversion of one offset counts at most so many bytes.
const stride = 256

// A memory is a pooled buffer for the text of a response.
type memory struct{ text []byte }

var memories = pool.New(func(m *memory) [][]byte { return [][]byte{m.text} })

// mostMemory is the greatest capacity in bytes of a buffer that is put back into the pool.
const mostMemory = 64 << 10

func (w *words) add(s string) {
	if w.memory == nil {
		w.memory = memories.Get()
		w.text = w.memory.text[:0]
	}
	w.text = append(w.text, s...)
}

// release puts the buffer of the text back into the pool. w is then empty.
func (w *words) release() {
	if w.memory != nil && cap(w.text) <= mostMemory {
		w.memory.text = w.text
		memories.Put(w.memory)
	}
	*w = words{}
}

// count counts the characters of the text that was added since the last call of count.
func (w *words) count() {
	for w.bytes < len(w.text) {
		if w.bytes%stride == 0 {
			w.marks = append(w.marks, w.chars)
		}
		to := min(len(w.text), w.bytes-w.bytes%stride+stride)
		w.chars += Characters(w.text[w.bytes:to])
		w.bytes = to
	}
}

// Characters returns the number of UTF-8 characters whose first byte is in b.
func Characters(b []byte) (n int) {
	for _, c := range b {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// total returns the number of characters in the text.
func (w *words) total() int {
	w.count()
	return w.chars
}

// before converts a byte offset to a character offset. An offset beyond the end gives the total number of characters.
func (w *words) before(at int) int {
	w.count()
	if at >= len(w.text) {
		return w.chars
	}
	i := at / stride
	return w.marks[i] + Characters(w.text[i*stride:at])
}

// at converts a character offset to a byte offset. An offset beyond the end gives the length of the text.
func (w *words) at(char int) int {
	w.count()
	if char >= w.chars {
		return len(w.text)
	}
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i] > char }) - 1
	n, at := w.marks[i]-1, i*stride
	for ; ; at++ {
		if w.text[at]&0xC0 != 0x80 {
			if n++; n == char {
				return at
			}
		}
	}
}

// bytesOf returns the byte offsets in the text that correspond to s.Start and s.End, which are character offsets.
func (w *words) bytesOf(s Source) (from, to int) {
	from = w.at(max(s.Start, 0))
	return from, max(w.at(max(s.End, 0)), from)
}
