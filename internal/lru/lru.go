// Package lru caches values made of texts, by their content.
package lru

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"sync"
)

// A Cache keeps the values that were used last, each made of a text for a kind. Safe for concurrent use. Make one with
// New.
type Cache[K comparable, V any] struct {
	seed maphash.Seed
	max  int
	make func(kind K, text []byte) V

	mu     sync.Mutex
	byHash map[uint64]*list.Element // of *entry
	latest *list.List               // the latest used in front
}

type entry[K comparable, V any] struct {
	hash  uint64
	kind  K
	text  []byte
	value V
}

// Bounds of a Cache: how many values where nothing is said, and the longest text that is kept.
const (
	DefaultSize = 1024
	MaxText     = 1 << 20
)

// New returns a Cache of at most max values, DefaultSize of them when max is below 1. make makes a value; those of
// texts above MaxText are not kept.
func New[K comparable, V any](max int, make func(kind K, text []byte) V) *Cache[K, V] {
	if max < 1 {
		max = DefaultSize
	}
	return &Cache[K, V]{seed: maphash.MakeSeed(), max: max, make: make, byHash: map[uint64]*list.Element{}, latest: list.New()}
}

// Get returns the value of a text, the same one for the same bytes as long as it is kept. It does not allocate when the
// value is there.
func (c *Cache[K, V]) Get(kind K, text []byte) V {
	if len(text) > MaxText {
		return c.make(kind, text)
	}
	h := maphash.Bytes(c.seed, text) ^ maphash.Comparable(c.seed, kind)
	if e := c.find(h, kind, text); e != nil {
		return e.value
	}
	return c.keep(&entry[K, V]{h, kind, bytes.Clone(text), c.make(kind, text)}) // two at once may both make it; the first one kept stays
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

// is reports whether the entry is that of a text: others may have its hash.
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
