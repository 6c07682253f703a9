package config

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/callwright/callwright/internal/config/internal/foreignkey"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/goccy/go-yaml/ast"
)

// unknown returns the error for an unknown name. It suggests the nearest of names, or lists all names if none is near.
// subject is the kind of the name, such as "provider".
func unknown(subject, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s %q: did you mean %s?", subject, name, near)
	}
	return fmt.Errorf("unknown %s %q: expected %s", subject, name, spelling.Or(names))
}

// Nearest returns the element of names that most resembles a misspelt name, or "" if none does. It is only for messages
// to people.
func Nearest(name string, names []string) string { return spelling.Nearest(name, names) }

// objects maps the types of objects that may contain keys of other programs to their paths.
var objects = map[reflect.Type]string{
	reflect.TypeFor[Config](): "", reflect.TypeFor[Provider](): "providers.NAME", reflect.TypeFor[Model](): "models.NAME",
	reflect.TypeFor[AccessKey](): "keys[]",
}

// unknownKey returns the error for an unknown key of an object. It names the equivalent of another program's key, the
// object to which the key belongs, or the keys that the object permits.
func unknownKey(key string, object reflect.Type, names []string) error {
	below, ok := objects[object]
	if !ok {
		return unknown("key", key, names)
	}
	if text, ok := foreignkey.Advice(key, below, names); ok {
		return errors.New(text)
	}
	for _, other := range []reflect.Type{reflect.TypeFor[Model](), reflect.TypeFor[Provider]()} {
		if k, ok := keysOf(other).find(key); ok {
			return fmt.Errorf("unknown key %q: did you mean %s.%s?", key, objects[other], k.name)
		}
	}
	return unknown("key", key, names)
}

// ofOtherProgram returns an error if the whole file is the configuration of another program, such as LiteLLM, else nil.
func ofOtherProgram(body ast.Node) *Error {
	var keys []string
	var at position
	for i, m := range (&decoder{}).members(location{node: body}) {
		if keys = append(keys, m.key); i == 0 {
			at = positionOf(m.name)
		}
	}
	program := foreignkey.Program(keys)
	if program == "" {
		return nil
	}
	return &Error{Line: at.line, Column: at.column,
		Message: "this is a configuration of " + program + ": convert it with `callwright config import FILE`"}
}
