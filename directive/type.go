package directive

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/schema"
)

// A Type is a kind of directive that an app takes.
type Type struct {
	Name        string // up to 64 letters, digits, '_', '-' and '.'
	Description string // tells the model when to write it
	// Schema is the JSON Schema of the payload; nil takes none, and a directive of the type has an empty object.
	Schema json.RawMessage

	err error // why TypeOf could not make it
}

// TypeOf returns a type whose payload is a value of Go, as encoding/json reads it. Its schema is that of T as
// [schema.For] has it. A T that there is no schema of does not panic: NewRegistry tells.
func TypeOf[T any](name, description string) Type {
	t := Type{Name: name, Description: description}
	t.Schema, t.err = schema.For[T]()
	return t
}

// A Directive is an instruction to the app, as data: nothing was done about it.
type Directive struct {
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"` // JSON that satisfies the schema of the type
}

// Decode reads the payload into a value of Go.
func (d Directive) Decode(into any) error {
	if err := json.Unmarshal(d.Payload, into); err != nil {
		return &callwright.Error{Op: "directive.decode", Kind: callwright.KindInvalid,
			Message: "the payload of " + d.Type + " cannot be read", Err: err}
	}
	return nil
}
