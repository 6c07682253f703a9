package adapter

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A value is a JSON value with its members in order. A parsed value knows its position in the original schema. A value
// must not be modified once it is part of another.
type value struct {
	kind    jsonx.Kind
	raw     []byte // JSON text of a scalar
	members []member
	items   []*value

	parent *value
	step   string   // key or index in parent, not escaped
	parsed bool     // whether it occurs unchanged in the original
	read   bool     // whether it was converted to standard JSON Schema
	also   []*value // equal values at other positions in the original
}

type member struct {
	key   string
	value *value
}

// maxPlaces is the maximum number of positions recorded for a value.
const maxPlaces = 16

// pointers returns the JSON Pointers of the value in the original, including equal values at other positions.
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

// same reports whether two values that occur in the original have the same JSON text; a then records the position of b.
// For other values it reports only whether a and b are one value.
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

// pointer returns the JSON Pointer of the value in the original.
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

// A parser parses valid JSON into values.
type parser struct {
	text  []byte
	count int // number of values parsed
}

// value parses the value at offset i and returns the offset after it. Of duplicate members the last applies, at the
// position of the first.
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

// indexFrom is the number of members from which a map is used to find members.
const indexFrom = 16

func find(members []member, index map[string]int, name string) (at int, ok bool) {
	if index != nil {
		at, ok = index[name]
		return at, ok
	}
	at = slices.IndexFunc(members, func(m member) bool { return m.key == name })
	return at, at >= 0
}

// get returns the member called key, or nil if there is none.
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

// text returns the text of a string, or "" for any other value.
func (v *value) text() string {
	if v == nil || v.kind != jsonx.Text {
		return ""
	}
	return jsonx.TextOf(v.raw)
}

func (v *value) is(word string) bool { return v != nil && string(v.raw) == word }

func (v *value) isObject() bool { return v != nil && v.kind == jsonx.Object }

// with returns a copy of an object with a member set. A new member is appended.
func (v *value) with(key string, to *value) *value {
	out := *v
	out.parsed = false
	out.members = slices.Clone(v.members)
	out.set(key, to)
	return &out
}

// set sets a member of an object that is not part of another value yet.
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

// without returns a copy of an object without the given members.
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

// names returns the strings in a list.
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

// append appends the value as JSON without white space between tokens.
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

// json returns the value as JSON.
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

// as sets the position of a created value to that of an original one, and returns v.
func (v *value) as(from *value) *value {
	if from != nil {
		v.parent, v.step = from.parent, from.step
	}
	return v
}
