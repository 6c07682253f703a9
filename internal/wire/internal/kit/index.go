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

// An Index is a client's request body with the offsets of its top-level members and a summary of its history. The body
// type of a codec embeds it. The codec adds the members while it walks the body, and decodes messages and tools on
// first use. Not safe for concurrent use while members are added.
type Index struct {
	Document
	Memo    turnmemo.Owner       // the client's cache of decoded histories
	Params  callwright.Params    // as decoded, to detect later changes
	Outline []callwright.Summary // one for each message
	Spans   []Span               // byte range of each element of Outline
	Apart   bool                 // Outline[0] is for instructions outside the list of messages

	History  Once[[]callwright.Message]
	Declared Once[[]callwright.Tool]

	members []member
}

// A Document is a JSON text with an index of its long values.
type Document struct {
	Raw   []byte
	Camel bool // member names in snake_case and camelCase are the same name

	long   longValues
	strict bool       // duplicate members are an error, except within tool arguments, results and schemas
	twice  int        // offset of the value of the first duplicate member, 0 for none
	tools  *memorized // cache entry of the list of tools, nil if the list was not cached before
}

// A Span is the range of bytes from offset From up to, but not including, offset To.
type Span struct{ From, To int }

// A member is a top-level member of a body: the span of its name, including the quotes, and the span of its value.
type member struct{ name, value Span }

// usualMembers is the number of top-level members for which NewIndex allocates memory.
const usualMembers = 12

// NewIndex returns an Index of the request body raw without members. Duplicate members of the body are an error.
func NewIndex(raw []byte) Index {
	return Index{Document: Document{Raw: raw, strict: true}, members: make([]member, 0, usualMembers)}
}

// indexOf returns an Index with the members of the JSON object that starts at offset start of v.
func indexOf(v []byte, start int) Index {
	x := NewIndex(v)
	jsonx.WalkMembers(v, start, func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(v, at)
		x.Add(key, at, end)
		return end
	})
	return x
}

// Add adds a member. key is its name in the memory of the body. from and to are the offsets of its value.
func (x *Index) Add(key jsonx.Key, from, to int) {
	at, end := jsonx.KeySpan(x.Raw, key, from)
	x.members = append(x.members, member{Span{at, end}, Span{from, to}})
}

// Bytes returns the request body.
func (x *Index) Bytes() []byte { return x.Raw }

// Is reports whether b is the request body itself: the same memory, not just equal bytes.
func (x *Index) Is(b []byte) bool { return len(b) > 0 && len(x.Raw) > 0 && &b[0] == &x.Raw[0] }

// Summaries returns a summary of each message of the request.
func (x *Index) Summaries() []callwright.Summary { return x.Outline }

// RawMessage returns the bytes of message i, counted from 0, in the request body.
func (x *Index) RawMessage(i int) []byte { return x.At(x.Spans[i]) }

// ToolBytes returns the JSON value of the member "tools", nil if it is absent.
func (x *Index) ToolBytes() []byte { return x.Find("tools") }

// DecodedMessages returns the decoded messages of the body. It is empty if the messages were not decoded.
func (x *Index) DecodedMessages() DecodedMessages {
	return DecodedMessagesOf(x.History.Peek(), x.RawMessage)
}

// TakeTools sets the decoded tools of the body. They were decoded from an equal list before, and must not be modified.
func (x *Index) TakeTools(tools []callwright.Tool) { x.Declared.Set(tools) }

// Take sets the message summaries (Outline, Spans and Apart) to those that o collected.
func (x *Index) Take(o *Outliner) {
	x.Apart = o.free > 0 && o.Spans[0].To > 0
	if o.free > 0 && !x.Apart {
		o.Outline, o.Spans = o.Outline[1:], o.Spans[1:]
	}
	x.Outline, x.Spans = o.Outline, o.Spans
}

// TakeList sets the message summaries to those that o collected from the member called name, such as "messages". It
// returns the error of o, or an error if the member is absent, empty or no list.
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

// At returns the bytes of the document in s. The slice has no spare capacity, so that an append does not overwrite the
// bytes after it.
func (d *Document) At(s Span) []byte { return d.Raw[s.From:s.To:s.To] }

// key returns the name of the member m.
func (x *Index) key(m *member) jsonx.Key { return x.At(m.name) }

// Find returns the value of a top-level member, nil if it is absent. For a duplicate member it returns the last value,
// like most servers.
func (x *Index) Find(key string) []byte {
	for i := len(x.members) - 1; i >= 0; i-- {
		if m := &x.members[i]; x.key(m).Is(key) {
			return x.At(m.value)
		}
	}
	return nil
}

// hasAny reports whether the body has at least one of the top-level members called keys.
func (x *Index) hasAny(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return x.Find(key) != nil })
}

// Members returns an iterator over the top-level members in order, including duplicates.
func (x *Index) Members() iter.Seq2[jsonx.Key, []byte] {
	return func(yield func(jsonx.Key, []byte) bool) {
		for i := range x.members {
			if m := &x.members[i]; !yield(x.key(m), x.At(m.value)) {
				return
			}
		}
	}
}

// Skip returns the offset of the end of the JSON value that starts at offset i.
func (d *Document) Skip(i int) int {
	if v := d.long.at(i); v != nil {
		return v.To
	}
	return jsonx.Skip(d.Raw, i)
}

// Lists reports whether the value of a top-level member is a list with at least one element.
func (x *Index) Lists(key string) bool {
	v := x.Find(key)
	return jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']'
}

// SameBut reports whether body is byte for byte equal to this body, except for the value of the top-level member called
// key. That value must be valid JSON in body.
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

// A Once is a value that is computed on first use. The zero Once has no value yet. Not safe for concurrent use.
type Once[T any] struct {
	value T
	err   error
	read  bool
}

// Get returns the value and the error of read. It calls read only the first time.
func (o *Once[T]) Get(read func() (T, error)) (T, error) {
	if !o.read {
		o.read = true
		o.value, o.err = read()
	}
	return o.value, o.err
}

// Set sets the value, so that Get does not call read. It does nothing if there is a value already.
func (o *Once[T]) Set(value T) {
	if !o.read {
		o.value, o.read = value, true
	}
}

// Peek returns the value, or the zero value if it was not computed yet.
func (o *Once[T]) Peek() T { return o.value }
