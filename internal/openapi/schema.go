package openapi

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A Schema is a JSON Schema with the keywords that this package uses.
type Schema struct {
	Ref         string   `json:"$ref,omitempty"`
	Type        any      `json:"type,omitempty"` // a type name, or a list of type names
	Format      string   `json:"format,omitempty"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
	MinLength   *int     `json:"minLength,omitempty"`
	MaxLength   *int     `json:"maxLength,omitempty"`
	MaxItems    *int     `json:"maxItems,omitempty"`

	Properties Members   `json:"properties,omitempty"`
	Required   []string  `json:"required,omitempty"`
	Additional any       `json:"additionalProperties,omitempty"` // false, or a *Schema
	MaxMembers *int      `json:"maxProperties,omitempty"`
	Names      *Schema   `json:"propertyNames,omitempty"`
	Items      *Schema   `json:"items,omitempty"`
	AnyOf      []*Schema `json:"anyOf,omitempty"`
}

// Members are the properties of an object, in the order of the struct fields.
type Members []Member

// A Member is one property of an object.
type Member struct {
	Name   string
	Schema *Schema
}

// MarshalJSON encodes the members as a JSON object in their order.
func (m Members) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(one.Name)
		if err != nil {
			return nil, err
		}
		schema, err := json.Marshal(one.Schema)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), schema...)
	}
	return append(out, '}'), nil
}

// Find returns the schema of the member name, or nil if there is none.
func (m Members) Find(name string) *Schema {
	if i := slices.IndexFunc(m, func(o Member) bool { return o.Name == name }); i >= 0 {
		return m[i].Schema
	}
	return nil
}

// A Types generates schemas of Go types. Each struct type becomes a named component.
type Types struct {
	// Enums contains the values of named string types.
	Enums map[reflect.Type][]string
	// Refine adds facts to the schema of a struct type, such as bounds. If it is nil, schemas are not changed.
	Refine func(t reflect.Type, s *Schema)
	// Components are the schemas of struct types, in the order in which Of found them.
	Components Members

	names map[reflect.Type]string
}

const refPrefix = "#/components/schemas/"

// componentOf returns the component that a $ref refers to. It returns nil if s has no $ref.
func (c *Types) componentOf(s *Schema) *Schema {
	name, ok := strings.CutPrefix(s.Ref, refPrefix)
	if !ok {
		return nil
	}
	return c.Components.Find(name)
}

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

// Of returns the schema of a Go type. It panics if the type has none, such as a channel.
func (c *Types) Of(t reflect.Type) *Schema {
	switch {
	case t.Kind() == reflect.Pointer:
		return c.Of(t.Elem())
	case t == timeType:
		return &Schema{Type: "string", Format: "date-time"}
	case t == rawType:
		return &Schema{}
	case t.Implements(textType):
		return &Schema{Type: "string", Enum: c.Enums[t]}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.String:
		return &Schema{Type: "string", Enum: c.Enums[t]}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint64:
		return &Schema{Type: "integer"}
	case reflect.Interface:
		return &Schema{}
	case reflect.Float64:
		return &Schema{Type: "number"}
	case reflect.Slice:
		return &Schema{Type: "array", Items: c.Of(t.Elem())}
	case reflect.Map:
		return &Schema{Type: "object", Additional: c.Of(t.Elem())}
	case reflect.Struct:
		return c.component(t)
	}
	panic("openapi: there is no schema of " + t.String()) // a bug: an operation uses an unsupported type
}

// component returns a $ref to the schema of a struct type. It generates the schema on the first call.
func (c *Types) component(t reflect.Type) *Schema {
	if c.names == nil {
		c.names = map[reflect.Type]string{}
	}
	name, known := c.names[t]
	if !known {
		name = strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
		for c.Components.Find(name) != nil { // a type of another package has this name
			name += "Of" + strings.ToUpper(packageOf(t)[:1]) + packageOf(t)[1:]
		}
		c.names[t] = name
		s := &Schema{Type: "object"}
		c.Components = append(c.Components, Member{name, s})
		c.fields(t, s)
		if c.Refine != nil {
			c.Refine(t, s)
		}
	}
	return &Schema{Ref: refPrefix + name}
}

func packageOf(t reflect.Type) string { return t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:] }

// fields adds the fields of a struct to a schema. Fields of embedded structs are added as if they were direct fields.
func (c *Types) fields(t reflect.Type, s *Schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && name == "" {
			in := f.Type
			if in.Kind() == reflect.Pointer {
				in = in.Elem()
			}
			c.fields(in, s)
			continue
		}
		if name == "" {
			name = f.Name
		}
		of := c.Of(f.Type)
		if text := f.Tag.Get("jsonschema"); text != "" {
			of.Description = text
		}
		s.Properties = append(s.Properties, Member{name, of})
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			s.Required = append(s.Required, name)
		}
	}
}

// closeSchema returns a copy of a schema without $ref whose objects allow no unknown members. Optional members may be
// null. If patch is set, all members are optional, except in array elements, because a JSON Merge Patch replaces an
// array as a whole.
func (c *Types) closeSchema(s *Schema, patch bool) *Schema {
	out := *s
	if in := c.componentOf(s); in != nil {
		out = *in
		out.Description = s.Description
		out.Additional = false
		if patch {
			out.Required = nil
		}
		out.Properties = Members{}
		for _, m := range in.Properties {
			of := c.closeSchema(m.Schema, patch)
			if !slices.Contains(out.Required, m.Name) {
				of = nullableOf(of)
			}
			out.Properties = append(out.Properties, Member{m.Name, of})
		}
	}
	if s.Items != nil {
		out.Items = c.closeSchema(s.Items, false)
	}
	if of, ok := s.Additional.(*Schema); ok && patch {
		out.Additional = nullableOf(of)
	}
	return &out
}

// nullableOf returns a schema that accepts null and the values of s.
func nullableOf(s *Schema) *Schema {
	out := *s
	if text, ok := s.Type.(string); ok && len(s.Enum) == 0 {
		out.Type = []string{text, "null"}
		return &out
	}
	out.Description = ""
	return &Schema{AnyOf: []*Schema{&out, {Type: "null"}}, Description: s.Description}
}
