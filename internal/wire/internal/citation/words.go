package citation

import (
	"sort"

	"github.com/callwright/callwright/internal/pool"
)

// words are all that an answer says, with places counted in bytes and in characters. Nothing is counted before a place
// is asked for.
type words struct {
	text   []byte
	memory *memory // of the text
	marks  []int   // characters before each stride of bytes
	chars  int     // in the bytes that were counted
	bytes  int     // that were counted
}

// stride is how many bytes are looked at for one place at most.
const stride = 256

// A memory is used for the words of one answer after another.
type memory struct{ text []byte }

var memories = pool.New(func(m *memory) [][]byte { return [][]byte{m.text} })

// mostMemory is how many bytes are kept for the next answer at most.
const mostMemory = 64 << 10

func (w *words) add(s string) {
	if w.memory == nil {
		w.memory = memories.Get()
		w.text = w.memory.text[:0]
	}
	w.text = append(w.text, s...)
}

// release gives the memory back. No place can be asked for afterwards.
func (w *words) release() {
	if w.memory != nil && cap(w.text) <= mostMemory {
		w.memory.text = w.text
		memories.Put(w.memory)
	}
	*w = words{}
}

// count counts the characters up to the end.
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

// Characters counts those that begin in b.
func Characters(b []byte) (n int) {
	for _, c := range b {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// total is the number of characters.
func (w *words) total() int {
	w.count()
	return w.chars
}

// before is the number of characters before a byte, of all for a byte behind the end.
func (w *words) before(at int) int {
	w.count()
	if at >= len(w.text) {
		return w.chars
	}
	i := at / stride
	return w.marks[i] + Characters(w.text[i*stride:at])
}

// at is the byte at which a character begins, the end for one behind it.
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

// bytesOf are the bytes that a source covers.
func (w *words) bytesOf(s Source) (from, to int) {
	from = w.at(max(s.Start, 0))
	return from, max(w.at(max(s.End, 0)), from)
}
