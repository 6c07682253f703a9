package trace

import (
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
)

// A toolCache caches decoded and encoded tools by the bytes of the tools in a request body, because clients send the
// same tools repeatedly. The zero value is an empty cache. It is safe for concurrent use.
type toolCache struct {
	mu    sync.Mutex
	kept  map[toolKey]keptTools
	bytes int
}

// A toolKey is the API and the bytes of a tool list in a request body.
type toolKey struct {
	wire  callwright.WireName
	bytes string
}

// keptTools are decoded tools, and their encoding by package conversation.
type keptTools struct {
	decoded []callwright.Tool
	written []byte
}

// toolCacheLimit is the maximum size of a cache in bytes. A full cache is cleared.
const toolCacheLimit = 4 << 20

// toolBytes is a request body that returns its tools as bytes, nil for none. TakeTools sets the decoded tools, so that
// the body need not decode them. Equal bytes of one API mean equal tools.
type toolBytes interface {
	ToolBytes() []byte
	TakeTools(tools []callwright.Tool)
}

// of returns the encoded tools of a request.
func (c *toolCache) of(req *callwright.Request) ([]byte, error) {
	body := companion.Of(req).Body
	b, ok := body.(toolBytes)
	if !ok || req.Tools != nil {
		return writtenTools(req)
	}
	bytes := b.ToolBytes()
	c.mu.Lock()
	kept, ok := c.kept[toolKey{body.Wire(), string(bytes)}]
	c.mu.Unlock()
	if ok {
		b.TakeTools(kept.decoded)
		return kept.written, nil
	}
	var err error
	if kept.written, err = writtenTools(req); err != nil {
		return nil, err
	}
	tools, _ := req.DeclaredTools() // already decoded without an error
	for i := range tools {
		kept.decoded = append(kept.decoded, tools[i].Clone())
	}
	c.keep(toolKey{body.Wire(), string(bytes)}, kept)
	return kept.written, nil
}

// writtenTools returns the tools of a request as encoded by package conversation.
func writtenTools(req *callwright.Request) ([]byte, error) {
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	return conversation.MarshalTools(tools)
}

func (c *toolCache) keep(k toolKey, t keptTools) {
	size := len(k.bytes) + 2*len(t.written)
	if size > toolCacheLimit/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += size; c.bytes > toolCacheLimit || c.kept == nil {
		c.kept, c.bytes = map[toolKey]keptTools{}, size
	}
	c.kept[k] = t
}
