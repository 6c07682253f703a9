package directive

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/schema"
)

// A Type is a directive type of an app.
type Type struct {
	Name        string // 1 to 64 letters, digits, '_', '-' and '.'
	Description string // for the model: when to use the directive
	// Schema is the JSON Schema of the payload. nil means no payload; directives then have an empty object.
	Schema json.RawMessage

	err error // error of TypeOf, returned by NewRegistry
}

// TypeOf returns a Type whose payload is a Go value of type T, with the schema of [schema.For]. If T has no schema,
// NewRegistry returns the error.
func TypeOf[T any](name, description string) Type {
	t := Type{Name: name, Description: description}
	t.Schema, t.err = schema.For[T]()
	return t
}

// A Directive is an instruction to the app. This package does not execute it.
type Directive struct {
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"` // valid for the schema of the type
}

// Decode unmarshals the payload into the pointer into.
func (d Directive) Decode(into any) error {
	if err := json.Unmarshal(d.Payload, into); err != nil {
		return &callwright.Error{Op: "directive.decode", Kind: callwright.KindInvalid,
			Message: "the payload of " + d.Type + " cannot be read", Err: err}
	}
	return nil
}
