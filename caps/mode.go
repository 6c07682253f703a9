package caps

import (
	"fmt"
	"slices"
)

// A Mode is a way of sending tools to a model and of receiving its calls. The zero Mode means that none is set;
// package reliable then chooses one.
type Mode string

const (
	// Native sends tools in the API's tools field and reads the API's native calls.
	Native Mode = "native"
	// JSONSchema requests a JSON document as the response. An enforced schema offers calls, an answer and a scratchpad as
	// alternatives.
	JSONSchema Mode = "json_schema"
	// JSONObject requests the same document in JSON mode. The prompt describes the schema; the provider does not enforce
	// it.
	JSONObject Mode = "json_object"
	// Text describes the tools in the prompt. It parses calls from the response text in a text format (dialect).
	Text Mode = "text"
	// Parsed is Text without validation. Its calls have Unvalidated set.
	Parsed Mode = "parsed"
)

var modeNames = []struct {
	name  string
	modes []Mode
}{
	{"auto", nil},
	{"native", []Mode{Native}}, {"native_tools", []Mode{Native}},
	{"json_schema", []Mode{JSONSchema}}, {"structured", []Mode{JSONSchema}},
	{"json_object", []Mode{JSONObject}},
	{"text", []Mode{Text}},
	{"validated", []Mode{JSONObject, Text}},
	{"parsed", []Mode{Parsed}},
}

// ModeNames returns a new slice of the names that ParseMode accepts.
func ModeNames() []string {
	names := make([]string, len(modeNames))
	for i, row := range modeNames {
		names[i] = row.name
	}
	return names
}

// ParseMode returns the modes for a name, in the order in which they are tried: native or native_tools, json_schema or
// structured, json_object, text, parsed, validated (JSONObject, then Text), and auto (nil: package reliable chooses).
// For any other name it returns an error that lists the names.
func ParseMode(name string) ([]Mode, error) {
	for _, row := range modeNames {
		if row.name == name {
			return slices.Clone(row.modes), nil
		}
	}
	return nil, fmt.Errorf("unknown mode %q: expected auto, native, json_schema, json_object, text, validated or parsed", name)
}

// Needs reports whether the mode is impossible for a model that lacks the capability with the given fact key.
func (m Mode) Needs(key string) bool {
	switch m {
	case Native:
		return key == "tools" || key == "parses_calls"
	case JSONSchema:
		return key == "json_schema"
	case JSONObject:
		return key == "json_object"
	}
	return false
}

// Lacking returns 1 if c states that the model does not support the mode, otherwise 0. Modes can be sorted by it.
func (m Mode) Lacking(c Caps) int {
	if m == Native && (c.Tools == No || c.ParsesCalls == No) || m == JSONSchema && c.JSONSchema == No || m == JSONObject &&
		c.JSONObject == No {
		return 1
	}
	return 0
}

// InDocument reports whether responses in the mode are JSON documents.
func (m Mode) InDocument() bool { return m == JSONSchema || m == JSONObject }
