package jsonx

import (
	"bytes"
	"iter"
)

// Fields contains the members of an object that were found in one pass, for repeated calls of Get. The zero Fields has
// no members.
type Fields struct {
	obj     []byte
	n       int
	more    bool // whether obj has more members, which Get must search in obj
	escaped bool // whether a stored key has an escape
	keys    [fieldsKept]Key
	values  [fieldsKept][]byte
}

// fieldsKept is the maximum number of stored members. Most objects in LLM APIs have fewer.
const fieldsKept = 12

// FieldsOf returns the members of an object. Values alias obj.
func FieldsOf(obj []byte) (f Fields) {
	f.obj = obj
	for k, v := range Members(obj) {
		if !f.add(k, v) {
			break
		}
	}
	return f
}

// CheckedFields validates text and stores the members of nested objects along a path, in one scan. into[0] receives the
// members of the outermost object, and into[n] those of the nth object on the path. A path element is the name of a
// member, or "0" for the first element of an array. For the path "choices", "0", "message" into has three elements: for
// the document, the first choice and its message.
// An element of into without a value is set to zero. The error is that of Valid.
func CheckedFields(text []byte, into []Fields, path ...string) error {
	start := Space(text, 0)
	if start == len(text) || text[start] != '{' {
		return Valid(text)
	}
	w := Walker{text: text}
	if end := w.fields(start, into, path); !w.Sound() || Space(text, end) != len(text) {
		clear(into)
		return Valid(text)
	}
	return nil
}

// fields validates the object at offset i and stores its members in into[0]. It continues along the path, and returns
// the offset after the object.
func (w *Walker) fields(i int, into []Fields, path []string) int {
	f, entered := &into[0], len(path) == 0
	end := w.Members(i, func(key Key, at int) int {
		var end int
		if !entered && key.Is(path[0]) {
			entered = true
			end = w.down(at, into[1:], path[1:])
		} else {
			end = w.Value(at)
		}
		f.add(key, w.text[at:end:end])
		return end
	})
	f.obj = w.text[i:end:end]
	return end
}

// down validates the value at offset i, which is on the path, and returns the offset after it.
func (w *Walker) down(i int, into []Fields, path []string) int {
	first := len(path) > 0 && path[0] == "0"
	switch {
	case w.text[i] == '{' && !first:
		return w.fields(i, into, path)
	case w.text[i] == '[' && first:
		return w.Elements(i, func(n, at int) int {
			if n > 0 {
				return w.Value(at)
			}
			return w.down(at, into, path[1:])
		})
	}
	return w.Value(i)
}

// add adds a member. It returns false if there is no room.
func (f *Fields) add(k Key, v []byte) bool {
	if f.n == fieldsKept {
		f.more = true
		return false
	}
	f.keys[f.n], f.values[f.n] = k, v
	f.escaped = f.escaped || bytes.IndexByte(k, '\\') >= 0
	f.n++
	return true
}

// All returns the members in order, as Members does.
func (f *Fields) All() iter.Seq2[Key, []byte] {
	return func(yield func(Key, []byte) bool) { f.each(yield) }
}

func (f *Fields) each(yield func(Key, []byte) bool) {
	if f.more {
		eachMember(f.obj, yield)
		return
	}
	for i := range f.n {
		if !yield(f.keys[i], f.values[i]) {
			return
		}
	}
}

// Object returns the object whose members f contains.
func (f *Fields) Object() []byte { return f.obj }

// Get returns the value of the member called key, or nil if there is none. Of duplicates it returns the first.
func (f *Fields) Get(key string) []byte {
	for i := range f.n {
		if f.hasName(i, key) {
			return f.values[i]
		}
	}
	if f.more {
		v, _ := Find(f.obj, key)
		return v
	}
	return nil
}

// hasName reports whether the stored member i has the given name.
func (f *Fields) hasName(i int, name string) bool {
	k := f.keys[i]
	if f.escaped {
		return k.Is(name)
	}
	return len(k) == len(name)+2 && string(k[1:len(k)-1]) == name
}

// Only reports whether all members have one of the given names. It returns false for an object with more members than
// Fields stores.
func (f *Fields) Only(names ...string) bool {
	if f.more {
		return false
	}
next:
	for i := range f.n {
		for _, name := range names {
			if f.hasName(i, name) {
				continue next
			}
		}
		return false
	}
	return true
}
