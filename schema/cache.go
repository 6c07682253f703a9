package schema

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// A Cache compiles each schema once and keeps the latest used ones, errors too. Schemas above 1 MiB are compiled and
// not kept. A Cache is safe for concurrent use. Make one with NewCache.
type Cache struct {
	compiled *lru.Cache[struct{}, compiled]
}

type compiled struct {
	schema *Schema
	err    error
}

// NewCache returns a cache of at most so many schemas; 1024 when max is below 1.
func NewCache(max int) *Cache {
	return &Cache{lru.New(max, func(_ struct{}, raw []byte) compiled {
		s, err := Compile(raw)
		return compiled{s, err}
	})}
}

// Compile is like the function Compile, by content: the same bytes give the same Schema. It does not allocate when the
// schema is there.
func (c *Cache) Compile(raw []byte) (*Schema, error) {
	done := c.compiled.Get(struct{}{}, jsonx.Trim(raw))
	return done.schema, done.err
}
