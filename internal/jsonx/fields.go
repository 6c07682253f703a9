package jsonx

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
		if f.n == fieldsKept {
			f.more = true
			return f
		}
		f.keys[f.n], f.values[f.n] = k, v
		f.n++
	}
	return f
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
