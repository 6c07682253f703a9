package config

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/callwright/callwright/internal/config/internal/foreignkey"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/goccy/go-yaml/ast"
)

// unknown says that a name means nothing: which one is like it, or, where none is, which ones there are.
func unknown(what, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s %q: did you mean %s?", what, name, near)
	}
	return fmt.Errorf("unknown %s %q: expected %s", what, name, spelling.Or(names))
}

// Nearest returns the one of the names that a person may have meant by a name that is not among them, "" where none is
// near enough. It is for messages: nothing may be done by it.
func Nearest(name string, names []string) string { return spelling.Nearest(name, names) }

// objects are the objects whose keys may stand in the words of another program, by the paths of those words.
var objects = map[reflect.Type]string{
	reflect.TypeFor[Config](): "", reflect.TypeFor[Provider](): "providers.NAME", reflect.TypeFor[Model](): "models.NAME",
	reflect.TypeFor[AccessKey](): "keys[]",
}

// unknownKey says that an object has no such key: which key of ours another program's is, where the key stands, or
// which names the object has.
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

// ofOtherProgram returns the error for a whole file of another program, nil for any other file.
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
		Message: "this is a configuration of " + program + ": `callwright config import FILE` turns it into ours"}
}
