package directive

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/directive/internal/answer"
	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// maxName is the maximum length of a type name.
const maxName = 64

// noPayload is the schema of a type without payload: an empty object.
const noPayload = `{"type":"object","properties":{},"additionalProperties":false}`

// A Registry has the directive types of an app. It is immutable and safe for concurrent use.
type Registry struct {
	types    []Type
	schemas  map[string]*schema.Schema // payload schemas by type name
	names    *dialect.Names
	document json.RawMessage
	open     bool // a payload schema permits arbitrary keys
	full     string
	brief    string
}

// NewRegistry returns a Registry of the types. It returns an error if there is no type, if a name is invalid or
// duplicate, or if a schema does not compile.
func NewRegistry(types ...Type) (*Registry, error) {
	if len(types) == 0 {
		return nil, callwright.Errorf("directive.registry", callwright.KindInvalid, "", "expected at least one type")
	}
	r := &Registry{types: slices.Clone(types), schemas: map[string]*schema.Schema{}}
	var names []string
	for _, t := range types {
		compiled, err := r.check(t)
		if err != nil {
			return nil, err
		}
		r.schemas[t.Name] = compiled
		r.open = r.open || compose.HasOpenObject(t.Schema)
		names = append(names, t.Name)
	}
	r.names = dialect.NewNames(names)
	r.document = r.documentSchema()
	r.full, r.brief = r.instructions(true), r.instructions(false)
	return r, nil
}

// check validates a type and compiles its schema.
func (r *Registry) check(t Type) (*schema.Schema, error) {
	bad := func(kind callwright.Kind, err error) error {
		return &callwright.Error{Op: "directive.registry", Kind: kind, Message: "the type " + strconv.Quote(callwright.Excerpt(t.Name)), Err: err}
	}
	switch {
	case t.Name == "" || len(t.Name) > maxName || strings.ContainsFunc(t.Name, notOfName):
		return nil, bad(callwright.KindInvalid, errors.New("expected a name of 1 to "+strconv.Itoa(maxName)+" letters, digits, '_', '-' and '.'"))
	case r.schemas[t.Name] != nil:
		return nil, bad(callwright.KindInvalid, errors.New("another type has the same name"))
	case t.err != nil:
		return nil, bad(callwright.KindSchema, t.err)
	}
	compiled, err := schema.Compile(t.payload())
	if err != nil {
		return nil, bad(callwright.KindSchema, err)
	}
	return compiled, nil
}

func notOfName(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' && c != '.'
}

// payload returns the JSON Schema of the type's payload.
func (t *Type) payload() []byte {
	if len(t.Schema) == 0 {
		return []byte(noPayload)
	}
	return t.Schema
}

// Types returns a new slice of the types, in the given order.
func (r *Registry) Types() []Type { return slices.Clone(r.types) }

// Schema returns the JSON Schema of the document. The caller must not modify it.
func (r *Registry) Schema() json.RawMessage { return r.document }

// Instructions returns the prompt for a model without a JSON mode: the format of the document, and a line for each
// type with its payload schema.
func (r *Registry) Instructions() string { return r.full }

// documentSchema returns the schema of the document, with one anyOf branch for each type.
func (r *Registry) documentSchema() json.RawMessage {
	var defs compose.Definitions
	out := []byte(`{"type":"object","properties":{"assistant_text":{"type":"string","description":"What the user reads."},` +
		`"directives":{"type":"array","description":"What the app is to do, in this order; empty for nothing.","items":{"anyOf":[`)
	for i := range r.types {
		t := &r.types[i]
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"type":"object",`...)
		if t.Description != "" {
			out = append(jsonx.AppendQuote(append(out, `"description":`...), t.Description), ',')
		}
		out = jsonx.AppendQuote(append(out, `"properties":{"type":{"type":"string","const":`...), t.Name)
		out = append(append(out, `},"payload":`...), defs.Embed(t.payload(), "t"+strconv.Itoa(i)+"_")...)
		out = append(out, `},"required":["type","payload"],"additionalProperties":false}`...)
	}
	out = append(out, `]}}},"required":["assistant_text","directives"],"additionalProperties":false`...)
	return append(defs.Append(out), '}')
}

// instructions returns the prompt that describes the document. If full is set, it includes the payload schemas.
// Otherwise the model receives the schemas in the response format.
func (r *Registry) instructions(full bool) string {
	var b strings.Builder
	b.WriteString("Write your answer as one JSON object and nothing else: no code fence, no text around it.\n" +
		`{"assistant_text": "what the user reads", "directives": [{"type": "TYPE", "payload": {}}]}` + "\n" +
		`"assistant_text" comes first. "directives" tell the app what to do, in this order; the list is empty where there is nothing to do. ` +
		"They are no tools: where there are tools, they are called as usual, beside such an object or without one. The types of directives:\n")
	for i := range r.types {
		t := &r.types[i]
		b.WriteString("- " + t.Name)
		if t.Description != "" {
			b.WriteString(": " + strings.Join(strings.Fields(t.Description), " "))
		}
		switch {
		case len(t.Schema) == 0:
			b.WriteString(" (payload: {})")
		case full:
			b.WriteString("\n  payload: ")
			b.Write(jsonx.Compact(nil, t.Schema))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// isDirective reports whether the member "type" of obj names a type of the registry.
func (r *Registry) isDirective(obj []byte) bool {
	name, _ := jsonx.Find(obj, answer.TypeMember)
	return r.schemas[jsonx.TextOf(name)] != nil
}
