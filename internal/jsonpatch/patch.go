package jsonpatch

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Patch is a JSON Patch or a JSON Merge Patch.
type Patch struct {
	operations []operation
	merge      *node // nil for a JSON Patch
}

// ParsePatch parses a patch: an array is a JSON Patch, an object is a merge patch.
func ParsePatch(text []byte, l Limits) (*Patch, error) {
	if len(text) > l.Patch {
		return nil, &Error{Code: CodeSize,
			Message: "the patch has " + strconv.Itoa(len(text)) + " bytes, and " + strconv.Itoa(l.Patch) + " are taken; make several smaller ones"}
	}
	n, err := read(text, min(l.Depth+2, jsonx.MaxDepth))
	if err != nil {
		e := err.(*Error)
		e.At, e.Path = e.Path, ""
		return nil, e
	}
	switch n.kind {
	case jsonx.Object:
		return &Patch{merge: n}, nil
	case jsonx.Array:
		return readOperations(n, l.Operations)
	}
	return nil, &Error{Code: CodePatch,
		Message: "expected a JSON Patch, an array of operations, or a merge patch, an object, got " + n.kind.InWords()}
}

func readOperations(n *node, most int) (*Patch, error) {
	list := n.parseChildren().elements
	if len(list) > most {
		return nil, &Error{Code: CodeSize,
			Message: "the patch has " + count(len(list), "operation") + ", and " + strconv.Itoa(most) + " are taken; make several smaller ones"}
	}
	p := &Patch{operations: make([]operation, 0, len(list))}
	for i, e := range list {
		o, err := readOperation(i, e)
		if err != nil {
			return nil, err
		}
		p.operations = append(p.operations, o)
	}
	return p, nil
}

// Apply returns the document with the patch applied. If an operation fails, it returns an *Error and no document. The
// function after, unless nil, is called after each operation of a JSON Patch with its index and the intermediate
// document.
func (p *Patch) Apply(d Doc, after func(operation int, d Doc)) (made Doc, err error) {
	if p.merge != nil {
		return mergePatch(d, p.merge)
	}
	defer func() { made.work = nil }()
	d.work = new(int)
	for i := range p.operations {
		o := &p.operations[i]
		root, bad := o.verb.do(d, o)
		at := "/" + strconv.Itoa(i)
		switch {
		case bad != nil:
			bad.At = at + o.member(bad)
			return Doc{}, bad
		case root.size > d.limits.Document:
			e := fail(CodeSize, o.path, "the document would have %d bytes, and %d are taken", root.size, d.limits.Document)
			e.At = at
			return Doc{}, e
		}
		d.root = root
		if after != nil {
			after(i, d)
		}
	}
	return d, nil
}

// member returns the path, such as "/value", of the member of the operation that caused an error.
func (o *operation) member(err *Error) string {
	switch {
	case o.verb.from && err.Path == o.from.String() && err.Path != o.path.String():
		return "/from"
	case err.Code == CodeTest, err.Code == CodeDepth && o.verb.value:
		return "/value"
	}
	return "/path"
}

// Describe describes an operation, such as `replace "/a"`.
func (p *Patch) Describe(operation int) string {
	o := &p.operations[operation]
	if o.verb.from {
		return o.verb.name + " " + name(o.from) + " to " + name(o.path)
	}
	return o.verb.name + " " + name(o.path)
}

// Merges returns the longest prefix of path that a merge patch contains, and true. It returns false for a JSON Patch.
func (p *Patch) Merges(path Pointer) (Pointer, bool) {
	n := p.merge
	if n == nil {
		return nil, false
	}
	for i, token := range path {
		if n.kind != jsonx.Object {
			return path[:i], true
		}
		if n = n.child(token); n == nil {
			return path[:i], true
		}
	}
	return path, true
}

// Merge returns the document with a merge patch applied. The patch may be any value. One that is not an object replaces
// the document. An error is an *Error.
func Merge(d Doc, patch []byte) (Doc, error) {
	n, err := read(patch, d.limits.Depth)
	if err != nil {
		return Doc{}, err
	}
	return mergePatch(d, n)
}

func mergePatch(d Doc, patch *node) (Doc, error) {
	root := merge(d.root, patch)
	if root.size > d.limits.Document {
		return Doc{}, fail(CodeSize, nil, "the document would have %d bytes, and %d are taken", root.size, d.limits.Document)
	}
	if n := root.levels(); n > d.limits.Depth {
		return Doc{}, fail(CodeDepth, nil, "the document would have %d arrays and objects in one another, and %d are taken", n, d.limits.Depth)
	}
	return Doc{root: root, limits: d.limits}, nil
}

// merge is the function MergePatch of RFC 7386, section 2. target may be nil.
func merge(target, patch *node) *node {
	if patch.kind != jsonx.Object {
		return patch
	}
	var members []member
	places := map[string]int{}
	if target != nil && target.kind == jsonx.Object {
		members = slices.Clone(target.parseChildren().members)
		for i, m := range members {
			places[m.name()] = i
		}
	}
	for _, m := range patch.parseChildren().members {
		i, there := places[m.name()]
		switch {
		case m.value.kind == jsonx.Null && there:
			members[i].value = nil
		case m.value.kind == jsonx.Null:
		case there:
			members[i].value = merge(members[i].value, m.value)
		default:
			members = append(members, member{m.key, merge(nil, m.value)})
		}
	}
	return objectOf(slices.DeleteFunc(members, func(m member) bool { return m.value == nil }))
}
