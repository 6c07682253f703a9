package htmltemplate

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"sync"
	"text/template/parse"
)

// HTML is markup that is written without escaping. Values in it must already be escaped.
type HTML string

// Funcs are the functions of templates by name. A function returns a value, or a value and an error.
type Funcs map[string]any

// A Method is a method that templates can call: its name, and the method expression, such as (*url.URL).Hostname.
type Method struct {
	Name string
	Expr any
}

// A Text is the source of templates. Text outside define actions is the template Name.
type Text struct{ Name, Source string }

// A Set is a set of templates that can call each other. It is safe for concurrent use.
type Set struct {
	trees   map[string]*parse.Tree
	places  map[*parse.ActionNode]place
	funcs   map[string]reflect.Value
	methods map[reflect.Type]map[string]reflect.Value // by receiver type and name
	members sync.Map                                  // memberKey to *member
}

// Parse parses templates. It returns an error with the template and line if the syntax is invalid or a value is in a
// place where it cannot be escaped safely.
func Parse(funcs Funcs, methods []Method, texts ...Text) (*Set, error) {
	s := &Set{trees: map[string]*parse.Tree{}, places: map[*parse.ActionNode]place{}, funcs: map[string]reflect.Value{},
		methods: map[reflect.Type]map[string]reflect.Value{}}
	for name, f := range funcs {
		v := reflect.ValueOf(f)
		if err := checkFunc(v); err != nil {
			return nil, fmt.Errorf("function %s: %w", name, err)
		}
		s.funcs[name] = v
	}
	for _, m := range methods {
		if err := s.addMethod(m); err != nil {
			return nil, fmt.Errorf("method %s: %w", m.Name, err)
		}
	}
	for _, t := range texts {
		trees, err := parse.Parse(t.Name, t.Source, "", "", builtinNames, funcs)
		if err != nil {
			return nil, err
		}
		for name, tree := range trees {
			if s.trees[name] != nil {
				return nil, fmt.Errorf("template %s: %q is defined twice", t.Name, name)
			}
			s.trees[name] = tree
		}
	}
	for _, tree := range s.trees {
		if err := s.checkTree(tree); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// MustParse is like Parse for embedded templates. It panics if Parse returns an error.
func MustParse(funcs Funcs, methods []Method, texts ...Text) *Set {
	s, err := Parse(funcs, methods, texts...)
	if err != nil {
		panic("htmltemplate: " + err.Error())
	}
	return s
}

// checkFunc returns an error for a function that templates cannot call.
func checkFunc(f reflect.Value) error {
	if f.Kind() != reflect.Func {
		return fmt.Errorf("expected a function, got %v", f.Kind())
	}
	t := f.Type()
	if n := t.NumOut(); n < 1 || n > 2 || n == 2 && t.Out(1) != reflect.TypeFor[error]() {
		return fmt.Errorf("expected a value, or a value and an error, as results of %v", t)
	}
	return nil
}

func (s *Set) addMethod(m Method) error {
	f := reflect.ValueOf(m.Expr)
	if err := checkFunc(f); err != nil {
		return err
	}
	if f.Type().NumIn() == 0 {
		return fmt.Errorf("expected a method expression, got %v", f.Type())
	}
	receiver := f.Type().In(0)
	if s.methods[receiver] == nil {
		s.methods[receiver] = map[string]reflect.Value{}
	}
	s.methods[receiver][m.Name] = f
	return nil
}

// Execute writes the template with a name. After an error, a part of the output may have been written.
func (s *Set) Execute(w io.Writer, name string, data any) error {
	tree := s.trees[name]
	if tree == nil {
		return fmt.Errorf("there is no template %q", name)
	}
	out := bufio.NewWriter(w)
	r := &run{set: s, out: out}
	if err := r.template(tree, reflect.ValueOf(data)); err != nil {
		return err
	}
	return out.Flush()
}
