// Package pool keeps memory for its next use. Built with the race detector, or with the tag poison, it overwrites
// returned memory, so that a test sees a value that still shares it.
package pool

import "sync"

// A Pool keeps values of T. Whoever gets one has it alone until it puts it back. Make one with New. Safe for concurrent
// use.
type Pool[T any] struct {
	kept   sync.Pool
	memory func(*T) [][]byte
}

// New returns a Pool that makes its values with new. memory returns the slices of a value that are overwritten when it
// is put back, each up to its capacity.
func New[T any](memory func(*T) [][]byte) *Pool[T] {
	return &Pool[T]{kept: sync.Pool{New: func() any { return new(T) }}, memory: memory}
}

// Get returns a value: a new one, or one that was put back, as it was then.
func (p *Pool[T]) Get() *T { return p.kept.Get().(*T) }

// Put puts a value back. Nobody may use it, or memory of it, afterwards.
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

// Poison is the byte that overwrites memory: it is in no JSON and in no text.
const Poison = 0xFF
