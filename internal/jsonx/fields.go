package jsonx

import "iter"

// Fields are the members of one object, found in one pass: for whoever asks for several of them. The zero Fields are
// those of no object.
type Fields struct {
	obj    []byte
	n      int
	more   bool // there are more than fit: they are looked for in obj
	keys   [fieldsKept]Key
	values [fieldsKept][]byte
}

// fieldsKept is how many members are kept; objects of the APIs have fewer.
const fieldsKept = 12

// FieldsOf finds the members of an object. Values alias obj.
func FieldsOf(obj []byte) (f Fields) {
	f.obj = obj
	for k, v := range Members(obj) {
		if !f.add(k, v) {
			break
		}
	}
	return f
}

// CheckedFields is FieldsOf for text that nobody has checked, down a path: it is scanned once for all. The first of
// into are the members of the object that text is, each further one those of the next object on the path. A step of the
// path is the name of a member, of several the first, or "0" for the first element of a list. Into has at least one,
// and one more for each object on the path. A step without a value leaves its Fields empty, without an Object. The
// error is that of Valid.
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

// fields passes the object at i, whose members go to the first of into. The path goes on from there.
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

// down passes the value at i, which is on the path.
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

// add adds a member, and reports whether there was room for it.
func (f *Fields) add(k Key, v []byte) bool {
	if f.n == fieldsKept {
		f.more = true
		return false
	}
	f.keys[f.n], f.values[f.n] = k, v
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

// Object returns the object.
func (f *Fields) Object() []byte { return f.obj }

// Get returns the value of the member called key, nil without it. Of duplicates the first counts.
func (f *Fields) Get(key string) []byte {
	for i := range f.n {
		if f.keys[i].Is(key) {
			return f.values[i]
		}
	}
	if f.more {
		v, _ := Find(f.obj, key)
		return v
	}
	return nil
}

// Only reports whether all members have one of these names.
func (f *Fields) Only(names ...string) bool {
	if f.more {
		return false
	}
next:
	for i := range f.n {
		for _, name := range names {
			if f.keys[i].Is(name) {
				continue next
			}
		}
		return false
	}
	return true
}
