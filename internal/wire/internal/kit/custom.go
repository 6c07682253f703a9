package kit

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// A custom tool takes free text. Where a receiver has functions only, it is one with a single text parameter.
const (
	CustomParam  = definition.CustomParam
	CustomSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`
)

// NoParameters is the schema of a tool that takes none.
const NoParameters = `{"type":"object","properties":{}}`

// CustomArguments are the arguments of the function in place of a custom tool, for its free text.
func CustomArguments(input string) json.RawMessage {
	return append(jsonx.AppendQuote([]byte(`{"`+CustomParam+`":`), input), '}')
}

// AsFunction is the function in place of a custom tool, and the note on it.
func AsFunction(t callwright.Tool, path string) (callwright.Tool, callwright.Note) {
	return callwright.Tool{Name: t.Name, Description: definition.CustomDescription(&t), Schema: json.RawMessage(CustomSchema)},
		callwright.Note{Rule: "tools.custom", Path: path, Call: t.Name, Was: "custom", Now: "function",
			Why: "free text goes into one parameter called " + CustomParam}
}
