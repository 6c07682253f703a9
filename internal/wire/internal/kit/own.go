package kit

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Own is the wire of one codec. It reads and keeps the members that came over this wire and have no place in the
// vocabulary.
type Own callwright.WireName

// Writer is a Writer for this wire that appends to dst.
func (o Own) Writer(dst []byte) Writer { return Writer{Buf: dst, Own: o} }

// Extra is the JSON object v as members of this wire.
func (o Own) Extra(v []byte) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireName(o), JSON: v}
}

// JSON is the object of e, nil where e is of another wire.
func (o Own) JSON(e callwright.Extra) []byte {
	if e.Wire != callwright.WireName(o) {
		return nil
	}
	return e.JSON
}

// Member is a member of e, nil where e is of another wire or does not have it.
func (o Own) Member(e callwright.Extra, key string) []byte {
	v, _ := jsonx.Find(o.JSON(e), key)
	return v
}

// A Nest is a member whose own members are partly known to a codec.
type Nest struct {
	Key   string
	Known []string
}

// ExtraOf collects the members of obj that are not in known. nested names members that are objects: of these it keeps
// only the members that are not in Nest.Known, and it leaves out an object of which nothing is kept.
func (o Own) ExtraOf(obj []byte, known []string, nested ...Nest) callwright.Extra {
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

// Rest is ExtraOf for members that were found already.
func (o Own) Rest(f *jsonx.Fields, known []string) callwright.Extra {
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

func nestOf(k jsonx.Key, nested []Nest) *Nest {
	for i := range nested {
		if k.Is(nested[i].Key) {
			return &nested[i]
		}
	}
	return nil
}

// Keep is e, of this wire or empty, with one more member, in place of one of that name.
func (o Own) Keep(e callwright.Extra, key string, v []byte) callwright.Extra {
	w := o.Writer(make([]byte, 0, len(e.JSON)+len(key)+len(v)+len(`{"":,}`)))
	w.Open("", '{')
	w.Extra(e, key)
	w.Comma()
	w.Buf = append(append(jsonx.AppendQuote(w.Buf, key), ':'), v...) // the key may be empty
	return w.CloseExtra()
}

// MergeObjects are the members of objects of this wire, of which the first of a name counts. A single object that has
// any is not copied.
func (o Own) MergeObjects(objects [][]byte) callwright.Extra {
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
