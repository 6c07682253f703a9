package htmltemplate

import (
	"errors"
	"fmt"
	"reflect"
	"text/template/parse"
)

// pipe returns the value of a pipeline and sets its variables.
func (f *frame) pipe(dot reflect.Value, p *parse.PipeNode) (v reflect.Value, err error) {
	var last []reflect.Value
	for _, c := range p.Cmds {
		if v, err = f.command(dot, c, last); err != nil {
			return v, err
		}
		last = []reflect.Value{v}
	}
	for _, d := range p.Decl {
		if !p.IsAssign {
			f.variables = append(f.variables, variable{d.Ident[0], v})
			continue
		}
		for i := len(f.variables) - 1; i >= 0; i-- {
			if f.variables[i].name == d.Ident[0] {
				f.variables[i].value = v
				break
			}
		}
	}
	return v, nil
}

// command returns the value of a command. last has the value of the previous command in a pipeline, which becomes the
// last argument.
func (f *frame) command(dot reflect.Value, c *parse.CommandNode, last []reflect.Value) (reflect.Value, error) {
	first, rest := c.Args[0], c.Args[1:]
	if name, ok := first.(*parse.IdentifierNode); ok && (name.Ident == "and" || name.Ident == "or") {
		return f.logic(dot, name.Ident == "and", rest, last)
	}
	args := make([]reflect.Value, 0, len(rest)+len(last))
	for _, n := range rest {
		v, err := f.operand(dot, n)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	args = append(args, last...)
	var v reflect.Value
	var err error
	switch n := first.(type) {
	case *parse.IdentifierNode:
		if builtin, ok := builtins[n.Ident]; ok && !f.set.funcs[n.Ident].IsValid() {
			v, err = builtin(args)
		} else {
			v, err = call(f.set.funcs[n.Ident], args)
		}
	case *parse.FieldNode:
		v, err = f.fields(dot, n.Ident, args)
	case *parse.VariableNode:
		v, err = f.fields(f.variable(n.Ident[0]), n.Ident[1:], args)
	case *parse.ChainNode:
		if v, err = f.operand(dot, n.Node); err == nil {
			v, err = f.fields(v, n.Field, args)
		}
	default:
		if len(args) > 0 {
			err = errors.New("it is no function and has arguments")
		} else {
			v, err = f.operand(dot, n)
		}
	}
	if err != nil {
		return v, f.errorAt(c, err)
	}
	return v, nil
}

// logic implements and, or: it returns the first argument that decides the result, or the last one. Later arguments are
// not evaluated. last has the value of the previous command in a pipeline, which is the last argument.
func (f *frame) logic(dot reflect.Value, and bool, args []parse.Node, last []reflect.Value) (v reflect.Value, err error) {
	for _, n := range args {
		if v, err = f.operand(dot, n); err != nil || isTrue(v) != and {
			return v, err
		}
	}
	if len(last) > 0 {
		v = last[0]
	}
	return v, nil
}

// operand returns the value of an argument.
func (f *frame) operand(dot reflect.Value, n parse.Node) (v reflect.Value, err error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return v, nil
	case *parse.BoolNode:
		return reflect.ValueOf(n.True), nil
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), nil
	case *parse.NumberNode:
		if n.IsInt {
			return reflect.ValueOf(int(n.Int64)), nil
		}
		if n.IsFloat {
			return reflect.ValueOf(n.Float64), nil
		}
		err = errors.New("expected an integer or a decimal number")
	case *parse.PipeNode:
		return f.pipe(dot, n)
	case *parse.FieldNode:
		v, err = f.fields(dot, n.Ident, nil)
	case *parse.VariableNode:
		v, err = f.fields(f.variable(n.Ident[0]), n.Ident[1:], nil)
	case *parse.ChainNode:
		if v, err = f.operand(dot, n.Node); err == nil {
			v, err = f.fields(v, n.Field, nil)
		}
	case *parse.IdentifierNode:
		return f.command(dot, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{n}}, nil)
	default:
		err = errors.New("it is not supported")
	}
	if err != nil {
		return v, f.errorAt(n, err)
	}
	return v, nil
}

// variable returns the value of a variable. The parser has checked that it exists.
func (f *frame) variable(name string) reflect.Value {
	for i := len(f.variables) - 1; i >= 0; i-- {
		if f.variables[i].name == name {
			return f.variables[i].value
		}
	}
	return reflect.Value{}
}

// fields evaluates a chain of fields and methods. args are the arguments of the last.
func (f *frame) fields(v reflect.Value, names []string, args []reflect.Value) (reflect.Value, error) {
	if len(names) == 0 && len(args) > 0 {
		return v, errors.New("it is no function and has arguments")
	}
	for i, name := range names {
		var with []reflect.Value
		if i == len(names)-1 {
			with = args
		}
		var err error
		if v, err = f.set.field(v, name, with); err != nil {
			return v, err
		}
	}
	return v, nil
}

// call calls a function with converted arguments. A wrong number of arguments and a panic of the function are errors.
func call(f reflect.Value, args []reflect.Value) (v reflect.Value, err error) {
	t := f.Type()
	count := t.NumIn()
	if t.IsVariadic() && len(args) < count-1 || !t.IsVariadic() && len(args) != count {
		return v, fmt.Errorf("%d arguments for %v", len(args), t)
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		var want reflect.Type
		if t.IsVariadic() && i >= count-1 {
			want = t.In(count - 1).Elem()
		} else {
			want = t.In(i)
		}
		if in[i], err = convert(a, want); err != nil {
			return v, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	out := f.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return out[0], out[1].Interface().(error)
	}
	return out[0], nil
}

// convert converts a value to another type. It supports assignable values, dereferenced pointers, pointers to values,
// convertible values of the same kind, and signed integers as other signed integers or floats. nil becomes the zero
// value.
func convert(v reflect.Value, want reflect.Type) (reflect.Value, error) {
	if !v.IsValid() {
		switch want.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
			return reflect.Zero(want), nil
		}
		return v, fmt.Errorf("nothing, where %v is expected", want)
	}
	if v.Type().AssignableTo(want) {
		return v, nil
	}
	if v.Kind() == reflect.Interface {
		return convert(v.Elem(), want)
	}
	if v.Kind() == reflect.Pointer && v.Type().Elem().AssignableTo(want) && !v.IsNil() {
		return v.Elem(), nil
	}
	if reflect.PointerTo(v.Type()).AssignableTo(want) {
		if v.CanAddr() {
			return v.Addr(), nil
		}
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return p, nil
	}
	number := v.CanInt() && (reflect.Zero(want).CanInt() || reflect.Zero(want).CanFloat())
	if number || v.Kind() == want.Kind() && v.CanConvert(want) {
		return v.Convert(want), nil
	}
	return v, fmt.Errorf("%v, where %v is expected", v.Type(), want)
}
