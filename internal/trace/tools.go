package trace

import (
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
)

// A toolCache keeps the tools of requests that came as bytes, by these bytes, as they are written down: clients send
// the same tools again and again. The zero toolCache is empty. It is safe for concurrent use.
type toolCache struct {
	mu    sync.Mutex
	kept  map[toolKey]keptTools
	bytes int
}

// A toolKey is a list of tools as it stands in a body.
type toolKey struct {
	wire  callwright.WireName
	bytes string
}

// keptTools are decoded tools, and those as they stand in a conversation.
type keptTools struct {
	decoded []callwright.Tool
	written []byte
}

// toolCacheLimit bounds the bytes of tools that are kept; a full cache starts anew.
const toolCacheLimit = 4 << 20

// toolBytes is a Body that gives its tools as bytes, nil where there are none. Equal bytes of one API are equal tools,
// which are decoded once.
type toolBytes interface {
	ToolBytes() []byte
	TakeTools(tools []callwright.Tool)
}

// of returns the tools of a request as they are written down.
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
	tools, _ := req.DeclaredTools() // they were decoded
	for i := range tools {
		kept.decoded = append(kept.decoded, tools[i].Clone())
	}
	c.keep(toolKey{body.Wire(), string(bytes)}, kept)
	return kept.written, nil
}

// writtenTools are the tools of a request as they are written down.
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
