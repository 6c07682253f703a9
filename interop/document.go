package interop

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A doc is an object that members are taken from, or put into, by their paths.
type doc struct{ list jsonx.List }

// parse takes an object apart, on a copy of its bytes.
func parse(text []byte) (*doc, error) {
	list, err := jsonx.ParseObject(slices.Clone(text))
	return &doc{list}, err
}

func (p Path) cut() (head string, rest Path) {
	h, r, _ := strings.Cut(string(p), ".")
	return h, Path(r)
}

// pointer is the path as a JSON pointer.
func (p Path) pointer() string { return "/" + strings.ReplaceAll(string(p), ".", "/") }

// get is the value at a path.
func (d *doc) get(p Path) ([]byte, bool) {
	if p == "" {
		return nil, false
	}
	head, rest := p.cut()
	v, ok := d.list.Get(head)
	if rest == "" || !ok || jsonx.KindOf(v) != jsonx.Object {
		return v, ok && rest == ""
	}
	return jsonx.Lookup(v, strings.Split(string(rest), ".")...)
}

// take is the value at a path, which is taken out; an object that becomes empty by it goes too.
func (d *doc) take(p Path) ([]byte, bool) {
	v, ok := d.get(p)
	if !ok {
		return nil, false
	}
	head, rest := p.cut()
	if rest == "" {
		d.list.Delete(head)
		return v, true
	}
	in, _ := d.list.Get(head)
	list, _ := jsonx.ParseObject(in)
	below := doc{list}
	below.take(rest)
	if len(below.list) == 0 {
		d.list.Delete(head)
	} else {
		d.list.Set(head, below.list.Append(nil))
	}
	return v, true
}

// takeText takes a string; another kind of value stays, and is not ok.
func (d *doc) takeText(p Path) (string, bool) {
	v, _ := d.get(p)
	s, ok := jsonx.String(v)
	if ok {
		d.take(p)
	}
	return s, ok
}

// takeGiven takes a string that is not empty: the empty one stays, to be written back as it came.
func (d *doc) takeGiven(p Path) string {
	v, _ := d.get(p)
	if s, ok := jsonx.String(v); ok && s != "" {
		d.take(p)
		return s
	}
	return ""
}

// put sets the value at a path.
func (d *doc) put(p Path, v []byte) {
	head, rest := p.cut()
	if rest == "" {
		d.list.Set(head, v)
		return
	}
	in, _ := d.list.Get(head)
	list, _ := jsonx.ParseObject(in) // nothing there yet: an empty one
	below := doc{list}
	below.put(rest, v)
	d.list.Set(head, below.list.Append(nil))
}

func (d *doc) text(p Path, s string) { d.put(p, jsonx.AppendQuote(nil, s)) }

// setOptionalText puts a string that is not empty where the form has a place for it. It reports whether nothing was
// lost.
func (d *doc) setOptionalText(p Path, s string) bool {
	if s == "" {
		return true
	}
	if p == "" {
		return false
	}
	d.text(p, s)
	return true
}

// merge adds the members of an object where nothing stands, and so on below objects that stand on both sides.
func (d *doc) merge(extra []byte) {
	stood := d.list[:len(d.list):len(d.list)] // few, so that looking each name up stays cheap
	for k, v := range jsonx.Members(extra) {
		key := k.String()
		had, ok := stood.Get(key)
		switch {
		case !ok:
			d.list = append(d.list, jsonx.Member{Key: key, Value: v})
		case jsonx.KindOf(had) == jsonx.Object && jsonx.KindOf(v) == jsonx.Object:
			list, _ := jsonx.ParseObject(had)
			below := doc{list}
			below.merge(v)
			stood.Set(key, below.list.Append(nil))
			d.list.Set(key, below.list.Append(nil))
		}
	}
}
