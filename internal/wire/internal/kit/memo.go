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

// A memo knows the last lists of tools that were found valid: agents send theirs with every request, and comparing
// bytes is many times faster than checking them. The zero memo is ready; it is safe for concurrent use.
type memo struct {
	known atomic.Pointer[[]*memorized]
	mu    sync.Mutex
}

// memorized is a valid list in which each member stands once, whether a tool of it lacks a type, and the list as it was
// written for other APIs.
type memorized struct {
	list    []byte
	camel   bool // see Names
	untyped bool
	secrets atomic.Pointer[[]string] // see Document.ToolSecrets
	mu      sync.Mutex
	written []writtenTools
}

// writtenTools is a list of tools as a codec wrote it, with the notes it made.
type writtenTools struct {
	from    callwright.WireName // the API that the list came over
	setting any
	list    []byte
	notes   Notes
}

// Bounds of a memo.
const (
	memoValues = 32
	memoLeast  = 1 << 10 // bytes of a list
	memoMost   = 4 << 20
	memoAll    = 8 << 20 // bytes of all lists
	memoForms  = 3       // forms of a list: for two other APIs, and as answers repeat it
)

// toolLists serves all APIs: its entries depend on the bytes of a list alone.
var toolLists memo

// ToolList passes the list of tools at i as Value does, which it asks only about a list that is not known, and reports
// whether a tool of it is an object without a type.
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
	if len(v) >= memoLeast && len(v) <= memoMost && (v[0] == '[' || v[0] == '{') { // others may go on where a known one ends
		m.keep(&memorized{list: bytes.Clone(v), camel: w.in.Camel, untyped: untyped})
	}
	return end, untyped
}

// ToolSecrets returns the credentials that find finds in the list of tools, which it is asked for once as long as the
// list is known. known is false for a list that came for the first time.
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

// keep makes a list known, in the place of the one that has been known for the longest time.
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

// WriteTools gives the list of a request's tools as write writes it, with the notes that write adds to l. A list that
// came lately is not written again: setting is all that write goes by beside the tools, a value of a type of the
// codec's own. The list is not changed afterwards.
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

// WriteToolList gives another form of the list of tools of a request: as write writes it, once as long as the list is
// known. setting names the form, as in WriteTools. The result is not changed afterwards.
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
	if list == nil { // there are none, or they cannot be read
		return nil
	}
	f := writtenTools{from, setting, list, slices.Clone((*l)[before:])}
	m.written = append([]writtenTools{f}, m.written[:min(len(m.written), memoForms-1)]...)
	return list
}

// find returns the entry of a list, nil for an unknown one.
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

// lacksType reports whether an element of a list of tools is an object without a type.
func lacksType(list []byte) bool {
	for v := range jsonx.Elements(list) {
		if kind, _ := jsonx.Find(v, "type"); len(jsonx.TextBytes(kind)) == 0 && jsonx.IsObject(v) {
			return true
		}
	}
	return false
}
