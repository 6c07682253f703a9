package caps

import (
	"fmt"
	"slices"
)

// A Mode is a way of conveying tools to a model. The zero Mode means that nothing was chosen: the plan decides.
type Mode string

const (
	// Native sends tools in the provider's own member and reads calls from its own member.
	Native Mode = "native"
	// JSONSchema asks for one JSON document whose schema wraps the choice between calls, an answer and a scratchpad.
	JSONSchema Mode = "json_schema"
	// JSONObject asks for the same document without a schema that the provider enforces.
	JSONObject Mode = "json_object"
	// Text describes the tools in the prompt and reads calls from the text, in a dialect.
	Text Mode = "text"
	// Parsed is Text with validation off: its calls are marked unvalidated.
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

// ModeNames lists every name that ParseMode reads. The list is the caller's own.
func ModeNames() []string {
	names := make([]string, len(modeNames))
	for i, row := range modeNames {
		names[i] = row.name
	}
	return names
}

// ParseMode reads a mode by any of its names and gives the modes it stands for, in the order they are tried: native
// (native_tools), json_schema (structured), json_object, text, parsed, validated (json_object, then text), and auto,
// which is none: the plan decides. Any other name is an error that lists the names.
func ParseMode(name string) ([]Mode, error) {
	for _, row := range modeNames {
		if row.name == name {
			return slices.Clone(row.modes), nil
		}
	}
	return nil, fmt.Errorf("unknown mode %q: expected auto, native, json_schema, json_object, text, validated or parsed", name)
}

// Needs reports whether a model cannot be asked in the mode if it lacks the capability of the fact with the key.
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

// Lacking is 1 where a model with these caps is known not to have the mode, else 0.
func (m Mode) Lacking(c Caps) int {
	if m == Native && (c.Tools == No || c.ParsesCalls == No) || m == JSONSchema && c.JSONSchema == No || m == JSONObject &&
		c.JSONObject == No {
		return 1
	}
	return 0
}

// InDocument reports whether the answers of the mode are JSON documents.
func (m Mode) InDocument() bool { return m == JSONSchema || m == JSONObject }
