package kit

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// API is the API of one codec. Its methods read and write Extra values of this API.
type API callwright.WireName

// Writer returns a Writer of this API that appends to dst.
func (o API) Writer(dst []byte) Writer { return Writer{Buf: dst, API: o} }

// Extra returns an Extra of this API with the JSON object v.
func (o API) Extra(v []byte) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireName(o), JSON: v}
}

// JSON returns the JSON object of e, nil if e is of another API than o.
func (o API) JSON(e callwright.Extra) []byte {
	if e.Wire != callwright.WireName(o) {
		return nil
	}
	return e.JSON
}

// Member returns the value of the member called key of e, nil if it is absent or e is of another API.
func (o API) Member(e callwright.Extra, key string) []byte {
	v, _ := jsonx.Find(o.JSON(e), key)
	return v
}

// A NestedMember describes a member whose value is an object. Key is its name. Known are the members of the object that
// the codec decodes; the others go to an Extra.
type NestedMember struct {
	Key   string
	Known []string
}

// ExtraOf returns an Extra with the members of obj that are not in known. From an object that nested describes, it
// takes only the members that are not in NestedMember.Known, and omits an object that has no such members.
func (o API) ExtraOf(obj []byte, known []string, nested ...NestedMember) callwright.Extra {
	w := o.Writer(nil)
	for k, v := range jsonx.Members(obj) {
		if OneOf(k, known) {
			continue
		}
		if n := nestOf(k, nested); n != nil && jsonx.IsObject(v) {
			in := o.ExtraOf(v, n.Known)
			if in.JSON == nil {
				continue
			}
			v = in.JSON
		}
		w.Add(k, v)
	}
	return w.CloseExtra()
}

// Rest returns an Extra with the members in f that are not in known. It is the zero Extra if there are none.
func (o API) Rest(f *jsonx.Fields, known []string) callwright.Extra {
	if f.Only(known...) {
		return callwright.Extra{}
	}
	w := o.Writer(nil)
	for k, v := range f.All() {
		if !OneOf(k, known) {
			w.Add(k, v)
		}
	}
	return w.CloseExtra()
}

func nestOf(k jsonx.Key, nested []NestedMember) *NestedMember {
	for i := range nested {
		if k.Is(nested[i].Key) {
			return &nested[i]
		}
	}
	return nil
}

// Keep returns a copy of e in which the member called key is v. e is empty or of the API o.
func (o API) Keep(e callwright.Extra, key string, v []byte) callwright.Extra {
	w := o.Writer(make([]byte, 0, len(e.JSON)+len(key)+len(v)+len(`{"":,}`)))
	w.Open("", '{')
	w.Extra(e, key)
	w.Comma()
	w.Buf = append(append(jsonx.AppendQuote(w.Buf, key), ':'), v...) // the key may be empty
	return w.CloseExtra()
}

// MergeObjects returns an Extra with the members of all objects. The first of several members with the same name wins.
// A single object is not copied.
func (o API) MergeObjects(objects [][]byte) callwright.Extra {
	objects = slices.DeleteFunc(objects, func(v []byte) bool { return len(v) == 0 })
	if len(objects) == 0 {
		return callwright.Extra{}
	}
	if len(objects) == 1 {
		return o.Extra(objects[0])
	}
	w, has := o.Writer(nil), map[string]bool{}
	for _, object := range objects {
		for k, v := range jsonx.Members(object) {
			if name := k.String(); !has[name] {
				has[name] = true
				w.Add(k, v)
			}
		}
	}
	return w.CloseExtra()
}
