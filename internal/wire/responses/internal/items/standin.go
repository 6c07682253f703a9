package items

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// StandIn returns the function that represents an API-defined tool in package callwright. v is the client's definition
// of the tool. Its description and parameters, if any, replace those of f.
func (f *Form) StandIn(v []byte) callwright.Tool {
	t := callwright.Tool{Name: f.Tool, Description: f.Description, Schema: json.RawMessage(f.Schema),
		Extra: own.Extra(slices.Clone(v))}
	if given := kit.TextAt(v, "description"); given != "" {
		t.Description = given
	}
	if given, ok := jsonx.Find(v, "parameters"); ok && jsonx.IsObject(given) {
		t.Schema = json.RawMessage(given)
	}
	return t
}

// InputEvents returns the beginning of the types of stream events about the input of a call, such as
// "response.function_call_arguments", or "" if the form has no such events.
func (f *Form) InputEvents() string {
	switch f {
	case Function:
		return "response.function_call_arguments"
	case Custom:
		return "response.custom_tool_call_input"
	}
	return ""
}
