package jsonpatch

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// Limits bound documents and patches. All must be set.
type Limits struct {
	Document   int // bytes of a document without white space between tokens
	Patch      int // bytes of a patch
	Operations int // of a JSON Patch
	Depth      int // arrays and objects in one another, in a document; less than jsonx.MaxDepth
}

// A Doc is a document. It never changes. It is not safe for concurrent use.
type Doc struct {
	root   *node
	limits Limits
	work   *int // what the operations of a patch have cost so far; nil where none is being applied
}

// Parse reads a document. Text that has no white space between tokens is kept; the caller does not write to it.
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

// read checks a text and returns its value.
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
	d := doubled{text: text}
	if d.value(0); d.found {
		slices.Reverse(d.path)
		return nil, fail(CodeDuplicate, d.path, "an object has two members %s; write one", quote(d.path[len(d.path)-1]))
	}
	return leaf(text), nil
}

// doubled looks for a name that an object has twice.
type doubled struct {
	text  []byte
	names []string // of the objects that are open
	found bool
	path  []string // where, the last token first
}

// value goes through the value at i and returns its end.
func (d *doubled) value(i int) int {
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

// below goes through a value that stands in an array or object.
func (d *doubled) below(at int, token func() string) int {
	was := d.found
	end := d.value(at)
	if d.found && !was {
		d.path = append(d.path, token())
	}
	return end
}

// twice looks for a name that comes twice among those of an object.
func (d *doubled) twice(names []string) {
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

// Text returns the document, without white space between tokens. The caller does not write to it.
func (d Doc) Text() []byte { return d.root.text() }

// Find returns the value at p, which the caller does not write to, or the *Error that says why there is none.
func (d Doc) Find(p Pointer) ([]byte, error) {
	n := d.at(p)
	if n == nil {
		return nil, d.missing(p, false)
	}
	return n.text(), nil
}

// Same reports whether d and o have the same bytes at p, or nothing.
func (d Doc) Same(o Doc, p Pointer) bool {
	a, b := d.at(p), o.at(p)
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.size == b.size && bytes.Equal(a.text(), b.text())
}

// at returns the value at p, nil where there is none.
func (d Doc) at(p Pointer) *node {
	n := d.root
	for _, token := range p {
		if n = n.child(token); n == nil {
			return nil
		}
	}
	return n
}
