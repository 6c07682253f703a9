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

// A Describer is a type that defines its own JSON Schema, for example a string type with an enum. JSONSchema is called
// on the zero value.
type Describer interface {
	JSONSchema() json.RawMessage
}

// For returns the JSON Schema of the Go type T according to encoding/json, for tool arguments and for structured
// responses. Struct properties are in field order, with the fields of embedded structs inserted. The tag
// jsonschema:"..." is the description of a field; it must not be empty or begin with WORD=. Fields are required unless
// they are pointers, belong to an embedded pointer, or have omitempty or omitzero. Structs have additionalProperties
// false. null is allowed only for pointers in slices and maps.
//
// A type with JSON methods accepts any value. A type with text methods is a string. Some types of the standard
// library, such as time.Time, have specific schemas. A [Describer] supplies its schema itself. A recursive type, or a
// type that JSON cannot represent, gives a *[CompileError] with the position.
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

// An inference generates the schema of a Go type.
type inference struct {
	out     []byte
	holders map[reflect.Type]bool // the enclosing types, to detect recursion
}

// known maps types to the beginning of their schema if it differs from the general rules.
var known = map[reflect.Type]string{
	reflect.TypeFor[time.Time]():       `{"type":"string","format":"date-time"`,
	reflect.TypeFor[json.Number]():     `{"type":"number"`,
	reflect.TypeFor[json.RawMessage](): `{`,
	reflect.TypeFor[big.Int]():         `{"type":"integer"`,
	reflect.TypeFor[[]byte]():          `{"type":"string","contentEncoding":"base64"`,
}

// scalars maps simple kinds to the beginning of their schema.
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

// value appends the schema of type t. at is its JSON pointer in the generated schema, for errors.
func (w *inference) value(t reflect.Type, at string) error {
	if err := w.open(t, at); err != nil {
		return err
	}
	w.out = append(w.out, '}')
	return nil
}

// open appends the schema of type t without its closing brace.
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

// whole appends the schema of a pointer, struct, slice, array or map without its closing brace.
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
			return &CompileError{Path: at, Reason: "a map by " + t.Key().String() + " cannot be represented in JSON"}
		}
		w.out = append(w.out, `{"type":"object","additionalProperties":`...)
		return w.value(t.Elem(), at+"/additionalProperties")
	}
	return &CompileError{Path: at, Reason: "the type " + t.String() + " cannot be represented in JSON"}
}

// nullable appends the schema of a value of type t or null, without its closing brace.
func (w *inference) nullable(t reflect.Type, at string) error {
	w.out = append(w.out, `{"anyOf":[`...)
	if err := w.value(t, at+"/anyOf/0"); err != nil {
		return err
	}
	w.out = append(w.out, `,{"type":"null"}]`...)
	return nil
}

// object appends the schema of a struct, without its closing brace.
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

// misread matches descriptions that github.com/google/jsonschema-go rejects, because it reserves a leading WORD= for
// options.
var misread = regexp.MustCompile(`^[^ \t\n]*=`)

// field appends the schema of a struct field, with its description.
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

// describes reports whether t is a Describer.
func describes(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[Describer]())
}

// writeOwnSchema appends the schema that the Describer t returns, without its closing brace.
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

// isKey reports whether encoding/json accepts t as the key type of a map.
func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
