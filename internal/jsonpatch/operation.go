package jsonpatch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An operation is one operation of a JSON Patch.
type operation struct {
	verb       *verb
	path, from Pointer
	value      *node
}

// A verb is a type of operation, such as add.
type verb struct {
	name        string
	value, from bool // whether it requires the members value and from
	do          func(d Doc, o *operation) (*node, *Error)
}

var verbs = []verb{
	{name: "add", value: true, do: func(d Doc, o *operation) (*node, *Error) { return d.add(o.path, o.value) }},
	{name: "remove", do: func(d Doc, o *operation) (*node, *Error) { return d.remove(o.path) }},
	{name: "replace", value: true, do: func(d Doc, o *operation) (*node, *Error) { return d.replace(o.path, o.value) }},
	{name: "move", from: true, do: Doc.move},
	{name: "copy", from: true, do: Doc.copyValue},
	{name: "test", value: true, do: Doc.test},
}

// readOperation parses operation number i of a patch.
func readOperation(i int, n *node) (operation, *Error) {
	var o operation
	at := "/" + strconv.Itoa(i)
	bad := func(member, format string, args ...any) (operation, *Error) {
		return o, &Error{Code: CodePatch, At: at + member, Message: fmt.Sprintf(format, args...)}
	}
	if n.kind != jsonx.Object {
		return bad("", "expected an operation such as {\"op\":\"replace\",\"path\":\"/a\",\"value\":1}, got %s", n.kind.InWords())
	}
	text := n.child("op")
	if text == nil || text.kind != jsonx.Text {
		return bad("", "an operation needs \"op\", one of %s", verbNames())
	}
	op, _ := jsonx.String(text.raw)
	v := slices.IndexFunc(verbs, func(v verb) bool { return v.name == op })
	if v < 0 {
		return bad("/op", "expected one of %s, got %s", verbNames(), quote(op))
	}
	o.verb = &verbs[v]
	if o.value = n.child("value"); o.value == nil && o.verb.value {
		return bad("", "%s needs a \"value\", which may be null", o.verb.name)
	}
	var err *Error
	if o.path, err = n.pointer(at, o.verb.name, "path"); err == nil && o.verb.from {
		o.from, err = n.pointer(at, o.verb.name, "from")
	}
	return o, err
}

// pointer returns the JSON Pointer in a member of the operation n. The path and the name of the operation, at and verb,
// are for errors.
func (n *node) pointer(at, verb, member string) (Pointer, *Error) {
	text := n.child(member)
	if text == nil || text.kind != jsonx.Text {
		return nil, &Error{Code: CodePatch, At: at,
			Message: fmt.Sprintf("%s needs %q, a JSON pointer in a string, such as \"/a/0\"", verb, member)}
	}
	s, _ := jsonx.String(text.raw)
	p, err := ParsePointer(s)
	if err != nil {
		e := err.(*Error)
		e.At = at + "/" + member
		return nil, e
	}
	return p, nil
}

func verbNames() string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.name
	}
	return strings.Join(names, ", ")
}

// add adds a value to an object, or inserts it into an array before the element at the index.
func (d Doc) add(p Pointer, value *node) (*node, *Error) {
	if err := d.fits(p, value); err != nil {
		return nil, err
	}
	return d.change(p, true, func(parent *node, token string) *node {
		if parent == nil {
			return value
		}
		at := parent.place(token)
		if parent.kind == jsonx.Object {
			if at >= 0 {
				return parent.with(at, value)
			}
			return parent.insertValue(0, jsonx.AppendQuote(nil, token), value)
		}
		if end, ok := index(token); token == "-" || ok && end == parent.entries() {
			at = parent.entries()
		}
		if at < 0 {
			return nil
		}
		return parent.insertValue(at, nil, value)
	})
}

// fits returns an error if a value at p would be nested too deeply.
func (d Doc) fits(p Pointer, value *node) *Error {
	if n := len(p) + value.levels(); n > d.limits.Depth {
		return fail(CodeDepth, p, "the document would have %d arrays and objects in one another, and %d are taken", n, d.limits.Depth)
	}
	return nil
}

// remove removes a value.
func (d Doc) remove(p Pointer) (*node, *Error) {
	if len(p) == 0 {
		return nil, fail(CodePatch, p, "the whole document cannot be removed; replace it, such as by null")
	}
	return d.change(p, false, func(parent *node, token string) *node {
		if i := parent.place(token); i >= 0 {
			return parent.without(i)
		}
		return nil
	})
}

// replace replaces an existing value.
func (d Doc) replace(p Pointer, value *node) (*node, *Error) {
	if err := d.fits(p, value); err != nil {
		return nil, err
	}
	return d.change(p, false, func(parent *node, token string) *node {
		if parent == nil {
			return value
		}
		if i := parent.place(token); i >= 0 {
			return parent.with(i, value)
		}
		return nil
	})
}

// maxWork is the maximum number of members and elements that the operations of a patch may copy.
const maxWork = 8 << 20

// countWork adds to d.work the number of members and elements of the nodes in way, the arrays and objects along the
// path, which are copied. It returns an error above maxWork.
func (d Doc) countWork(p Pointer, way []*node) *Error {
	for _, n := range way {
		*d.work += n.entries()
	}
	if *d.work > maxWork {
		return fail(CodeSize, p, "the patch changes large arrays and objects too often; make several smaller ones")
	}
	return nil
}

// change returns the document with the parent of the value at p replaced by the result of make. make returns nil if the
// token does not exist in parent. For an empty p, parent is nil and the result replaces the document. adding is as for
// missing.
func (d Doc) change(p Pointer, adding bool, make func(parent *node, token string) *node) (*node, *Error) {
	if len(p) == 0 {
		return make(nil, ""), nil
	}
	way := []*node{d.root}
	for _, token := range p[:len(p)-1] {
		c := way[len(way)-1].child(token)
		if c == nil {
			return nil, d.missing(p, adding)
		}
		way = append(way, c)
	}
	parent := way[len(way)-1]
	if parent.kind != jsonx.Object && parent.kind != jsonx.Array {
		return nil, d.missing(p, adding)
	}
	if err := d.countWork(p, way); err != nil {
		return nil, err
	}
	made := make(parent, p[len(p)-1])
	if made == nil {
		return nil, d.missing(p, adding)
	}
	for i := len(way) - 2; i >= 0; i-- {
		made = way[i].with(way[i].place(p[i]), made)
	}
	return made, nil
}

// move removes a value and adds it at another path.
func (d Doc) move(o *operation) (*node, *Error) {
	n := d.at(o.from)
	switch {
	case n == nil:
		return nil, d.missing(o.from, false)
	case len(o.path) == len(o.from) && o.path.within(o.from):
		return d.root, nil
	case o.path.within(o.from):
		return nil, fail(CodeMove, o.path, "%s cannot be moved into itself, to %s; copy it, or move what is in it", name(o.from), name(o.path))
	}
	without, err := d.remove(o.from)
	if err != nil {
		return nil, err
	}
	root, err := Doc{without, d.limits, d.work}.add(o.path, n)
	if err != nil && d.at(o.path) != nil {
		err.Message += " once " + name(o.from) + " is taken out"
	}
	return root, err
}

// copyValue copies the value at o.from to o.path.
func (d Doc) copyValue(o *operation) (*node, *Error) {
	n := d.at(o.from)
	if n == nil {
		return nil, d.missing(o.from, false)
	}
	return d.add(o.path, n)
}

// test returns an error if a value differs from the expected one.
func (d Doc) test(o *operation) (*node, *Error) {
	n := d.at(o.path)
	if n == nil {
		return nil, d.missing(o.path, false)
	}
	if !n.equal(o.value) {
		return nil, fail(CodeTest, o.path, "%s is %s, not %s", name(o.path), excerpt(n), excerpt(o.value))
	}
	return d.root, nil
}

// excerpt returns a value for a message, or a description of a long one.
func excerpt(n *node) string {
	if n.size <= maxQuoted {
		return string(n.text())
	}
	if n.kind == jsonx.Text {
		return clip(string(n.text())) + "..."
	}
	return fmt.Sprintf("%s of %d bytes", n.kind.InWords(), n.size)
}
