package kit

import (
	"bytes"
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// A builtToolCache caches encoded lists of tools by their decoded tools. It serves requests whose tools are not the
// bytes of a client's body: a stage changed them, or a Go program built them. The zero builtToolCache is ready for use.
// It is safe for concurrent use.
type builtToolCache struct {
	mu    sync.Mutex
	known []*madeTools // most recently added first
}

// madeTools is a list of tools with its encoding.
type madeTools struct {
	tools []callwright.Tool // a deep copy
	writtenTools
}

// madeLists is the cache of encoded tool lists that all codecs share.
var madeLists builtToolCache

// write returns the encoded tools of req: the cached list, or the result of write, cached unless very small or large.
// It adds the notes of the encoding to l. setting has everything that the encoding depends on besides the tools.
func (m *builtToolCache) write(req *callwright.Request, l *Notes, setting any, write func() []byte) []byte {
	size := sizeOf(req.Tools)
	if size < memoLeast || size > memoMost {
		return write()
	}
	from := companion.Of(req).Wire()
	if k := m.find(req.Tools, from, setting); k != nil {
		*l = append(*l, k.notes...)
		return k.list
	}
	before := len(*l)
	list := write()
	if list == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k := &madeTools{ownTools(req.Tools), writtenTools{from, setting, list, slices.Clone((*l)[before:])}}
	m.known = append([]*madeTools{k}, m.known[:min(len(m.known), memoValues-1)]...)
	return list
}

func (m *builtToolCache) find(tools []callwright.Tool, from callwright.WireName, setting any) *madeTools {
	m.mu.Lock()
	known := m.known // the slice is replaced, never modified
	m.mu.Unlock()
	for _, k := range known {
		if k.from == from && k.setting == setting && slices.EqualFunc(k.tools, tools, sameTool) {
			return k
		}
	}
	return nil
}

func sizeOf(tools []callwright.Tool) (n int) {
	for i := range tools {
		t := &tools[i]
		n += len(t.Name) + len(t.Description) + len(t.Schema) + len(t.Extra.JSON)
	}
	return n
}

func sameTool(a, b callwright.Tool) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Extra.Wire == b.Extra.Wire && (a.Strict == nil) == (b.Strict == nil) &&
		(a.Strict == nil || *a.Strict == *b.Strict) &&
		a.Description == b.Description && bytes.Equal(a.Schema, b.Schema) && bytes.Equal(a.Extra.JSON, b.Extra.JSON) &&
		(a.Schema == nil) == (b.Schema == nil)
}

// ownTools returns a deep copy of tools.
func ownTools(tools []callwright.Tool) []callwright.Tool {
	out := slices.Clone(tools)
	for i := range out {
		t := &out[i]
		t.Schema, t.Extra.JSON = bytes.Clone(t.Schema), bytes.Clone(t.Extra.JSON)
		if t.Strict != nil {
			t.Strict = new(*t.Strict)
		}
	}
	return out
}
