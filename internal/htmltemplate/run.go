package htmltemplate

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"text/template/parse"
)

// maxDepth is the maximum depth of nested template calls.
const maxDepth = 1000

// A run is one execution of a set.
type run struct {
	set   *Set
	out   *bufio.Writer
	depth int
}

// A frame is the execution of one template.
type frame struct {
	*run
	tree      *parse.Tree
	variables []variable
}

type variable struct {
	name  string
	value reflect.Value
}

func (r *run) template(tree *parse.Tree, data reflect.Value) error {
	if r.depth++; r.depth > maxDepth {
		return fmt.Errorf("template %q: templates call each other more than %d deep", tree.Name, maxDepth)
	}
	defer func() { r.depth-- }()
	f := &frame{run: r, tree: tree, variables: []variable{{"$", data}}}
	return f.list(data, tree.Root)
}

// errorAt adds the location in the template to an error.
func (f *frame) errorAt(n parse.Node, err error) error {
	at, what := f.tree.ErrorContext(n)
	return fmt.Errorf("template %s: %s: %w", at, what, err)
}

func (f *frame) list(dot reflect.Value, list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		if err := f.node(dot, n); err != nil {
			return err
		}
	}
	return nil
}

func (f *frame) node(dot reflect.Value, n parse.Node) error {
	switch n := n.(type) {
	case *parse.TextNode:
		_, err := f.out.Write(n.Text)
		return err
	case *parse.ActionNode:
		return f.action(dot, n)
	case *parse.IfNode:
		return f.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return f.branch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		return f.loop(dot, n)
	case *parse.TemplateNode:
		var data reflect.Value
		if n.Pipe != nil {
			var err error
			if data, err = f.pipe(dot, n.Pipe); err != nil {
				return err
			}
		}
		return f.template(f.set.trees[n.Name], data)
	default:
		return f.errorAt(n, errors.New("it is not supported"))
	}
}

func (f *frame) action(dot reflect.Value, n *parse.ActionNode) error {
	v, err := f.pipe(dot, n.Pipe)
	if err != nil || len(n.Pipe.Decl) > 0 {
		return err
	}
	text, err := f.set.places[n].write(v)
	if err != nil {
		return f.errorAt(n, err)
	}
	_, err = f.out.WriteString(text)
	return err
}

// branch executes an if action, or a with action if with is set.
func (f *frame) branch(dot reflect.Value, n *parse.BranchNode, with bool) error {
	defer f.leave(len(f.variables))
	v, err := f.pipe(dot, n.Pipe)
	if err != nil {
		return err
	}
	if !isTrue(v) {
		return f.list(dot, n.ElseList)
	}
	if with {
		dot = v
	}
	return f.list(dot, n.List)
}

// leave removes the variables of a block. count is the number of variables before the block.
func (f *frame) leave(count int) { f.variables = f.variables[:count] }

func (f *frame) loop(dot reflect.Value, n *parse.RangeNode) error {
	defer f.leave(len(f.variables))
	v, err := f.pipe(dot, n.Pipe)
	if err != nil {
		return err
	}
	inside := len(f.variables)
	round := func(key, value reflect.Value) error {
		defer f.leave(inside)
		switch decl := n.Pipe.Decl; len(decl) {
		case 1:
			f.variables[inside-1].value = value
		case 2:
			f.variables[inside-2].value, f.variables[inside-1].value = key, value
		}
		return f.list(value, n.List)
	}
	v = indirect(v)
	count := 0
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.Slice, reflect.Array:
		for count < v.Len() {
			if err := round(reflect.ValueOf(count), v.Index(count)); err != nil {
				return err
			}
			count++
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		for _, key := range keys {
			if err := round(key, v.MapIndex(key)); err != nil {
				return err
			}
			count++
		}
	default:
		return f.errorAt(n, fmt.Errorf("range over %v: expected a slice, an array or a map", v.Type()))
	}
	if count == 0 {
		return f.list(dot, n.ElseList)
	}
	return nil
}

// compareKeys compares two keys of a map for sorting: numbers by value, all others by their text.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	default:
		return cmp.Compare(fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()))
	}
}

// isTrue reports whether a value is not empty, as in text/template. A struct is never empty.
func isTrue(v reflect.Value) bool {
	v = concrete(v)
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map, reflect.Array, reflect.String, reflect.Chan:
		return v.Len() > 0
	case reflect.Struct:
		return true
	default:
		return !v.IsZero()
	}
}

// concrete returns the value in an interface.
func concrete(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// indirect follows interfaces and pointers. For nil it returns the invalid value.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}
