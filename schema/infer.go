package schema

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Describer is a type that says its own schema, such as a string that is one of a few words. It is asked on its zero
// value.
type Describer interface {
	JSONSchema() json.RawMessage
}

// For returns the JSON Schema of a Go type as encoding/json reads it, for the arguments of a tool and for answers that
// a model writes. The properties of a struct are in the order of its fields, those of embedded structs in their place.
// A tag jsonschema:"..." is the description of a field; it must not be empty or begin with WORD=. All fields are
// required but pointers, fields of embedded pointers, and fields marked omitempty or omitzero. A struct has no other
// members. Null is allowed for pointers in slices and maps alone.
//
// A type with JSON methods of its own may have any value. A type with text methods of its own is a string. Known types
// of the standard library are exceptions. The schema of a [Describer] is its own description. A recursive type and a
// type without a form in JSON are errors: a *[CompileError] with the place.
func For[T any]() (json.RawMessage, error) {
	w := inference{holders: map[reflect.Type]bool{}}
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer && t.Name() == "" && !describes(t) {
		t = t.Elem()
	}
	if err := w.value(t, ""); err != nil {
		return nil, err
	}
	return w.out, nil
}

// An inference writes the schema of a type.
type inference struct {
	out     []byte
	holders map[reflect.Type]bool // the types that the one at hand is part of
}

// known are the types whose JSON differs from the form that their kind and methods suggest.
var known = map[reflect.Type]string{
	reflect.TypeFor[time.Time]():       `{"type":"string","format":"date-time"`,
	reflect.TypeFor[json.Number]():     `{"type":"number"`,
	reflect.TypeFor[json.RawMessage](): `{`,
	reflect.TypeFor[big.Int]():         `{"type":"integer"`,
	reflect.TypeFor[[]byte]():          `{"type":"string","contentEncoding":"base64"`,
}

// scalars are the kinds without parts.
var scalars = map[reflect.Kind]string{
	reflect.Bool: `{"type":"boolean"`, reflect.String: `{"type":"string"`, reflect.Interface: `{`,
	reflect.Int: `{"type":"integer"`, reflect.Int64: `{"type":"integer"`,
	reflect.Int8:  `{"type":"integer","minimum":-128,"maximum":127`,
	reflect.Int16: `{"type":"integer","minimum":-32768,"maximum":32767`,
	reflect.Int32: `{"type":"integer","minimum":-2147483648,"maximum":2147483647`,
	reflect.Uint:  `{"type":"integer","minimum":0`, reflect.Uint64: `{"type":"integer","minimum":0`,
	reflect.Uintptr: `{"type":"integer","minimum":0`,
	reflect.Uint8:   `{"type":"integer","minimum":0,"maximum":255`,
	reflect.Uint16:  `{"type":"integer","minimum":0,"maximum":65535`,
	reflect.Uint32:  `{"type":"integer","minimum":0,"maximum":4294967295`,
	reflect.Float32: `{"type":"number"`, reflect.Float64: `{"type":"number"`,
}

// value writes the schema of a type, whose place is a JSON pointer into the schema.
func (w *inference) value(t reflect.Type, at string) error {
	if err := w.open(t, at); err != nil {
		return err
	}
	w.out = append(w.out, '}')
	return nil
}

// open writes the schema of a type without its closing brace.
func (w *inference) open(t reflect.Type, at string) error {
	if describes(t) {
		return w.writeOwnSchema(t, at)
	}
	if head, ok := known[t]; ok {
		w.out = append(w.out, head...)
		return nil
	}
	switch {
	case t.Kind() == reflect.Interface:
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		w.out = append(w.out, '{')
		return nil
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		w.out = append(w.out, scalars[reflect.String]...)
		return nil
	}
	if head, ok := scalars[t.Kind()]; ok {
		w.out = append(w.out, head...)
		return nil
	}
	if t.Name() != "" {
		if w.holders[t] {
			return &CompileError{Path: at, Reason: "the type " + t.String() + " holds itself"}
		}
		w.holders[t] = true
		defer delete(w.holders, t)
	}
	return w.whole(t, at)
}

// whole writes the schema of a type with parts.
func (w *inference) whole(t reflect.Type, at string) error {
	switch t.Kind() {
	case reflect.Pointer:
		return w.nullable(t.Elem(), at)
	case reflect.Struct:
		return w.object(t, at)
	case reflect.Slice, reflect.Array:
		w.out = append(w.out, `{"type":"array"`...)
		if t.Kind() == reflect.Array {
			n := strconv.Itoa(t.Len())
			w.out = append(w.out, `,"minItems":`+n+`,"maxItems":`+n...)
		}
		w.out = append(w.out, `,"items":`...)
		return w.value(t.Elem(), at+"/items")
	case reflect.Map:
		if !isKey(t.Key()) {
			return &CompileError{Path: at, Reason: "a map by " + t.Key().String() + " has no form in JSON"}
		}
		w.out = append(w.out, `{"type":"object","additionalProperties":`...)
		return w.value(t.Elem(), at+"/additionalProperties")
	}
	return &CompileError{Path: at, Reason: "the type " + t.String() + " has no form in JSON"}
}

// nullable writes the schema of a value that may be null.
func (w *inference) nullable(t reflect.Type, at string) error {
	w.out = append(w.out, `{"anyOf":[`...)
	if err := w.value(t, at+"/anyOf/0"); err != nil {
		return err
	}
	w.out = append(w.out, `,{"type":"null"}]`...)
	return nil
}

// object writes the schema of a struct.
func (w *inference) object(t reflect.Type, at string) error {
	w.out = append(w.out, `{"type":"object","properties":{`...)
	var required []byte
	for i, f := range fieldsOf(t) {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(jsonx.AppendQuote(w.out, f.name), ':')
		if err := w.field(f, at+"/properties/"+jsonx.EscapeToken(f.name)); err != nil {
			return err
		}
		if !f.optional {
			required = jsonx.AppendQuote(append(required, ','), f.name)
		}
	}
	w.out = append(w.out, '}')
	if required != nil {
		w.out = append(w.out, `,"required":[`...)
		w.out = append(append(w.out, required[1:]...), ']')
	}
	w.out = append(w.out, `,"additionalProperties":false`...)
	return nil
}

// misread is the beginning of a description that github.com/google/jsonschema-go keeps for a meaning of its own.
var misread = regexp.MustCompile(`^[^ \t\n]*=`)

// field writes the schema of a field, with its description.
func (w *inference) field(f field, at string) error {
	begin := len(w.out)
	var err error
	if f.quoted {
		w.out = append(w.out, scalars[reflect.String]...)
	} else {
		err = w.open(f.of, at)
	}
	text, described := f.tag.Lookup("jsonschema")
	switch {
	case err != nil:
		return err
	case described && (text == "" || misread.MatchString(text)):
		return &CompileError{Path: at, Reason: "expected a description in the tag jsonschema, got " + strconv.Quote(text)}
	case described:
		if len(w.out)-begin > 1 {
			w.out = append(w.out, ',')
		}
		w.out = jsonx.AppendQuote(append(w.out, `"description":`...), text)
	}
	w.out = append(w.out, '}')
	return nil
}

// describes reports whether a type says its own schema.
func describes(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[Describer]())
}

// writeOwnSchema writes the schema that a type says of itself, without its closing brace.
func (w *inference) writeOwnSchema(t reflect.Type, at string) error {
	d, _ := reflect.New(t).Interface().(Describer)
	said := d.JSONSchema()
	if !jsonx.ValidObject(said) {
		return &CompileError{Path: at, Reason: "expected a schema from the type " + t.String() + ", got " + jsonx.KindOf(said).String()}
	}
	s, err := Compile(said)
	if err != nil {
		e, _ := err.(*CompileError)
		return &CompileError{Path: at + e.Path, Reason: e.Reason}
	}
	for _, u := range s.UncheckedParts() {
		if u.Keyword == "type" {
			return &CompileError{Path: at + u.Path, Reason: u.Why}
		}
	}
	out := jsonx.Compact(nil, said)
	w.out = append(w.out, out[:len(out)-1]...)
	return nil
}

// isKey reports whether encoding/json takes a type as that of the names of members.
func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
