package kit

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A custom tool takes free text. Where a receiver has functions only, it is one with a single text parameter.
const (
	CustomParam  = "input"
	CustomSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`
)

// NoParameters is the schema of a tool that takes none.
const NoParameters = `{"type":"object","properties":{}}`

// CustomArguments are the arguments of the function in place of a custom tool, for its free text.
func CustomArguments(input string) json.RawMessage {
	return append(jsonx.AppendQuote([]byte(`{"`+CustomParam+`":`), input), '}')
}

// Grammar is the grammar that the free text of a custom tool follows, as either API that has such tools writes it; empty for a tool
// without one.
func Grammar(t callwright.Tool) (syntax, definition string) {
	for _, path := range [][]string{{"custom", "format", "grammar"}, {"format"}} {
		in, _ := jsonx.Lookup(t.Extra.JSON, path...)
		kind, _ := jsonx.Find(in, "syntax")
		rules, _ := jsonx.Find(in, "definition")
		if definition = jsonx.TextOf(rules); definition != "" {
			return jsonx.TextOf(kind), definition
		}
	}
	return "", ""
}

// CustomDescription is what a function in place of a custom tool says of itself: what the tool said, and the grammar, which is
// often all that defines the form of the text.
func CustomDescription(t callwright.Tool) string {
	syntax, definition := Grammar(t)
	if definition == "" {
		return t.Description
	}
	words := []string{"The parameter " + CustomParam + " is free text"}
	if syntax != "" {
		words[0] += " that follows this " + syntax + " grammar"
	} else {
		words[0] += " that follows this grammar"
	}
	words[0] += ":\n" + definition
	if t.Description != "" {
		words = append([]string{t.Description}, words...)
	}
	return strings.Join(words, "\n\n")
}

// AsFunction is the function in place of a custom tool, and the note on it.
func AsFunction(t callwright.Tool, path string) (callwright.Tool, callwright.Note) {
	return callwright.Tool{Name: t.Name, Description: CustomDescription(t), Schema: json.RawMessage(CustomSchema)},
		callwright.Note{Rule: "tools.custom", Path: path, Call: t.Name, Was: "custom", Now: "function", Why: "free text goes into one parameter called " + CustomParam}
}
