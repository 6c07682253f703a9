package kit

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// A custom tool takes free text. For a provider that has only function tools, it is declared as a function with one
// string parameter, CustomParam, and the schema CustomSchema.
const (
	CustomParam  = definition.CustomParam
	CustomSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`
)

// NoParameters is the JSON Schema of a tool without parameters.
const NoParameters = `{"type":"object","properties":{}}`

// CustomArguments returns the arguments of the function that replaces a custom tool: {"input":"free text"}.
func CustomArguments(input string) json.RawMessage {
	return append(jsonx.AppendQuote([]byte(`{"`+CustomParam+`":`), input), '}')
}

// AsFunction returns the function tool that replaces the custom tool t, and the note on the change. path is the JSON
// pointer to the list of tools.
func AsFunction(t callwright.Tool, path string) (callwright.Tool, callwright.Note) {
	return callwright.Tool{Name: t.Name, Description: definition.CustomDescription(&t), Schema: json.RawMessage(CustomSchema)},
		callwright.Note{Rule: "tools.custom", Path: path, Call: t.Name, Was: "custom", Now: "function",
			Why: "the free text becomes one parameter named " + CustomParam}
}
