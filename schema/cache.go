package schema

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
)

const (
	defaultCacheSize = 1024
	maxCachedBytes   = 1 << 20
)

// A Cache compiles each schema once and keeps the latest used ones, errors too. Schemas above 1 MiB are compiled and not
// kept. A Cache is safe for concurrent use. Make one with NewCache.
type Cache struct {
	seed maphash.Seed
	max  int

	mu     sync.Mutex
	byHash map[uint64]*list.Element // of entry
	latest *list.List               // the latest used in front
}

type entry struct {
	hash   uint64
	raw    []byte
	schema *Schema
	err    error
}

// NewCache returns a cache of at most so many schemas; 1024 when max is below 1.
func NewCache(max int) *Cache {
	if max < 1 {
		max = defaultCacheSize
	}
	return &Cache{seed: maphash.MakeSeed(), max: max, byHash: make(map[uint64]*list.Element), latest: list.New()}
}

// Compile is like the function Compile, by content: the same bytes give the same Schema. It does not allocate when the
// schema is there.
func (c *Cache) Compile(raw []byte) (*Schema, error) {
	raw = jsonx.Trim(raw)
	if len(raw) > maxCachedBytes {
		return Compile(raw)
	}
	h := maphash.Bytes(c.seed, raw)
	if e := c.find(h, raw); e != nil {
		return e.schema, e.err
	}
	s, err := Compile(raw) // two at once may both do it; the first one kept stays
	return c.keep(entry{hash: h, raw: bytes.Clone(raw), schema: s, err: err})
}

// find returns what is kept for a text, nil when it is not there.
func (c *Cache) find(h uint64, raw []byte) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byHash[h]
	if !ok {
		return nil
	}
	e := at.Value.(*entry)
	if !bytes.Equal(e.raw, raw) {
		return nil
	}
	c.latest.MoveToFront(at)
	return e
}

func (c *Cache) keep(e entry) (*Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byHash[e.hash]; ok {
		if is := at.Value.(*entry); bytes.Equal(is.raw, e.raw) {
			return is.schema, is.err
		}
		c.latest.Remove(at) // another text with the same hash
	}
	c.byHash[e.hash] = c.latest.PushFront(&e)
	if c.latest.Len() > c.max {
		oldest := c.latest.Back()
		c.latest.Remove(oldest)
		delete(c.byHash, oldest.Value.(*entry).hash)
	}
	return e.schema, e.err
}
