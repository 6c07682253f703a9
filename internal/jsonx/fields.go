package jsonx

import "iter"

// Fields are the members of one object, found in one pass: for whoever asks for several of them. The zero Fields are those of no object.
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

// CheckedFieldsOf is FieldsOf for text that nobody has checked: it is scanned once for both. Without an error the text is valid JSON; where that is no
// object, the Fields have no Object. The error is that of Valid.
func CheckedFieldsOf(text []byte) (f Fields, err error) {
	start := Space(text, 0)
	if start == len(text) || text[start] != '{' {
		return f, Valid(text)
	}
	w := Walker{text: text}
	end := w.Members(start, func(key Key, at int) int {
		end := w.Value(at)
		f.add(key, text[at:end:end])
		return end
	})
	if !w.Sound() || Space(text, end) != len(text) {
		return Fields{}, Valid(text)
	}
	f.obj = text[start:end:end]
	return f, nil
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
	if f.more {
		return Members(f.obj)
	}
	return func(yield func(Key, []byte) bool) {
		for i := range f.n {
			if !yield(f.keys[i], f.values[i]) {
				return
			}
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
