package compose

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Definitions collects the definitions ($defs) of JSON Schemas that become parts of one schema. A $ref is resolved from
// the root of the combined schema. Therefore each target is moved to the $defs of the root, under a unique name. The
// zero Definitions is empty and ready to use.
type Definitions struct {
	list jsonx.List
}

// Embed returns a schema for use within the combined schema, with its $ref values rewritten. It adds the targets to d,
// under names that begin with prefix. A $ref without a local target is removed, so that any value is valid. A schema
// without $ref is returned unchanged. schema must be valid JSON.
func (d *Definitions) Embed(schema []byte, prefix string) []byte {
	e := embedding{all: d, prefix: prefix, root: schema}
	if !e.refers(schema, 0, keywords) {
		return schema
	}
	out := e.rewrite(nil, schema, 0, keywords)
	for i := 0; i < len(e.wanted); i++ { // a target may refer to further targets
		w := e.wanted[i]
		d.list.Set(w.name, e.rewrite(nil, w.schema, 0, keywords))
	}
	return out
}

// Append appends the member "$defs" to dst, a JSON object that is not yet closed and has at least one member. Without
// definitions it appends nothing.
func (d *Definitions) Append(dst []byte) []byte {
	if len(d.list) == 0 {
		return dst
	}
	return d.list.Append(append(dst, `,"$defs":`...))
}

// An embedding contains the state of one Embed call.
type embedding struct {
	all    *Definitions
	prefix string
	root   []byte
	wanted []definition
}

// A definition is the target of a $ref: its JSON pointer, its new name and its schema.
type definition struct {
	pointer, name string
	schema        []byte
}

// maxDepth is the maximum depth to which a schema is read.
const maxDepth = 64

// A membership says whether the member names of a JSON object in a schema are keywords or names chosen by the author.
type membership bool

const (
	keywords membership = false
	named    membership = true // member names are chosen by the author, as in "properties"; the values are schemas
)

var (
	dataKeys = []string{"enum", "const", "default", "examples"} // keywords with values that are not schemas
	mapKeys  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
)

// under returns the membership of the object that is the value of the member name.
func (m membership) under(name string) membership {
	return membership(m == keywords && slices.Contains(mapKeys, name))
}

// refers reports whether a schema contains a $ref, down to maxDepth. Members of that name in "properties", or in data
// such as "default", do not count.
func (e *embedding) refers(v []byte, depth int, are membership) bool {
	if depth > maxDepth {
		return false
	}
	switch jsonx.KindOf(v) {
	case jsonx.Array:
		for m := range jsonx.Elements(v) {
			if e.refers(m, depth+1, keywords) {
				return true
			}
		}
	case jsonx.Object:
		for k, m := range jsonx.Members(v) {
			switch name := k.String(); {
			case are == keywords && name == "$ref" && jsonx.KindOf(m) == jsonx.Text:
				return true
			case are == keywords && slices.Contains(dataKeys, name):
			case e.refers(m, depth+1, are.under(name)):
				return true
			}
		}
	}
	return false
}

// rewrite appends a schema to dst with each $ref rewritten. It removes a $ref without a local target and, at the root,
// the members $defs, definitions, $schema and $id.
func (e *embedding) rewrite(dst, v []byte, depth int, are membership) []byte {
	kind := jsonx.KindOf(v)
	if depth > maxDepth || kind != jsonx.Array && kind != jsonx.Object {
		return append(dst, v...)
	}
	if kind == jsonx.Array {
		dst = append(dst, '[')
		n := 0
		for m := range jsonx.Elements(v) {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = e.rewrite(dst, m, depth+1, keywords)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	n := 0
	for k, m := range jsonx.Members(v) {
		name := k.String()
		value, ok := e.member(name, m, depth, are)
		if !ok {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(jsonx.AppendQuote(dst, name), ':'), value...)
	}
	return append(dst, '}')
}

// member returns the rewritten value of a member. ok is false if the member is removed.
func (e *embedding) member(name string, v []byte, depth int, are membership) (value []byte, ok bool) {
	switch {
	case are == named:
	case name == "$ref" && jsonx.KindOf(v) == jsonx.Text:
		ref, _ := jsonx.String(v)
		to, ok := e.want(ref)
		return jsonx.AppendQuote(nil, to), ok
	case depth == 0 && slices.Contains([]string{"$defs", "definitions", "$schema", "$id"}, name):
		return nil, false
	case slices.Contains(dataKeys, name):
		return v, true
	}
	return e.rewrite(nil, v, depth+1, are.under(name)), true
}

// want returns the $ref of the combined schema that replaces ref, and adds the target of ref to the definitions. ok is
// false if ref is not local or has no target.
func (e *embedding) want(ref string) (to string, ok bool) {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return "", false
	}
	if unescaped, err := url.PathUnescape(pointer); err == nil {
		pointer = unescaped
	}
	for _, w := range e.wanted {
		if w.pointer == pointer {
			return "#/$defs/" + w.name, true
		}
	}
	target := e.root
	for i, step := range strings.Split(pointer, "/") {
		if i == 0 {
			continue
		}
		if target, ok = Below(target, jsonx.UnescapeToken(step)); !ok {
			return "", false
		}
	}
	name := e.prefix + strings.Map(plainRune, pointer[strings.LastIndexByte(pointer, '/')+1:])
	for slices.ContainsFunc(e.wanted, func(w definition) bool { return w.name == name }) {
		name += "_"
	}
	e.wanted = append(e.wanted, definition{pointer, name, target})
	return "#/$defs/" + name, true
}

// plainRune replaces characters other than ASCII letters, digits and "_" by "_", so that a name needs no escaping in a
// JSON pointer.
func plainRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
		return r
	}
	return '_'
}

// Below returns the value of the member step or, in an array, the element with index step. step is one token of a JSON
// pointer. The result is false if v has no such member or element.
func Below(v []byte, step string) ([]byte, bool) {
	if jsonx.KindOf(v) == jsonx.Array {
		n := 0
		for m := range jsonx.Elements(v) {
			if step == strconv.Itoa(n) {
				return m, true
			}
			n++
		}
		return nil, false
	}
	return jsonx.Find(v, step)
}
