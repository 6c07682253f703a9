package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// maxDepth bounds how deep values may be nested.
const maxDepth = 64

// A decoder reads a tree of YAML into the structs of this package, by their tags, and collects everything that is wrong.
type decoder struct {
	env      func(string) (string, bool)
	errs     []*Error
	warnings []*Error
	places   map[string]position
	secrets  []string
}

// A place is a value and where it stands. Key is the name under which it was written, name the node of that, nil in lists.
type place struct {
	node  ast.Node
	path  string
	key   string
	name  ast.Node
	depth int
}

// A reader is a type that reads itself.
type reader interface{ read(d *decoder, at place) }

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

func (d *decoder) fail(at place, format string, args ...any) {
	d.failKey(at.node, at.path, format, args...)
}

func (d *decoder) failKey(n ast.Node, path, format string, args ...any) {
	p := positionOf(n)
	d.errs = append(d.errs, &Error{Line: p.line, Column: p.column, Path: path, Message: fmt.Sprintf(format, args...)})
}

// position is where a person looks for the value: at its name, for one that goes over several lines.
func (p place) position() position {
	switch p.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		if p.name != nil {
			return positionOf(p.name)
		}
	}
	return positionOf(p.node)
}

// value reads one value into v.
func (d *decoder) value(at place, v reflect.Value) {
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
		if text, ok := d.text(at); ok {
			if got, err := parse(d, text); err != nil {
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
	case reflect.Int:
		if n, ok := d.count(at); ok {
			v.SetInt(int64(n))
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

func (d *decoder) list(at place, v reflect.Value) {
	for i, n := range d.elements(at) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(at.element(i, n), e)
		v.Set(reflect.Append(v, e))
	}
}

// element is the place of an element of the list at p.
func (p place) element(i int, n ast.Node) place {
	return place{node: n, path: p.path + "[" + strconv.Itoa(i) + "]", key: p.key, depth: p.depth + 1}
}

func (d *decoder) table(at place, v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range d.members(at) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(m, e)
		v.SetMapIndex(reflect.ValueOf(m.key), e)
	}
}

func (d *decoder) object(at place, v reflect.Value) {
	keys := keysOf(v.Type())
	given := map[string]string{}
	for _, m := range d.members(at) {
		k, ok := keys.find(m.key)
		if !ok {
			d.failKey(m.name, m.path, "unknown key %q: expected %s", m.key, keys.list())
			continue
		}
		if other, twice := given[k.name]; twice {
			d.failKey(m.name, m.path, "%s and %s are names of the same key: give one of them", other, m.key)
			continue
		}
		given[k.name] = m.key
		d.value(m, v.FieldByIndex(k.index))
	}
}

// A key is a field of a struct by the names that it has in a configuration.
type key struct {
	name  string
	also  []string
	index []int
}

type keyList []key

func keysOf(t reflect.Type) keyList {
	var out keyList
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || name == "-" {
			continue
		}
		k := key{name: name, index: f.Index}
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

func (l keyList) list() string {
	names := make([]string, len(l))
	for i, k := range l {
		names[i] = k.name
	}
	return oneOf(names)
}

// oneOf is a list of names as a person reads it.
func oneOf(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

// members are the entries of a mapping. Nothing, as in "groq:", is an empty one.
func (d *decoder) members(at place) []place {
	var values []*ast.MappingValueNode
	switch n := at.node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode:
	default:
		d.fail(at, "expected a mapping, got %s", kindOf(at.node))
	}
	seen := map[string]bool{}
	var out []place
	for _, v := range values {
		name, ok := keyText(v.Key)
		if !ok {
			d.failKey(v.Key, at.path, "expected a name as key, got %s", kindOf(v.Key))
			continue
		}
		m := place{node: v.Value, path: joinPath(at.path, name), key: name, name: v.Key, depth: at.depth + 1}
		if seen[name] {
			d.failKey(v.Key, m.path, "%q stands there twice", name)
			continue
		}
		seen[name] = true
		out = append(out, m)
	}
	return out
}

func keyText(n ast.MapKeyNode) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func joinPath(path, name string) string {
	plain := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
	switch {
	case !plain:
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// elements are those of a sequence.
func (d *decoder) elements(at place) []ast.Node {
	switch n := at.node.(type) {
	case *ast.SequenceNode:
		return n.Values
	case *ast.NullNode:
		return nil
	}
	d.fail(at, "expected a list, got %s", kindOf(at.node))
	return nil
}

// kindOf names what stands there.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode, nil:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or an alias, which are not read here"
	case *ast.TagNode:
		return "a tag, which is not read here"
	}
	return "something else"
}

// written is the text of a node that holds text, with variables put in. Loose says that it came out of a variable, so that it
// may stand for a number or for true and false too.
func (d *decoder) written(at place) (text string, loose, ok bool) {
	switch n := at.node.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	default:
		return "", false, false
	}
	text, loose, err := expand(text, d.env)
	if err != nil {
		d.fail(at, "%v", err)
		return "", true, false
	}
	return text, loose, true
}

// text is a value that has to be text. What failed is reported.
func (d *decoder) text(at place) (string, bool) {
	before := len(d.errs)
	text, _, ok := d.written(at)
	if !ok && len(d.errs) == before {
		hint := ""
		if _, scalar := at.node.(ast.ScalarNode); scalar && kindOf(at.node) != "nothing" {
			hint = " (put it into quotes)"
		}
		d.fail(at, "expected text, got %s%s", kindOf(at.node), hint)
	}
	return text, ok
}

// count is a value that has to be a whole number from 0.
func (d *decoder) count(at place) (int, bool) {
	text, ok := d.loose(at, "a whole number")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		d.fail(at, "expected a whole number from 0, got %s", text)
		return 0, false
	}
	return n, true
}

func (d *decoder) boolean(at place) (value, ok bool) {
	text, ok := d.loose(at, "true or false")
	if !ok {
		return false, false
	}
	if text != "true" && text != "false" {
		d.fail(at, "expected true or false, got %s", text)
		return false, false
	}
	return text == "true", true
}

// loose is the text of a number or of true and false: written as such, or out of a variable.
func (d *decoder) loose(at place, want string) (string, bool) {
	switch n := at.node.(type) {
	case *ast.IntegerNode:
		return fmt.Sprint(n.Value), true
	case *ast.BoolNode, *ast.FloatNode:
		return at.node.GetToken().Value, true
	}
	before := len(d.errs)
	text, fromVariable, ok := d.written(at)
	switch {
	case len(d.errs) > before:
		return "", false
	case ok && fromVariable:
		return text, true
	case ok:
		d.fail(at, "expected %s, got the text %q", want, text)
	default:
		d.fail(at, "expected %s, got %s", want, kindOf(at.node))
	}
	return "", false
}

// quoted tells whether a scalar stands in quotes.
func quoted(n ast.Node) bool {
	t := n.GetToken().Type
	return t == token.SingleQuoteType || t == token.DoubleQuoteType
}
