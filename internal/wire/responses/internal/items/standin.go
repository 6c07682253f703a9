package items

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// StandIn is the function that stands for a tool which the API defines and the client runs.
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

// InputEvents begins the names of the events of the input of a call, "" for a form that has none.
func (f *Form) InputEvents() string {
	switch f {
	case Function:
		return "response.function_call_arguments"
	case Custom:
		return "response.custom_tool_call_input"
	}
	return ""
}
