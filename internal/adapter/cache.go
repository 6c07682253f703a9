package adapter

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// A Cache translates each schema once for a target and keeps the latest used translations, errors too. Schemas above 1
// MiB are not kept. A Cache is safe for concurrent use. Make one with NewCache.
type Cache struct {
	translated *lru.Cache[kind, translated]
}

type translated struct {
	done *Translation
	err  error
}

// NewCache returns a cache of at most so many translations; 1024 when max is below 1.
func NewCache(max int) *Cache {
	return &Cache{lru.New(max, func(k kind, raw []byte) translated {
		done, err := translate(k, raw)
		return translated{done, err}
	})}
}

// Translate is like the function Translate, by content: the same bytes give the same Translation. It does not allocate
// when the translation is there.
func (c *Cache) Translate(to Target, raw []byte) (*Translation, error) {
	return c.get(kind{to: to}, raw)
}

// TranslateAnswer is like the function TranslateAnswer, by content.
func (c *Cache) TranslateAnswer(to Target, raw []byte) (*Translation, error) {
	return c.get(kind{to: to, answer: true}, raw)
}

func (c *Cache) get(k kind, raw []byte) (*Translation, error) {
	t := c.translated.Get(k, jsonx.Trim(raw))
	return t.done, t.err
}
