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

// maxDepth bounds how deep values may be nested.
const maxDepth = 64

// A decoder reads a tree of YAML into the structs of this package, by their tags, and collects all errors.
type decoder struct {
	env      func(string) (string, bool)
	dir      string // of files that are named in the text
	literal  bool   // no variables are put into the text, and a text may stand for a number
	errs     []*Error
	warnings []*Error
	places   map[string]position
	secrets  []string
	files    []string // that the text names and that were read
}

// A location is a value with its place. key is the name under which it was written, name the node of key, nil in lists.
type location struct {
	node  ast.Node
	path  string
	key   string
	name  ast.Node
	depth int
	// example is an example of a permitted value, "" if the type is clear enough.
	example string
}

// A reader is a type that reads itself.
type reader interface{ read(d *decoder, at location) }

func positionOf(n ast.Node) position {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		n = m.Values[0].Key // its own token is the colon
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

// position returns the place of the value for a person: its name, for a value that spans several lines.
func (p location) position() position {
	switch p.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		if p.name != nil {
			return positionOf(p.name)
		}
	}
	return positionOf(p.node)
}

// value reads one value into v.
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

// element returns the place of an element of the list at p.
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
			d.failKey(m.name, m.path, "%s and %s are names of the same key: give one of them (%s stands in line %d)",
				other.key, m.key, other.key, positionOf(other.name).line)
			continue
		}
		given[k.name] = m
		m.example = k.example
		if _, several := m.node.(*ast.SequenceNode); several && k.list != "" {
			d.several(m, v.FieldByIndex(k.index), v.FieldByName(k.list))
			continue
		}
		if k.object != "" && isObject(m.node) {
			d.value(m, v.FieldByName(k.object))
			continue
		}
		d.value(m, v.FieldByIndex(k.index))
	}
}

// several reads a list for a key that otherwise has a single value. The first element becomes the value of the key.
func (d *decoder) several(at location, one, list reflect.Value) {
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

// A key is a field of a struct by the names that it has in a configuration.
type key struct {
	name    string
	also    []string
	index   []int
	example string
	list    string // the field that has several of the values, "" where there is always one
	object  string // the field that has the value where it is an object, "" where it never is
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
