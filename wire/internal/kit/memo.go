package kit

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Memo knows the last values that were found valid, of those that come again with every request, such as an agent's list of
// tools: comparing bytes is many times faster than checking them. The zero Memo is ready; it is safe for concurrent use.
type Memo struct {
	known atomic.Pointer[[][]byte]
	mu    sync.Mutex
}

// Bounds of what a Memo keeps.
const (
	memoValues = 8
	memoLeast  = 1 << 10 // bytes of a value
	memoMost   = 256 << 10
)

// Value passes the array or object at i as the Walker does, which it asks only about what is not known.
func (m *Memo) Value(w *jsonx.Walker, raw []byte, i int) int {
	if known := m.known.Load(); known != nil {
		for _, v := range *known {
			if bytes.HasPrefix(raw[i:], v) {
				return i + len(v)
			}
		}
	}
	end := w.Value(i)
	if n := end - i; n >= memoLeast && n <= memoMost && w.Sound() && raw[i] != '"' {
		m.keep(raw[i:end])
	}
	return end
}

// keep makes a valid value known, in the place of the one that has been known for the longest time.
func (m *Memo) keep(v []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := [][]byte{bytes.Clone(v)}
	if was := m.known.Load(); was != nil {
		known = append(known, (*was)[:min(len(*was), memoValues-1)]...)
	}
	m.known.Store(&known)
}
