package jsonx

import (
	"fmt"
	"slices"
)

// Member is one member of an object: its name as plain text, its value as JSON.
type Member struct {
	Key   string
	Value []byte
}

// List is an object as its members in order, those nobody knows included. The zero value is the empty object. Names are
// compared exactly; of duplicates the first counts for Get and Set.
type List []Member

// usualMembers is how many members most objects have at most.
const usualMembers = 8

// ParseObject takes an object apart. Values alias obj and are trusted as Skip trusts them. It fails when obj is not an
// object.
func ParseObject(obj []byte) (List, error) {
	if k := KindOf(obj); k != Object {
		return nil, fmt.Errorf("json: expected an object, got %s", k)
	}
	var l List
	whole := eachMember(obj, func(k Key, v []byte) bool {
		if l == nil {
			l = make(List, 0, usualMembers)
		}
		l = append(l, Member{Key: k.String(), Value: v})
		return true
	})
	if !whole {
		return nil, fmt.Errorf("json: expected a member or the end of the object after %d members, got something else", len(l))
	}
	return l, nil
}

func (l List) index(key string) int {
	for i := range l {
		if l[i].Key == key {
			return i
		}
	}
	return -1
}

// Get returns the value of the member called key.
func (l List) Get(key string) (value []byte, ok bool) {
	if i := l.index(key); i >= 0 {
		return l[i].Value, true
	}
	return nil, false
}

// Set gives the member called key the value, in its place, or adds it at the end.
func (l *List) Set(key string, value []byte) {
	if i := l.index(key); i >= 0 {
		(*l)[i].Value = value
		return
	}
	*l = append(*l, Member{Key: key, Value: value})
}

// SetAll sets the members of an object, in time linear in both.
func (l *List) SetAll(obj []byte) {
	at := make(map[string]int, len(*l))
	for i, m := range slices.Backward(*l) {
		at[m.Key] = i
	}
	for k, v := range Members(obj) {
		name := k.String()
		i, has := at[name]
		if !has {
			i, at[name] = len(*l), len(*l)
			*l = append(*l, Member{Key: name})
		}
		(*l)[i].Value = v
	}
}

// Delete takes out every member called key and reports whether there was one.
func (l *List) Delete(key string) bool {
	kept := (*l)[:0]
	for _, m := range *l {
		if m.Key != key {
			kept = append(kept, m)
		}
	}
	found := len(kept) < len(*l)
	*l = kept
	return found
}

// Append appends the object to dst as JSON, without white space between members; a nil value is written as null.
func (l List) Append(dst []byte) []byte {
	room := 2
	for _, m := range l {
		room += len(m.Key) + len(m.Value) + 4
	}
	dst = append(slices.Grow(dst, room), '{')
	for i, m := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuote(dst, m.Key), ':')
		if m.Value == nil {
			dst = append(dst, "null"...)
			continue
		}
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}
