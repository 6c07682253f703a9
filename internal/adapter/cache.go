package adapter

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// A Cache caches the translations of schemas, including errors, by the bytes of the schema and the target. It keeps the
// most recently used ones, and none of schemas above 1 MiB. It is safe for concurrent use. Use NewCache.
type Cache struct {
	translated *lru.Cache[kind, translated]
}

type translated struct {
	done *Translation
	err  error
}

// NewCache returns a cache of at most max translations, or 1024 if max is below 1.
func NewCache(max int) *Cache {
	return &Cache{lru.New(max, func(k kind, raw []byte) translated {
		done, err := translate(k, raw)
		return translated{done, err}
	})}
}

// Translate is the function [Translate] with the cache. The same bytes give the same Translation. A cache hit does not
// allocate.
func (c *Cache) Translate(to Target, raw []byte) (*Translation, error) {
	return c.get(kind{to: to}, raw)
}

// TranslateAnswer is the function [TranslateAnswer] with the cache.
func (c *Cache) TranslateAnswer(to Target, raw []byte) (*Translation, error) {
	return c.get(kind{to: to, answer: true}, raw)
}

func (c *Cache) get(k kind, raw []byte) (*Translation, error) {
	t := c.translated.Get(k, jsonx.Trim(raw))
	return t.done, t.err
}
