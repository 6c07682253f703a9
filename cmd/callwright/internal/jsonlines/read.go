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

// Read decodes a line into a struct. The error names the expected type of a wrong member.
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

// Members returns the JSON member names of the struct T.
func Members[T any]() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("json"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// kindName returns the JSON type for a Go type, such as "a list".
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

// CheckSlips returns an error for a member that is not in known but similar to one that is.
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
