package kit

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// An Index is a request's body as it came: its bytes, the places of its top-level members, and the outline of its
// history. A codec embeds it in its body, adds the members while it walks them, and decodes messages and tools when
// they are first asked for. Not safe for concurrent use while members are added.
type Index struct {
	Document
	Memo    turnmemo.Owner    // of histories
	Params  callwright.Params // as decoded, to see what was changed since
	Outline []callwright.Summary
	Spans   []Span // of the turns of the outline
	Apart   bool   // the first turn is instructions that stand apart from the history

	History  Once[[]callwright.Message]
	Declared Once[[]callwright.Tool]

	members []member
}

// A Document is a JSON text with an index of its long values.
type Document struct {
	Raw   []byte
	Camel bool // see Names

	long   longValues
	strict bool // the objects in it are to have each member once, those inside data left out
	twice  int  // where the value of a member that stands twice begins, 0 without one
	tools  *memorized
}

// A Span is a place in the bytes of a body.
type Span struct{ From, To int }

// member is a top-level member: where its name stands, quotes included, and its value.
type member struct{ name, value Span }

// usualMembers is how many members a request has room for at first.
const usualMembers = 12

// NewIndex is the index of a body whose members are still to be added. Its objects are to have each member once.
func NewIndex(raw []byte) Index {
	return Index{Document: Document{Raw: raw, strict: true}, members: make([]member, 0, usualMembers)}
}

// indexOf is the index of the object that begins at start.
func indexOf(v []byte, start int) Index {
	x := NewIndex(v)
	jsonx.WalkMembers(v, start, func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(v, at)
		x.Add(key, at, end)
		return end
	})
	return x
}

// Add adds a member by its name, as the body has it, and the place of its value.
func (x *Index) Add(key jsonx.Key, from, to int) {
	at, end := jsonx.KeySpan(x.Raw, key, from)
	x.members = append(x.members, member{Span{at, end}, Span{from, to}})
}

// Bytes are the bytes of the body.
func (x *Index) Bytes() []byte { return x.Raw }

// Is reports whether bytes are those of the body, in the same memory.
func (x *Index) Is(b []byte) bool { return len(b) > 0 && len(x.Raw) > 0 && &b[0] == &x.Raw[0] }

// Summaries are the outline of the history.
func (x *Index) Summaries() []callwright.Summary { return x.Outline }

// RawMessage is turn i of the outline as it came.
func (x *Index) RawMessage(i int) []byte { return x.At(x.Spans[i]) }

// ToolBytes is the list of tools as it stands in the body, nil without one.
func (x *Index) ToolBytes() []byte { return x.Find("tools") }

// Originals are the messages of the body, where they were decoded.
func (x *Index) Originals() Originals { return OriginalsOf(x.History.Peek(), x.RawMessage) }

// TakeTools takes the tools as they were decoded from equal bytes before. They are only read.
func (x *Index) TakeTools(tools []callwright.Tool) { x.Declared.Set(tools) }

// Take takes the outline from the visitor that made it.
func (x *Index) Take(o *Outliner) {
	x.Apart = o.free > 0 && o.Spans[0].To > 0
	if o.free > 0 && !x.Apart {
		o.Outline, o.Spans = o.Outline[1:], o.Spans[1:]
	}
	x.Outline, x.Spans = o.Outline, o.Spans
}

// TakeList is Take for a history in one list that must not be empty, the member called name. The error states the
// fault.
func (x *Index) TakeList(o *Outliner, name string) error {
	v := x.Find(name)
	switch {
	case o.Err != nil:
	case len(o.Spans) > o.free:
		x.Take(o)
		return nil
	case jsonx.IsArray(v):
		o.Fault("/"+name, "expected at least one "+strings.TrimSuffix(name, "s")+", got none")
	case v == nil:
		o.Fault("/"+name, "expected a list of "+name+", got none")
	default:
		o.Fail("/"+name, "a list of "+name, v)
	}
	return o.Err
}

// At returns the bytes of a place. Appending to them does not overwrite the bytes behind it.
func (d *Document) At(s Span) []byte { return d.Raw[s.From:s.To:s.To] }

// key is the name of a member.
func (x *Index) key(m *member) jsonx.Key { return x.At(m.name) }

// Find is the value of a top-level member, nil without it; of several the last, which servers take.
func (x *Index) Find(key string) []byte {
	for i := len(x.members) - 1; i >= 0; i-- {
		if m := &x.members[i]; x.key(m).Is(key) {
			return x.At(m.value)
		}
	}
	return nil
}

// hasAny reports whether there is a member of one of these names.
func (x *Index) hasAny(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return x.Find(key) != nil })
}

// Members gives the top-level members in order, duplicates as often as they stand there.
func (x *Index) Members() iter.Seq2[jsonx.Key, []byte] {
	return func(yield func(jsonx.Key, []byte) bool) {
		for i := range x.members {
			if m := &x.members[i]; !yield(x.key(m), x.At(m.value)) {
				return
			}
		}
	}
}

// Skip is the end of the value that begins at i.
func (d *Document) Skip(i int) int {
	if v := d.long.at(i); v != nil {
		return v.To
	}
	return jsonx.Skip(d.Raw, i)
}

// Lists reports whether a top-level member is a list that is not empty.
func (x *Index) Lists(key string) bool {
	v := x.Find(key)
	return jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']'
}

// SameBut reports whether another body is this one, byte for byte but for the value of the top-level member called key.
func (x *Index) SameBut(key string, body []byte) bool {
	for i := len(x.members) - 1; i >= 0; i-- {
		if m := &x.members[i]; x.key(m).Is(key) {
			from, to := m.value.From, len(body)-len(x.Raw)+m.value.To
			return from < to && bytes.Equal(body[:from], x.Raw[:from]) && bytes.Equal(body[to:], x.Raw[m.value.To:]) &&
				jsonx.Valid(body[from:to]) == nil
		}
	}
	return bytes.Equal(body, x.Raw)
}

// A Once is a value that is read when it is first asked for. The zero Once was not read yet; not safe for concurrent
// use.
type Once[T any] struct {
	value T
	err   error
	read  bool
}

// Get is the value and the error of read, which is called the first time only.
func (o *Once[T]) Get(read func() (T, error)) (T, error) {
	if !o.read {
		o.read = true
		o.value, o.err = read()
	}
	return o.value, o.err
}

// Set gives the value to have from now on, unless it was read already.
func (o *Once[T]) Set(value T) {
	if !o.read {
		o.value, o.read = value, true
	}
}

// Peek is the value where it was read already, the zero value otherwise.
func (o *Once[T]) Peek() T { return o.value }
