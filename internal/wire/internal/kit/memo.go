package kit

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A memo caches lists of tools that were found valid, with their encodings. Agents send the same list with every
// request, and comparing bytes is many times faster than validating JSON. The zero memo is ready for use. It is safe
// for concurrent use.
type memo struct {
	known atomic.Pointer[[]*memorized]
	mu    sync.Mutex
}

// A memorized is a cached list of tools: valid JSON without duplicate members.
type memorized struct {
	list    []byte
	camel   bool                     // list was checked with Names.Camel set
	untyped bool                     // a tool in list is an object without a type
	secrets atomic.Pointer[[]string] // credentials in list, nil before Document.ToolSecrets
	mu      sync.Mutex               // for written
	written []writtenTools           // encodings of list, most recently added first
}

// writtenTools is a list of tools as a codec encoded it, with the notes on the encoding.
type writtenTools struct {
	from    callwright.WireName // the API of the client's request
	setting any                 // everything the encoding depends on besides the tools
	list    []byte
	notes   Notes
}

// Limits of a memo, a cache of tool lists.
const (
	memoValues = 32      // lists
	memoLeast  = 1 << 10 // least bytes of a list
	memoMost   = 4 << 20 // most bytes of a list
	memoAll    = 8 << 20 // bytes of all lists
	memoForms  = 3       // encodings of a list: for two other APIs, and as a response repeats it
)

// toolLists is the cache of tool lists that all codecs share. Its entries depend only on the bytes of a list.
var toolLists memo

// ToolList validates and skips the list of tools at offset i, like Value. It does not validate a cached list again. end
// is the offset of its end. untyped reports whether a tool in the list is an object without a type.
func (w *Walk) ToolList(i int) (end int, untyped bool) { return toolLists.pass(w, i) }

func (m *memo) pass(w *Walk, i int) (end int, untyped bool) {
	raw := w.in.Raw
	if known := m.known.Load(); known != nil {
		for _, k := range *known {
			if k.camel == w.in.Camel && bytes.HasPrefix(raw[i:], k.list) {
				w.in.tools = k
				return i + len(k.list), k.untyped
			}
		}
	}
	end = w.Value(i)
	if !w.check.Sound() || w.in.twice > 0 {
		return end, false
	}
	v := raw[i:end]
	untyped = lacksType(v)
	if len(v) >= memoLeast && len(v) <= memoMost && (v[0] == '[' || v[0] == '{') { // the bytes of another value could continue after those of a cached one
		m.keep(&memorized{list: bytes.Clone(v), camel: w.in.Camel, untyped: untyped})
	}
	return end, untyped
}

// ToolSecrets returns the credentials in the list of tools. It calls find only once for a cached list. known is false
// if the list was not in the cache when it was read; secrets is nil then.
func (d *Document) ToolSecrets(find func(list []byte) []string) (secrets []string, known bool) {
	if d.tools == nil {
		return nil, false
	}
	if found := d.tools.secrets.Load(); found != nil {
		return *found, true
	}
	secrets = find(d.tools.list)
	d.tools.secrets.Store(&secrets)
	return secrets, true
}

// keep adds a list of tools to the cache. It drops the oldest lists if the cache exceeds its limits.
func (m *memo) keep(list *memorized) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, size := []*memorized{list}, len(list.list)
	if was := m.known.Load(); was != nil {
		for _, k := range *was {
			if size += len(k.list); size > memoAll || len(known) == memoValues {
				break
			}
			known = append(known, k)
		}
	}
	m.known.Store(&known)
}

// WriteTools returns the encoded tools of req: a cached encoding, or the result of write, which it then caches. write
// adds notes to l; a cached encoding adds the same notes. setting has everything that the encoding depends on besides
// the tools. It is a comparable value of a type of the codec. The caller must not modify the result.
func WriteTools(req *callwright.Request, l *Notes, setting any, write func() []byte) []byte {
	if req.Tools != nil {
		return madeLists.write(req, l, setting, write)
	}
	body := companion.Of(req).Body
	b, ok := body.(interface{ ToolBytes() []byte })
	if !ok {
		return write()
	}
	known := toolLists.find(b.ToolBytes())
	if known == nil {
		return write()
	}
	return known.form(body.Wire(), l, setting, write)
}

// WriteToolList returns another encoding of the JSON list of tools of a request. It calls write only once if the list
// is cached. setting identifies the encoding, as in WriteTools. The caller must not modify the result.
func WriteToolList(list []byte, setting any, write func() []byte) []byte {
	known := toolLists.find(list)
	if known == nil {
		return write()
	}
	var none Notes
	return known.form("", &none, setting, write)
}

func (m *memorized) form(from callwright.WireName, l *Notes, setting any, write func() []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.written {
		if f := &m.written[i]; f.from == from && f.setting == setting {
			*l = append(*l, f.notes...)
			return f.list
		}
	}
	before := len(*l)
	list := write()
	if list == nil { // there are no tools, or they cannot be decoded
		return nil
	}
	f := writtenTools{from, setting, list, slices.Clone((*l)[before:])}
	m.written = append([]writtenTools{f}, m.written[:min(len(m.written), memoForms-1)]...)
	return list
}

// find returns the cached entry for list, nil if there is none.
func (m *memo) find(list []byte) *memorized {
	if known := m.known.Load(); known != nil && len(list) >= memoLeast {
		for _, k := range *known {
			if bytes.Equal(k.list, list) {
				return k
			}
		}
	}
	return nil
}

// lacksType reports whether an element of the JSON list is an object without a string member "type".
func lacksType(list []byte) bool {
	for v := range jsonx.Elements(list) {
		if kind, _ := jsonx.Find(v, "type"); len(jsonx.TextBytes(kind)) == 0 && jsonx.IsObject(v) {
			return true
		}
	}
	return false
}
