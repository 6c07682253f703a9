package jsonlines

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
)

// Read reads a line into a struct. Its error describes the expected members.
func Read(line []byte, into any) error {
	if err := jsonx.Valid(line); err != nil {
		return err
	}
	err := json.Unmarshal(line, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("expected an object, got %s", wrong.Value)
		}
		return fmt.Errorf("member %q: expected %s, got %s", wrong.Field, kindName(wrong.Type), wrong.Value)
	}
	return err
}

// Members returns the members that a line of a struct may have.
func Members[T any]() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("json"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// kindName is the expected type of a member, in the words of JSON.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	case reflect.Bool:
		return "true or false"
	}
	return "a string"
}

// CheckSlips refuses members that are none of those that are known and look like a slip of one.
func CheckSlips(line []byte, known []string) error {
	for k := range jsonx.Members(line) {
		if name := k.String(); !slices.Contains(known, name) {
			if near := config.Nearest(name, known); near != "" {
				return fmt.Errorf("unknown member %q: did you mean %q?", name, near)
			}
		}
	}
	return nil
}
