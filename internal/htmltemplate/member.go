package htmltemplate

import (
	"fmt"
	"reflect"
)

// A member is a field or a method of a type, possibly of an embedded struct.
type member struct {
	path   []int         // index path of the field, or of the embedded struct with the method
	method reflect.Value // invalid for a field
}

type memberKey struct {
	owner reflect.Type
	name  string
}

// field returns a field of a struct, an entry of a map, or the result of a method.
func (s *Set) field(v reflect.Value, name string, args []reflect.Value) (reflect.Value, error) {
	v = concrete(v)
	if !v.IsValid() {
		return v, fmt.Errorf("nothing has no %s", name)
	}
	owner := v.Type()
	if owner.Kind() == reflect.Pointer {
		owner = owner.Elem()
	}
	m := s.member(owner, name)
	if m == nil {
		if in := indirect(v); in.Kind() == reflect.Map && in.Type().Key().Kind() == reflect.String && len(args) == 0 {
			return entry(in, reflect.ValueOf(name).Convert(in.Type().Key())), nil
		}
		return v, fmt.Errorf("%v has no field and no method %s that templates were given", owner, name)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, fmt.Errorf("a nil %v has no %s", v.Type(), name)
		}
		v = v.Elem()
	}
	for _, i := range m.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, fmt.Errorf("a nil %v has no %s", v.Type(), name)
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	switch {
	case m.method.IsValid():
		return call(m.method, append([]reflect.Value{v}, args...))
	case len(args) > 0:
		return v, fmt.Errorf("%s is a field and has arguments", name)
	}
	return v, nil
}

// entry returns an entry of a map, the zero value if there is none.
func entry(m, key reflect.Value) reflect.Value {
	if v := m.MapIndex(key); v.IsValid() {
		return v
	}
	return reflect.Zero(m.Type().Elem())
}

// member finds a member by Go's rules: the one at the shallowest depth of embedding. It returns nil if there is none.
func (s *Set) member(owner reflect.Type, name string) *member {
	key := memberKey{owner, name}
	if m, ok := s.members.Load(key); ok {
		return m.(*member)
	}
	m := s.findMember(owner, name)
	s.members.Store(key, m)
	return m
}

func (s *Set) findMember(owner reflect.Type, name string) *member {
	type place struct {
		owner reflect.Type
		path  []int
	}
	seen := map[reflect.Type]bool{}
	for level := []place{{owner, nil}}; len(level) > 0; {
		var below []place
		for _, p := range level {
			if seen[p.owner] {
				continue
			}
			seen[p.owner] = true
			for _, receiver := range []reflect.Type{p.owner, reflect.PointerTo(p.owner)} {
				if method, ok := s.methods[receiver][name]; ok {
					return &member{p.path, method}
				}
			}
			if p.owner.Kind() != reflect.Struct {
				continue
			}
			for i := range p.owner.NumField() {
				f := p.owner.Field(i)
				path := append(p.path[:len(p.path):len(p.path)], i)
				if f.Name == name && f.IsExported() {
					return &member{path: path}
				}
				if f.Anonymous {
					t := f.Type
					if t.Kind() == reflect.Pointer {
						t = t.Elem()
					}
					below = append(below, place{t, path})
				}
			}
		}
		level = below
	}
	return nil
}
