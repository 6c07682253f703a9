package jsonx

import (
	"fmt"
	"slices"
)

// Member is a member of an object: its unescaped name, and its value as JSON.
type Member struct {
	Key   string
	Value []byte
}

// List is an object as a list of its members in order. The zero value is the empty object. Names are compared exactly.
// Of duplicates, Get and Set use the first.
type List []Member

// usualMembers is the initial capacity of a List. Most objects have no more members.
const usualMembers = 8

// ParseObject returns the members of an object. Values alias obj. obj must be valid JSON. It returns an error if obj is
// not an object.
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

// Get returns the value of the member called key. ok is false if there is none.
func (l List) Get(key string) (value []byte, ok bool) {
	if i := l.index(key); i >= 0 {
		return l[i].Value, true
	}
	return nil, false
}

// Set sets the value of the member called key at its position, or appends the member.
func (l *List) Set(key string, value []byte) {
	if i := l.index(key); i >= 0 {
		(*l)[i].Value = value
		return
	}
	*l = append(*l, Member{Key: key, Value: value})
}

// SetAll sets all members of the object obj, in linear time.
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

// Delete removes every member called key and reports whether there was one.
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

// Append appends the object to dst as JSON without white space between members. A nil value is written as null.
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
