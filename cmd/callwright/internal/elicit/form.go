// Package elicit asks a person at a terminal for the input that an MCP server requests.
package elicit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// A field is a member of the object that an MCP server requests.
type field struct {
	name        string
	title       string
	description string
	kind        string // string, number, integer, boolean or array
	format      string
	required    bool
	standard    json.RawMessage // the default; nil for none
	choices     []choice        // values of an enumeration, or of the elements of an array
	rules       *schema.Schema  // schema of the value
}

// A choice is a permitted value of a field with its title.
type choice struct{ value, title string }

// label returns the text of the choice for display.
func (c choice) label() string {
	if c.title == "" || c.title == c.value {
		return c.value
	}
	return c.title + " (" + c.value + ")"
}

// fieldsOf returns the fields of a schema: the required ones in their order, then the others by name, because servers
// that encode maps do not preserve the order. It returns an error if the schema is not that of a flat object.
func fieldsOf(wanted json.RawMessage) ([]field, error) {
	if len(wanted) == 0 || string(wanted) == "null" {
		return nil, nil
	}
	var s struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err := json.Unmarshal(wanted, &s); err != nil {
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	if s.Type != "" && s.Type != "object" {
		return nil, fmt.Errorf("expected a form of the type object, got %q", s.Type)
	}
	order := slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return s.Properties[name] == nil })
	var others []string
	for name := range s.Properties {
		if !slices.Contains(order, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	fields := make([]field, 0, len(s.Properties))
	for _, name := range append(order, others...) {
		f, err := fieldOf(name, s.Properties[name])
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		f.required = slices.Contains(s.Required, name)
		fields = append(fields, f)
	}
	return fields, nil
}

// A values contains the permitted values of a field or of its elements.
type values struct {
	Enum  []json.RawMessage `json:"enum"`
	Names []string          `json:"enumNames"` // up to protocol version 2025-06-18
	OneOf []titled          `json:"oneOf"`     // in later versions
	AnyOf []titled          `json:"anyOf"`
}

type titled struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

func (v *values) choices() []choice {
	var out []choice
	for i, text := range v.Enum {
		value, ok := jsonx.String(text)
		if !ok {
			value = string(text)
		}
		c := choice{value: value}
		if len(v.Names) == len(v.Enum) {
			c.title = v.Names[i]
		}
		out = append(out, c)
	}
	for _, t := range slices.Concat(v.OneOf, v.AnyOf) {
		out = append(out, choice{t.Const, t.Title})
	}
	return out
}

func fieldOf(name string, text json.RawMessage) (field, error) {
	var s struct {
		values
		Type        string          `json:"type"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		Format      string          `json:"format"`
		Default     json.RawMessage `json:"default"`
		Items       values          `json:"items"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return field{}, err
	}
	f := field{name: name, title: s.Title, description: s.Description, kind: s.Type, format: s.Format, standard: s.Default,
		choices: s.choices()}
	switch s.Type {
	case "string", "number", "integer", "boolean":
	case "":
		if f.kind = "string"; f.choices == nil {
			return f, errors.New("the field has no type")
		}
	case "array":
		if f.choices = s.Items.choices(); f.choices == nil {
			return f, errors.New("expected an array with a list of its possible elements")
		}
	default:
		return f, fmt.Errorf("expected a string, a number, a Boolean or a choice, got the type %q", s.Type)
	}
	var err error
	f.rules, err = schema.Compile(text)
	return f, err
}

// errNeeded is the error of an empty line for a required field.
var errNeeded = errors.New("a value is required")

// read converts a line to the JSON value of the field, nil for an omitted field. The error states why the line is
// invalid.
func (f *field) read(line string) (json.RawMessage, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		switch {
		case f.standard != nil:
			return f.standard, nil
		case f.required:
			return nil, errNeeded
		}
		return nil, nil
	}
	value, err := f.value(line)
	if err != nil {
		return nil, err
	}
	if broken := f.rules.Validate(value); len(broken) > 0 {
		return nil, errors.New(broken[0].Message)
	}
	return value, nil
}

// value converts a non-empty line to a JSON value. It does not validate the value.
func (f *field) value(line string) (json.RawMessage, error) {
	switch {
	case f.kind == "array":
		return f.list(line)
	case f.choices != nil:
		c, err := f.choose(line)
		return jsonx.AppendQuote(nil, c), err
	case f.kind == "boolean":
		switch strings.ToLower(line) {
		case "y", "yes", "true":
			return json.RawMessage("true"), nil
		case "n", "no", "false":
			return json.RawMessage("false"), nil
		}
		return nil, fmt.Errorf("expected yes or no, got %q", line)
	case f.kind == "number" || f.kind == "integer":
		if jsonx.KindOf([]byte(line)) != jsonx.Number || jsonx.Valid([]byte(line)) != nil {
			return nil, fmt.Errorf("expected a number, got %q", line)
		}
		return json.RawMessage(line), nil
	case line == `""`:
		return json.RawMessage(line), nil
	}
	return jsonx.AppendQuote(nil, line), nil
}

// choose returns the choice that a line names by its number, value or title.
func (f *field) choose(line string) (string, error) {
	for _, c := range f.choices {
		if line == c.value {
			return c.value, nil
		}
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(f.choices) {
		return f.choices[n-1].value, nil
	}
	found := ""
	for _, c := range f.choices {
		if strings.EqualFold(line, c.value) || strings.EqualFold(line, c.title) {
			if found != "" {
				return "", fmt.Errorf("%q matches several choices: enter a number", line)
			}
			found = c.value
		}
	}
	if found == "" {
		return "", fmt.Errorf("expected a choice or its number, got %q", line)
	}
	return found, nil
}

// list returns the JSON array for a line with comma-separated choices.
func (f *field) list(line string) (json.RawMessage, error) {
	out := []byte{'['}
	for part := range strings.SplitSeq(line, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		c, err := f.choose(part)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, c)
	}
	return append(out, ']'), nil
}

// hint returns a description of the permitted values, and of how to omit the field.
func (f *field) hint() string {
	var parts []string
	switch {
	case f.kind == "array":
		parts = append(parts, "choices, separated by commas")
	case f.choices != nil:
	case f.kind == "boolean":
		parts = append(parts, "yes or no")
	case f.format != "":
		parts = append(parts, f.format)
	case f.kind != "string":
		parts = append(parts, f.kind)
	}
	switch {
	case f.standard != nil:
		text, ok := jsonx.String(f.standard)
		if !ok {
			text = string(f.standard)
		}
		parts = append(parts, "empty: "+text)
	case !f.required:
		parts = append(parts, "may be empty")
	}
	return strings.Join(parts, "; ")
}
