package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/callrule"
	"github.com/goccy/go-yaml/ast"
)

// maxDepth is the maximum depth of nested values in a configuration.
const maxDepth = 64

// A decoder decodes a tree of YAML nodes into the structs of this package by their tags, and collects all errors.
type decoder struct {
	env      func(string) (string, bool)
	dir      string // folder at which relative paths start
	literal  bool   // if set, ${NAME} is not replaced, and a string may stand for a number
	errs     []*Error
	warnings []*Error
	places   map[string]position
	secrets  []string
	files    []string // files that the text names and that were read
}

// A location is a value in the YAML tree with its path, such as models.fast.mode. key is the key of the value, and name
// is the node of that key, nil for elements of lists.
type location struct {
	node  ast.Node
	path  string
	key   string
	name  ast.Node
	depth int
	// example is an example of a permitted value for errors, or "" if the type needs none.
	example string
}

// A reader is a type with its own decoding from YAML.
type reader interface{ read(d *decoder, at location) }

func positionOf(n ast.Node) position {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		n = m.Values[0].Key // the token of a mapping is its first colon
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return position{}
	}
	p := n.GetToken().Position
	return position{p.Line, p.Column}
}

func (d *decoder) fail(at location, format string, args ...any) {
	d.failKey(at.node, at.path, format, args...)
}

func (d *decoder) failKey(n ast.Node, path, format string, args ...any) {
	p := positionOf(n)
	d.errs = append(d.errs, &Error{Line: p.line, Column: p.column, Path: path, Message: fmt.Sprintf(format, args...)})
}

// position returns the line and column to report for the value. For a mapping, a list or null it is the position of the
// key.
func (p location) position() position {
	switch p.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		if p.name != nil {
			return positionOf(p.name)
		}
	}
	return positionOf(p.node)
}

// value decodes the YAML value at a location into v, by the type of v.
func (d *decoder) value(at location, v reflect.Value) {
	if at.depth > maxDepth {
		d.fail(at, "nested deeper than %d", maxDepth)
		return
	}
	d.places[at.path] = at.position()
	if r, ok := v.Addr().Interface().(reader); ok {
		r.read(d, at)
		return
	}
	if parse, ok := words[v.Type()]; ok {
		if text, ok := d.word(at, v.Type()); ok {
			if got, err := parse(d, text); err != nil {
				if p, inside := errors.AsType[*callrule.Problem](err); inside {
					d.failInside(at, p)
					return
				}
				d.fail(at, "%v", err)
			} else {
				v.Set(reflect.ValueOf(got))
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(at, v.Elem())
	case reflect.String:
		if text, ok := d.text(at); ok {
			v.SetString(text)
		}
	case reflect.Int, reflect.Int64:
		if n, ok := d.count(at); ok {
			v.SetInt(int64(n))
		}
	case reflect.Float64:
		if n, ok := d.amount(at); ok {
			v.SetFloat(n)
		}
	case reflect.Bool:
		if b, ok := d.boolean(at); ok {
			v.SetBool(b)
		}
	case reflect.Slice:
		d.list(at, v)
	case reflect.Map:
		d.table(at, v)
	case reflect.Struct:
		d.object(at, v)
	}
}

func (d *decoder) list(at location, v reflect.Value) {
	for i, n := range d.elements(at) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(at.element(i, n), e)
		v.Set(reflect.Append(v, e))
	}
}

// element returns the location of element i of the list at p. n is the node of the element.
func (p location) element(i int, n ast.Node) location {
	return location{node: n, path: p.path + "[" + strconv.Itoa(i) + "]", key: p.key, depth: p.depth + 1}
}

func (d *decoder) table(at location, v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range d.members(at) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(m, e)
		v.SetMapIndex(reflect.ValueOf(m.key), e)
	}
}

func (d *decoder) object(at location, v reflect.Value) {
	keys := keysOf(v.Type())
	given := map[string]location{}
	for _, m := range d.members(at) {
		k, ok := keys.find(m.key)
		if !ok {
			d.failKey(m.name, m.path, "%v", unknownKey(m.key, v.Type(), keys.names()))
			continue
		}
		if other, twice := given[k.name]; twice {
			d.failKey(m.name, m.path, "%s and %s are names of the same key: remove one of them (%s is in line %d)",
				other.key, m.key, other.key, positionOf(other.name).line)
			continue
		}
		given[k.name] = m
		m.example = k.example
		if _, several := m.node.(*ast.SequenceNode); several && k.list != "" {
			d.decodeList(m, v.FieldByIndex(k.index), v.FieldByName(k.list))
			continue
		}
		if k.object != "" && isObject(m.node) {
			d.value(m, v.FieldByName(k.object))
			continue
		}
		d.value(m, v.FieldByIndex(k.index))
	}
}

// decodeList decodes a list for a key that usually has a single value. It stores the list in the field list, and the
// value of its first element in the field one. An empty list is an error.
func (d *decoder) decodeList(at location, one, list reflect.Value) {
	d.value(at, list)
	switch {
	case list.Len() > 0:
		one.Set(list.Index(0).Field(0))
	case len(d.elements(at)) == 0:
		d.fail(at, "expected at least one element: leave %s out for its default", at.key)
	}
}

// isObject reports whether a node is a mapping.
func isObject(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// A key is a configuration key and the struct field into which it is decoded. also are its other names; index is the
// index of the field.
type key struct {
	name    string
	also    []string
	index   []int
	example string
	list    string // the field for a list of values; "" if a list is not permitted
	object  string // the field for a mapping; "" if a mapping is not permitted
}

type keyList []key

func keysOf(t reflect.Type) keyList {
	var out keyList
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || name == "-" {
			continue
		}
		k := key{name: name, index: f.Index, example: f.Tag.Get("example"), list: f.Tag.Get("list"), object: f.Tag.Get("object")}
		if also := f.Tag.Get("also"); also != "" {
			k.also = strings.Split(also, ",")
		}
		out = append(out, k)
	}
	return out
}

func (l keyList) find(name string) (key, bool) {
	for _, k := range l {
		if k.name == name {
			return k, true
		}
		for _, other := range k.also {
			if other == name {
				return k, true
			}
		}
	}
	return key{}, false
}

func (l keyList) names() []string {
	names := make([]string, len(l))
	for i, k := range l {
		names[i] = k.name
	}
	return names
}
