// Package lru caches values that are computed from bytes, such as compiled schemas.
package lru

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"sync"
)

// A Cache contains the most recently used values. Each value is computed from a kind and text. Create it with New. It
// is safe for concurrent use.
type Cache[K comparable, V any] struct {
	seed maphash.Seed
	max  int
	make func(kind K, text []byte) V

	mu     sync.Mutex
	byHash map[uint64]*list.Element // of *entry
	latest *list.List               // of *entry, most recently used first
}

type entry[K comparable, V any] struct {
	hash  uint64
	kind  K
	text  []byte
	value V
}

// Limits of a Cache: the default number of values, and the maximum length in bytes of a text whose value is cached.
const (
	DefaultSize = 1024
	MaxText     = 1 << 20
)

// New returns a Cache of at most max values, or DefaultSize if max is below 1. make computes a value.
func New[K comparable, V any](max int, make func(kind K, text []byte) V) *Cache[K, V] {
	if max < 1 {
		max = DefaultSize
	}
	return &Cache[K, V]{seed: maphash.MakeSeed(), max: max, make: make, byHash: map[uint64]*list.Element{}, latest: list.New()}
}

// Get returns the value for a kind and text. It calls make if the value is not cached. It does not allocate if the
// value is cached. The value for a text longer than MaxText is never cached.
func (c *Cache[K, V]) Get(kind K, text []byte) V {
	if len(text) > MaxText {
		return c.make(kind, text)
	}
	h := maphash.Bytes(c.seed, text) ^ maphash.Comparable(c.seed, kind)
	if e := c.find(h, kind, text); e != nil {
		return e.value
	}
	return c.keep(&entry[K, V]{h, kind, bytes.Clone(text), c.make(kind, text)}) // after concurrent calls of make, the first value stays
}

func (c *Cache[K, V]) find(h uint64, kind K, text []byte) *entry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byHash[h]
	if !ok {
		return nil
	}
	e := at.Value.(*entry[K, V])
	if !e.is(kind, text) {
		return nil
	}
	c.latest.MoveToFront(at)
	return e
}

// is reports whether the entry has this kind and text. Different texts may have the same hash.
func (e *entry[K, V]) is(kind K, text []byte) bool {
	return e.kind == kind && bytes.Equal(e.text, text)
}

func (c *Cache[K, V]) keep(e *entry[K, V]) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byHash[e.hash]; ok {
		if was := at.Value.(*entry[K, V]); was.is(e.kind, e.text) {
			return was.value
		}
		c.latest.Remove(at)
	}
	c.byHash[e.hash] = c.latest.PushFront(e)
	if c.latest.Len() > c.max {
		oldest := c.latest.Back()
		c.latest.Remove(oldest)
		delete(c.byHash, oldest.Value.(*entry[K, V]).hash)
	}
	return e.value
}
