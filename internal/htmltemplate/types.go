package htmltemplate

import (
	"fmt"
	"reflect"
	"text/template/parse"
)

// CheckFields returns an error for a field or method that a template, or one that it calls, uses and data of the given
// type lacks. It ignores values of interface types. Tests use it to check branches that no test executes.
func (s *Set) CheckFields(name string, data reflect.Type) error {
	return s.checkTypes(name, data, map[typedCall]bool{})
}

// A typedCall is a template with the type of its data.
type typedCall struct {
	name string
	data reflect.Type
}

func (s *Set) checkTypes(name string, data reflect.Type, seen map[typedCall]bool) error {
	if seen[typedCall{name, data}] {
		return nil
	}
	seen[typedCall{name, data}] = true
	tree := s.trees[name]
	if tree == nil {
		return fmt.Errorf("there is no template %q", name)
	}
	t := &typer{set: s, tree: tree, seen: seen, types: map[string]reflect.Type{"$": data}}
	return t.list(data, tree.Root)
}

// A typer infers the types in a template. An unknown type is nil.
type typer struct {
	set   *Set
	tree  *parse.Tree
	seen  map[typedCall]bool
	types map[string]reflect.Type // types of variables
}

func (t *typer) list(dot reflect.Type, list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		if err := t.node(dot, n); err != nil {
			return err
		}
	}
	return nil
}

func (t *typer) node(dot reflect.Type, n parse.Node) error {
	switch n := n.(type) {
	case *parse.ActionNode:
		_, err := t.pipe(dot, n.Pipe)
		return err
	case *parse.IfNode:
		return t.branch(dot, &n.BranchNode, func(reflect.Type) reflect.Type { return dot })
	case *parse.WithNode:
		return t.branch(dot, &n.BranchNode, func(of reflect.Type) reflect.Type { return of })
	case *parse.RangeNode:
		return t.branch(dot, &n.BranchNode, elementOf)
	case *parse.TemplateNode:
		var data reflect.Type
		if n.Pipe != nil {
			var err error
			if data, err = t.pipe(dot, n.Pipe); err != nil {
				return err
			}
		}
		return t.set.checkTypes(n.Name, data, t.seen)
	default:
		return nil
	}
}

// branch checks both lists of a branch. inside returns the type of the dot in the first list for the type of the
// pipeline.
func (t *typer) branch(dot reflect.Type, n *parse.BranchNode, inside func(reflect.Type) reflect.Type) error {
	of, err := t.pipe(dot, n.Pipe)
	if err != nil {
		return err
	}
	if n.NodeType == parse.NodeRange {
		decl := n.Pipe.Decl
		for i, d := range decl {
			t.types[d.Ident[0]] = keyOf(of)
			if i == len(decl)-1 {
				t.types[d.Ident[0]] = elementOf(of)
			}
		}
	}
	if err := t.list(inside(of), n.List); err != nil {
		return err
	}
	return t.list(dot, n.ElseList)
}

// pointee returns a type without its pointers: T for *T and **T. It returns nil for nil.
func pointee(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// elementOf returns the type of the elements of a range over a type, nil if unknown.
func elementOf(t reflect.Type) reflect.Type {
	if t = pointee(t); t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return t.Elem()
	default:
		return nil
	}
}

func keyOf(t reflect.Type) reflect.Type {
	if t = pointee(t); t != nil && t.Kind() == reflect.Map {
		return t.Key()
	}
	return reflect.TypeFor[int]()
}

// pipe returns the type of a pipeline and checks all fields in it.
func (t *typer) pipe(dot reflect.Type, p *parse.PipeNode) (of reflect.Type, err error) {
	for _, c := range p.Cmds {
		for i := len(c.Args) - 1; i >= 0; i-- {
			if of, err = t.operand(dot, c.Args[i]); err != nil {
				return nil, err
			}
		}
		if name, ok := c.Args[0].(*parse.IdentifierNode); ok && name.Ident == "index" && len(c.Args) > 1 {
			if of, err = t.operand(dot, c.Args[1]); err != nil {
				return nil, err
			}
			for range c.Args[2:] {
				of = elementOf(of)
			}
		}
	}
	for _, d := range p.Decl {
		t.types[d.Ident[0]] = of
	}
	return of, nil
}

func (t *typer) operand(dot reflect.Type, n parse.Node) (reflect.Type, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.StringNode:
		return reflect.TypeFor[string](), nil
	case *parse.PipeNode:
		return t.pipe(dot, n)
	case *parse.FieldNode:
		return t.fields(n, dot, n.Ident)
	case *parse.VariableNode:
		return t.fields(n, t.types[n.Ident[0]], n.Ident[1:])
	case *parse.ChainNode:
		of, err := t.operand(dot, n.Node)
		if err != nil {
			return nil, err
		}
		return t.fields(n, of, n.Field)
	case *parse.IdentifierNode:
		if f, ok := t.set.funcs[n.Ident]; ok {
			return f.Type().Out(0), nil
		}
		return nil, nil
	default:
		return nil, nil
	}
}

func (t *typer) fields(n parse.Node, of reflect.Type, names []string) (reflect.Type, error) {
	for _, name := range names {
		owner := pointee(of)
		if owner == nil || owner.Kind() == reflect.Interface {
			return nil, nil
		}
		m := t.set.member(owner, name)
		switch {
		case m == nil && owner.Kind() == reflect.Map:
			of = owner.Elem()
		case m == nil:
			at, what := t.tree.ErrorContext(n)
			return nil, fmt.Errorf("template %s: %s: %v has no field and no method %s that templates were given", at, what, owner, name)
		case m.method.IsValid():
			of = m.method.Type().Out(0)
		default:
			of = owner.FieldByIndex(m.path).Type
		}
	}
	return of, nil
}
