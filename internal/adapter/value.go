package adapter

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A value is a JSON value with its members in order. A value that was read knows its place in the original schema. A
// value is not changed once it is part of another.
type value struct {
	kind    jsonx.Kind
	raw     []byte // of scalars, as written
	members []member
	items   []*value

	parent *value
	step   string   // in parent, not escaped
	parsed bool     // it stands in the original as it is here
	read   bool     // as a schema: it is plain JSON Schema
	also   []*value // what stands elsewhere in the original and says the same
}

type member struct {
	key   string
	value *value
}

// maxPlaces bounds the places of one value.
const maxPlaces = 16

// pointers returns the places of the value in the original: of its source, and of equal sources.
func (v *value) pointers() []string {
	var out []string
	suffix, level := "", 0
	for at := v; ; at, level = at.parent, level+1 {
		if level == 0 {
			out = append(out, v.pointer())
		}
		for _, other := range at.also {
			if len(out) < maxPlaces {
				out = append(out, other.pointer()+suffix)
			}
		}
		if at.parent == nil {
			return out
		}
		suffix = "/" + jsonx.EscapeToken(at.step) + suffix
	}
}

// same reports whether two values are the same text. Of two that stand in the original the first knows the other from
// then on.
func same(a, b *value) bool {
	if a == b {
		return true
	}
	if !a.parsed || !b.parsed || a.kind != b.kind || !bytes.Equal(a.json(), b.json()) {
		return false
	}
	if !slices.Contains(a.also, b) && len(a.also) < maxPlaces {
		a.also = append(a.also, b)
	}
	return true
}

// pointer returns the JSON pointer of the value in the original.
func (v *value) pointer() string {
	var steps []string
	for ; v != nil && v.parent != nil; v = v.parent {
		steps = append(steps, jsonx.EscapeToken(v.step))
	}
	if steps == nil {
		return ""
	}
	slices.Reverse(steps)
	return "/" + strings.Join(steps, "/")
}

// A parser reads valid JSON.
type parser struct {
	text  []byte
	count int // values read
}

// value reads the value at i and returns where it ends. Of duplicate members the last one counts, in the place of the
// first.
func (p *parser) value(i int, parent *value, step string) (*value, int) {
	p.count++
	v := &value{kind: jsonx.KindOf(p.text[i:]), parent: parent, step: step, parsed: true}
	switch v.kind {
	case jsonx.Object:
		var seen map[string]int
		end := jsonx.WalkMembers(p.text, i, func(key jsonx.Key, at int) int {
			name := key.String()
			inner, end := p.value(at, v, name)
			if v.members == nil {
				v.members = make([]member, 0, 4)
			}
			if len(v.members) == indexFrom {
				seen = make(map[string]int, 2*indexFrom)
				for k := range v.members {
					seen[v.members[k].key] = k
				}
			}
			at, had := find(v.members, seen, name)
			if had {
				v.members[at].value = inner
				return end
			}
			if seen != nil {
				seen[name] = len(v.members)
			}
			v.members = append(v.members, member{name, inner})
			return end
		})
		return v, end
	case jsonx.Array:
		end := jsonx.WalkElements(p.text, i, func(n, at int) int {
			inner, end := p.value(at, v, strconv.Itoa(n))
			v.items = append(v.items, inner)
			return end
		})
		return v, end
	}
	end := jsonx.SkipValue(p.text, i)
	v.raw = p.text[i:end]
	return v, end
}

// indexFrom is the number of members from which they are looked up by an index.
const indexFrom = 16

func find(members []member, index map[string]int, name string) (at int, ok bool) {
	if index != nil {
		at, ok = index[name]
		return at, ok
	}
	at = slices.IndexFunc(members, func(m member) bool { return m.key == name })
	return at, at >= 0
}

// get returns the member of a name, nil without it.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	for i := range v.members {
		if v.members[i].key == key {
			return v.members[i].value
		}
	}
	return nil
}

func (v *value) has(key string) bool { return v.get(key) != nil }

// text returns the text of a string, "" of anything else.
func (v *value) text() string {
	if v == nil || v.kind != jsonx.Text {
		return ""
	}
	return jsonx.TextOf(v.raw)
}

func (v *value) is(word string) bool { return v != nil && string(v.raw) == word }

func (v *value) isObject() bool { return v != nil && v.kind == jsonx.Object }

// with returns a copy of an object with a member set, at the end where it is new.
func (v *value) with(key string, to *value) *value {
	out := *v
	out.parsed = false
	out.members = slices.Clone(v.members)
	out.set(key, to)
	return &out
}

// set changes a member of an object that is still being made.
func (v *value) set(key string, to *value) {
	for i := range v.members {
		if v.members[i].key == key {
			v.members[i].value = to
			return
		}
	}
	v.members = append(v.members, member{key, to})
}

// add appends a member.
func (v *value) add(key string, to *value) { v.members = append(v.members, member{key, to}) }

// without returns a copy of an object without some members.
func (v *value) without(keys ...string) *value {
	out := *v
	out.parsed = false
	out.members = nil
	for _, m := range v.members {
		if !slices.Contains(keys, m.key) {
			out.members = append(out.members, m)
		}
	}
	return &out
}

// names returns the texts of a list of strings.
func (v *value) names() []string {
	if v == nil {
		return nil
	}
	out := make([]string, 0, len(v.items))
	for _, e := range v.items {
		out = append(out, e.text())
	}
	return out
}

// append writes the value without white space between tokens.
func (v *value) append(dst []byte) []byte {
	switch v.kind {
	case jsonx.Object:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendQuote(dst, v.members[i].key), ':')
			dst = v.members[i].value.append(dst)
		}
		return append(dst, '}')
	case jsonx.Array:
		dst = append(dst, '[')
		for i, e := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.append(dst)
		}
		return append(dst, ']')
	}
	return append(dst, v.raw...)
}

// json returns the value as text.
func (v *value) json() []byte { return v.append(nil) }

func newObject(members ...member) *value { return &value{kind: jsonx.Object, members: members} }

func newList(items ...*value) *value { return &value{kind: jsonx.Array, items: items} }

func newText(s string) *value { return &value{kind: jsonx.Text, raw: jsonx.AppendQuote(nil, s)} }

func newNames(names []string) *value {
	out := newList()
	for _, n := range names {
		out.items = append(out.items, newText(n))
	}
	return out
}

func newBool(b bool) *value { return &value{kind: jsonx.Bool, raw: strconv.AppendBool(nil, b)} }

func newCount(n int) *value {
	return &value{kind: jsonx.Number, raw: strconv.AppendInt(nil, int64(n), 10)}
}

// as gives a made value the place of an original one.
func (v *value) as(from *value) *value {
	if from != nil {
		v.parent, v.step = from.parent, from.step
	}
	return v
}
