package kit

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright/internal/jsonx"
)

// A memo knows the last lists of tools that were found valid: agents send theirs with every request, and comparing bytes is many
// times faster than checking them. The zero memo is ready; it is safe for concurrent use.
type memo struct {
	known atomic.Pointer[[]memorized]
	mu    sync.Mutex
}

// memorized is a valid list, and whether a tool of it lacks a type.
type memorized struct {
	list    []byte
	untyped bool
}

// Bounds of what a memo keeps.
const (
	memoValues = 32
	memoLeast  = 1 << 10 // bytes of a list
	memoMost   = 256 << 10
)

// toolLists serves all wires: the bytes of a list alone decide what is kept of it.
var toolLists memo

// ToolList passes the list of tools at i as the Walker does, which it asks only about a list that is not known, and reports whether
// a tool of it is an object without a type.
func ToolList(w *jsonx.Walker, raw []byte, i int) (end int, untyped bool) {
	return toolLists.pass(w, raw, i)
}

func (m *memo) pass(w *jsonx.Walker, raw []byte, i int) (end int, untyped bool) {
	if known := m.known.Load(); known != nil {
		for _, k := range *known {
			if bytes.HasPrefix(raw[i:], k.list) {
				return i + len(k.list), k.untyped
			}
		}
	}
	end = w.Value(i)
	if !w.Sound() {
		return end, false
	}
	v := raw[i:end]
	untyped = lacksType(v)
	if len(v) >= memoLeast && len(v) <= memoMost && (v[0] == '[' || v[0] == '{') { // others may go on where a known one ends
		m.keep(v, untyped)
	}
	return end, untyped
}

// keep makes a valid list known, in the place of the one that has been known for the longest time.
func (m *memo) keep(v []byte, untyped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := []memorized{{bytes.Clone(v), untyped}}
	if was := m.known.Load(); was != nil {
		known = append(known, (*was)[:min(len(*was), memoValues-1)]...)
	}
	m.known.Store(&known)
}

// lacksType reports whether an element of a list of tools is an object without a type.
func lacksType(list []byte) bool {
	for v := range jsonx.Elements(list) {
		if kind, _ := jsonx.Find(v, "type"); jsonx.Alias(kind) == "" && jsonx.IsObject(v) {
			return true
		}
	}
	return false
}
