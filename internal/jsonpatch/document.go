package jsonpatch

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// Limits are the maximum sizes of documents and patches. All fields must be set.
type Limits struct {
	Document   int // bytes of a document without white space between tokens
	Patch      int // bytes of a patch
	Operations int // number of operations in a JSON Patch
	Depth      int // depth of nested arrays and objects in a document; less than jsonx.MaxDepth
}

// A Doc is an immutable document. It caches parsed parts, so it is not safe for concurrent use.
type Doc struct {
	root   *node
	limits Limits
	work   *int // cost of the operations of a patch so far; nil if no patch is being applied
}

// Parse parses a document. It may retain text, which the caller must then not modify.
func Parse(text []byte, l Limits) (Doc, error) {
	root, err := read(text, l.Depth)
	if err != nil {
		return Doc{}, err
	}
	if root.size > l.Document {
		return Doc{}, fail(CodeSize, nil, "the document has %d bytes, and %d are taken", root.size, l.Document)
	}
	return Doc{root: root, limits: l}, nil
}

// read parses a text and checks its depth and names.
func read(text []byte, depth int) (*node, error) {
	if err := jsonx.Valid(text); err != nil {
		return nil, &Error{Code: CodeJSON, Message: "expected JSON: " + err.Error()}
	}
	if n := depthOf(text); n > depth {
		return nil, fail(CodeDepth, nil, "it has %d arrays and objects in one another, and %d are taken", n, depth)
	}
	if bytes.ContainsAny(text, " \t\r\n") {
		text = jsonx.Compact(make([]byte, 0, len(text)), text)
	}
	d := duplicateFinder{text: text}
	if d.value(0); d.found {
		slices.Reverse(d.path)
		return nil, fail(CodeDuplicate, d.path, "an object has two members %s; write one", quote(d.path[len(d.path)-1]))
	}
	return leaf(text), nil
}

// duplicateFinder searches for a duplicate name in an object.
type duplicateFinder struct {
	text  []byte
	names []string // names in the open objects
	found bool
	path  []string // path of the duplicate, the last token first
}

// value searches the value at offset i for duplicate names. It returns the offset after the value.
func (d *duplicateFinder) value(i int) int {
	if d.found {
		return jsonx.SkipValue(d.text, i)
	}
	switch d.text[i] {
	case '[':
		return jsonx.WalkElements(d.text, i, func(n, at int) int {
			return d.below(at, func() string { return strconv.Itoa(n) })
		})
	case '{':
		first := len(d.names)
		end := jsonx.WalkMembers(d.text, i, func(k jsonx.Key, at int) int {
			d.names = append(d.names, jsonx.TextOf(k))
			return d.below(at, k.String)
		})
		d.twice(d.names[first:])
		d.names = d.names[:first]
		return end
	}
	return jsonx.SkipValue(d.text, i)
}

// below searches the value at an offset in an array or object, as value does. token returns the pointer token of the
// value, for the path of a duplicate.
func (d *duplicateFinder) below(at int, token func() string) int {
	was := d.found
	end := d.value(at)
	if d.found && !was {
		d.path = append(d.path, token())
	}
	return end
}

// twice searches for a duplicate among the names of one object.
func (d *duplicateFinder) twice(names []string) {
	if d.found {
		return
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			d.found, d.path = true, append(d.path, names[i])
			return
		}
	}
}

// Text returns the document without white space between tokens. The caller must not modify it.
func (d Doc) Text() []byte { return d.root.text() }

// Find returns the value at p, which the caller must not modify. If there is none, it returns an *Error with the
// reason.
func (d Doc) Find(p Pointer) ([]byte, error) {
	n := d.at(p)
	if n == nil {
		return nil, d.missing(p, false)
	}
	return n.text(), nil
}

// Same reports whether d and o have the same bytes at p, or both have no value there.
func (d Doc) Same(o Doc, p Pointer) bool {
	a, b := d.at(p), o.at(p)
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.size == b.size && bytes.Equal(a.text(), b.text())
}

// at returns the value at p, or nil if there is none.
func (d Doc) at(p Pointer) *node {
	n := d.root
	for _, token := range p {
		if n = n.child(token); n == nil {
			return nil
		}
	}
	return n
}
