package htmltemplate

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
)

// builtins are the functions of all templates, except and and or, which evaluate their arguments one by one.
var builtins = map[string]func([]reflect.Value) (reflect.Value, error){
	"not": func(args []reflect.Value) (v reflect.Value, err error) {
		if len(args) != 1 {
			return v, errors.New("expected one argument")
		}
		return reflect.ValueOf(!isTrue(args[0])), nil
	},
	"len":   length,
	"index": index,
	"print": func(args []reflect.Value) (reflect.Value, error) {
		return reflect.ValueOf(fmt.Sprint(plainValues(args)...)), nil
	},
	"printf": printf,
	"eq":     equalToAny,
	"ne":     comparison(func(order int) bool { return order != 0 }),
	"lt":     comparison(func(order int) bool { return order < 0 }),
	"le":     comparison(func(order int) bool { return order <= 0 }),
	"gt":     comparison(func(order int) bool { return order > 0 }),
	"ge":     comparison(func(order int) bool { return order >= 0 }),
}

// builtinNames contains the names of the functions for the parser.
var builtinNames = func() map[string]any {
	names := map[string]any{"and": true, "or": true}
	for name := range builtins {
		names[name] = true
	}
	return names
}()

func plainValues(args []reflect.Value) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if a.IsValid() {
			out[i] = a.Interface()
		}
	}
	return out
}

func printf(args []reflect.Value) (v reflect.Value, err error) {
	if len(args) == 0 || concrete(args[0]).Kind() != reflect.String {
		return v, errors.New("expected a format")
	}
	return reflect.ValueOf(fmt.Sprintf(concrete(args[0]).String(), plainValues(args[1:])...)), nil
}

func length(args []reflect.Value) (v reflect.Value, err error) {
	if len(args) != 1 {
		return v, errors.New("expected one argument")
	}
	switch v := indirect(args[0]); v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return reflect.ValueOf(v.Len()), nil
	}
	return v, errors.New("expected a list, a map or a text")
}

func index(args []reflect.Value) (v reflect.Value, err error) {
	if len(args) == 0 {
		return v, errors.New("expected a list or a map")
	}
	v = args[0]
	for _, at := range args[1:] {
		v, at = indirect(v), concrete(at)
		switch v.Kind() {
		case reflect.Map:
			if at, err = convert(at, v.Type().Key()); err != nil {
				return v, err
			}
			v = entry(v, at)
		case reflect.Slice, reflect.Array, reflect.String:
			if !at.CanInt() || at.Int() < 0 || at.Int() >= int64(v.Len()) {
				return v, fmt.Errorf("no entry %v in a list of %d", at, v.Len())
			}
			v = v.Index(int(at.Int()))
		default:
			return v, errors.New("expected a list or a map")
		}
	}
	return v, nil
}

// equalToAny reports whether the first argument equals one of the others.
func equalToAny(args []reflect.Value) (v reflect.Value, err error) {
	if len(args) < 2 {
		return v, errors.New("expected two arguments or more")
	}
	for _, b := range args[1:] {
		order, err := compare(args[0], b)
		if err != nil {
			return v, err
		}
		if order == 0 {
			return reflect.ValueOf(true), nil
		}
	}
	return reflect.ValueOf(false), nil
}

// comparison returns a function that compares two arguments. Its result is that of holds for their order: -1, 0 or 1.
func comparison(holds func(order int) bool) func([]reflect.Value) (reflect.Value, error) {
	return func(args []reflect.Value) (v reflect.Value, err error) {
		if len(args) != 2 {
			return v, errors.New("expected two arguments")
		}
		order, err := compare(args[0], args[1])
		return reflect.ValueOf(holds(order)), err
	}
}

// compare returns the order of two numbers, strings or Booleans. Integers may have different types.
func compare(a, b reflect.Value) (int, error) {
	a, b = concrete(a), concrete(b)
	switch {
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String()), nil
	case a.Kind() == reflect.Bool && b.Kind() == reflect.Bool:
		return cmp.Compare(truth(a), truth(b)), nil
	case !a.IsValid() || !b.IsValid():
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int()), nil
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint()), nil
	case a.CanInt() && b.CanUint():
		if a.Int() < 0 {
			return -1, nil
		}
		return cmp.Compare(uint64(a.Int()), b.Uint()), nil
	case a.CanUint() && b.CanInt():
		order, err := compare(b, a)
		return -order, err
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float()), nil
	}
	return 0, fmt.Errorf("values that are not comparable: %s and %s", typeName(a), typeName(b))
}

func truth(v reflect.Value) int {
	if v.Bool() {
		return 1
	}
	return 0
}

func typeName(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	return v.Type().String()
}
