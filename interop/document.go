package interop

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A doc is a JSON object with access to members by Path.
type doc struct{ list jsonx.List }

// parse parses a JSON object. The doc does not share memory with text.
func parse(text []byte) (*doc, error) {
	list, err := jsonx.ParseObject(slices.Clone(text))
	return &doc{list}, err
}

func (p Path) cut() (head string, rest Path) {
	h, r, _ := strings.Cut(string(p), ".")
	return h, Path(r)
}

// pointer returns the path as a JSON Pointer: "a.b" becomes "/a/b".
func (p Path) pointer() string { return "/" + strings.ReplaceAll(string(p), ".", "/") }

// get returns the raw value at a path. ok is false if it does not exist.
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

// take removes the value at a path and returns it. It also removes objects that become empty.
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

// takeText removes and returns the string at a path. If the value is not a string, it stays and ok is false.
func (d *doc) takeText(p Path) (string, bool) {
	v, _ := d.get(p)
	s, ok := jsonx.String(v)
	if ok {
		d.take(p)
	}
	return s, ok
}

// takeGiven removes and returns the non-empty string at a path. An empty string stays in d, so that Extra keeps it.
func (d *doc) takeGiven(p Path) string {
	v, _ := d.get(p)
	if s, ok := jsonx.String(v); ok && s != "" {
		d.take(p)
		return s
	}
	return ""
}

// put sets the value at a path and creates missing objects.
func (d *doc) put(p Path, v []byte) {
	head, rest := p.cut()
	if rest == "" {
		d.list.Set(head, v)
		return
	}
	in, _ := d.list.Get(head)
	list, _ := jsonx.ParseObject(in) // an empty list if in is nil
	below := doc{list}
	below.put(rest, v)
	d.list.Set(head, below.list.Append(nil))
}

func (d *doc) text(p Path, s string) { d.put(p, jsonx.AppendQuote(nil, s)) }

// setOptionalText puts a string at a path. An empty string is not written. It returns false if the path is empty and s
// is not, which means that the format cannot express s.
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

// merge adds the members of the object extra that d does not have. It merges objects that exist on both sides
// recursively.
func (d *doc) merge(extra []byte) {
	stood := d.list[:len(d.list):len(d.list)] // without added members, so that lookups stay fast
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
