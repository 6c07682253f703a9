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
	// Marks tells values apart that are to be marked; nil marks none.
	Marks func(v []byte) bool

	known atomic.Pointer[[]memorized]
	mu    sync.Mutex
}

// memorized is a valid value, and whether it is marked.
type memorized struct {
	value  []byte
	marked bool
}

// Bounds of what a Memo keeps.
const (
	memoValues = 8
	memoLeast  = 1 << 10 // bytes of a value
	memoMost   = 256 << 10
)

// Value passes the value at i as the Walker does, which it asks only about what is not known, and reports whether it is marked.
func (m *Memo) Value(w *jsonx.Walker, raw []byte, i int) (end int, marked bool) {
	if known := m.known.Load(); known != nil {
		for _, k := range *known {
			if bytes.HasPrefix(raw[i:], k.value) {
				return i + len(k.value), k.marked
			}
		}
	}
	end = w.Value(i)
	v := raw[i:end]
	marked = w.Sound() && m.Marks != nil && m.Marks(v)
	if len(v) >= memoLeast && len(v) <= memoMost && w.Sound() && (v[0] == '[' || v[0] == '{') { // others may go on where a known one ends
		m.keep(v, marked)
	}
	return end, marked
}

// keep makes a valid value known, in the place of the one that has been known for the longest time.
func (m *Memo) keep(v []byte, marked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := []memorized{{bytes.Clone(v), marked}}
	if was := m.known.Load(); was != nil {
		known = append(known, (*was)[:min(len(*was), memoValues-1)]...)
	}
	m.known.Store(&known)
}

// LacksType reports whether an element of a list of tools is an object without a type.
func LacksType(list []byte) bool {
	for v := range jsonx.Elements(list) {
		if kind, _ := jsonx.Find(v, "type"); jsonx.Alias(kind) == "" && jsonx.IsObject(v) {
			return true
		}
	}
	return false
}
