package compose

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Definitions collect the definitions of schemas that become part of one schema: a reference is a place in the whole,
// so its target stands at the root, each under a name of its own. The zero value is empty and ready.
type Definitions struct {
	list jsonx.List
}

// Embed returns a schema as it stands in the whole; one without references comes back as it is. prefix keeps its names
// apart from those of others. A reference that leads nowhere, or out of the schema, is left out: any value satisfies it
// then. schema is valid JSON.
func (d *Definitions) Embed(schema []byte, prefix string) []byte {
	e := embedding{all: d, prefix: prefix, root: schema}
	if !e.refers(schema, 0, keywords) {
		return schema
	}
	out := e.rewrite(nil, schema, 0, keywords)
	for i := 0; i < len(e.wanted); i++ { // what is wanted may want more
		w := e.wanted[i]
		d.list.Set(w.name, e.rewrite(nil, w.schema, 0, keywords))
	}
	return out
}

// Append appends the member of the root with the collected definitions to dst, an object that is being written and has
// members already. Without definitions it appends nothing.
func (d *Definitions) Append(dst []byte) []byte {
	if len(d.list) == 0 {
		return dst
	}
	return d.list.Append(append(dst, `,"$defs":`...))
}

// An embedding is one schema on its way into the document.
type embedding struct {
	all    *Definitions
	prefix string
	root   []byte
	wanted []definition
}

// A definition is a schema that something refers to.
type definition struct {
	pointer, name string
	schema        []byte
}

// maxDepth bounds how deep a schema is read.
const maxDepth = 64

// The meaning of an object's members.
type membership bool

const (
	keywords membership = false
	named    membership = true // schemas by names of their author's, which are no keywords
)

var (
	dataKeys = []string{"enum", "const", "default", "examples"} // keywords whose values are data and no schemas
	mapKeys  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
)

// under is the meaning of the members of a member's value.
func (m membership) under(name string) membership {
	return membership(m == keywords && slices.Contains(mapKeys, name))
}

// refers reports whether a schema has a reference, or anything else that belongs at a document's root.
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

// rewrite appends a schema with its references turned to the document's root.
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

// member is the value of one member, not ok where the member is left out.
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

// want translates a reference of the schema into one of the document, and adds the target to the definitions of the
// document. ok is false if the reference is not local or has no target.
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

// plainRune keeps letters and digits: the rest would have to be escaped in a pointer.
func plainRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
		return r
	}
	return '_'
}

// Below returns the value that one step of a JSON pointer leads to: that of a member, or of an element by its number.
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
