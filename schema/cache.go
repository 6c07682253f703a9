package schema

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// A Cache compiles each schema once and keeps the most recently used ones, including compile errors. Schemas above 1
// MiB are compiled but not kept. A Cache is safe for concurrent use. Use NewCache.
type Cache struct {
	compiled *lru.Cache[struct{}, compiled]
}

type compiled struct {
	schema *Schema
	err    error
}

// NewCache returns a cache of at most max schemas, 1024 if max is below 1.
func NewCache(max int) *Cache {
	return &Cache{lru.New(max, func(_ struct{}, raw []byte) compiled {
		s, err := Compile(raw)
		return compiled{s, err}
	})}
}

// Compile returns the compiled schema for raw, from the cache if equal bytes were compiled before. A cache hit does
// not allocate.
func (c *Cache) Compile(raw []byte) (*Schema, error) {
	done := c.compiled.Get(struct{}{}, jsonx.Trim(raw))
	return done.schema, done.err
}
