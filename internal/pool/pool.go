// Package pool reuses memory. With the race detector or the build tag poison, it overwrites returned memory, so that
// tests detect a use after return.
package pool

import "sync"

// A Pool contains reusable values of type T. Create it with New. It is safe for concurrent use.
type Pool[T any] struct {
	kept   sync.Pool
	memory func(*T) [][]byte
}

// New returns a Pool of zero values of T. memory returns the slices of a value that are overwritten in Put if Poisons
// is true, each up to its capacity.
func New[T any](memory func(*T) [][]byte) *Pool[T] {
	return &Pool[T]{kept: sync.Pool{New: func() any { return new(T) }}, memory: memory}
}

// Get returns a new zero value or a value passed to Put, with unchanged contents.
func (p *Pool[T]) Get() *T { return p.kept.Get().(*T) }

// Put returns a value to the pool. The caller must not use it or its memory afterwards.
func (p *Pool[T]) Put(v *T) {
	if Poisons {
		for _, b := range p.memory(v) {
			b = b[:cap(b)]
			for i := range b {
				b[i] = Poison
			}
		}
	}
	p.kept.Put(v)
}

// Poison is the byte with which memory is overwritten. It does not occur in UTF-8 text.
const Poison = 0xFF
