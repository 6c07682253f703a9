package lens

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

// A Cache translates each schema once for a target and keeps the latest used translations, errors too. Schemas above 1 MiB are not kept.
// A Cache is safe for concurrent use. Make one with NewCache.
type Cache struct {
	seed maphash.Seed
	max  int

	mu     sync.Mutex
	byHash map[uint64]*list.Element // of entry
	latest *list.List               // the latest used in front
}

type entry struct {
	hash uint64
	to   Target
	raw  []byte
	done *Translation
	err  error
}

// NewCache returns a cache of at most so many translations; 1024 when max is below 1.
func NewCache(max int) *Cache {
	if max < 1 {
		max = defaultCacheSize
	}
	return &Cache{seed: maphash.MakeSeed(), max: max, byHash: make(map[uint64]*list.Element), latest: list.New()}
}

// Translate is like the function Translate, by content: the same bytes give the same Translation. It does not allocate when the
// translation is there.
func (c *Cache) Translate(to Target, raw []byte) (*Translation, error) {
	raw = jsonx.Trim(raw)
	if len(raw) > maxCachedBytes {
		return Translate(to, raw)
	}
	h := maphash.Bytes(c.seed, raw) ^ maphash.String(c.seed, string(to))
	if e := c.find(h, to, raw); e != nil {
		return e.done, e.err
	}
	done, err := Translate(to, raw) // two at once may both do it; the first one kept stays
	return c.keep(entry{hash: h, to: to, raw: bytes.Clone(raw), done: done, err: err})
}

func (c *Cache) find(h uint64, to Target, raw []byte) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byHash[h]
	if !ok {
		return nil
	}
	e := at.Value.(*entry)
	if e.to != to || !bytes.Equal(e.raw, raw) {
		return nil
	}
	c.latest.MoveToFront(at)
	return e
}

func (c *Cache) keep(e entry) (*Translation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byHash[e.hash]; ok {
		if is := at.Value.(*entry); is.to == e.to && bytes.Equal(is.raw, e.raw) {
			return is.done, is.err
		}
		c.latest.Remove(at) // another text with the same hash
	}
	c.byHash[e.hash] = c.latest.PushFront(&e)
	if c.latest.Len() > c.max {
		oldest := c.latest.Back()
		c.latest.Remove(oldest)
		delete(c.byHash, oldest.Value.(*entry).hash)
	}
	return e.done, e.err
}
