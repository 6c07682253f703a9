// Package definition reads the members of a tool definition that belong to a single API and have no place in the
// vocabulary.
package definition

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Callers reports who may call a tool: the model itself, and code that its provider runs. Where its definition does not
// say, both may.
func Callers(t *callwright.Tool) (model, code bool) {
	callers, found := jsonx.Find(t.Extra.JSON, "allowed_callers")
	if !found {
		callers, _ = jsonx.Lookup(t.Extra.JSON, "function", "allowed_callers")
	}
	said := false
	for v := range jsonx.Elements(callers) {
		said = true
		if string(jsonx.TextBytes(v)) == "direct" {
			model = true
		} else {
			code = true
		}
	}
	return model || !said, code || !said
}

// IsCodeOnly reports whether only code that its provider runs may call a tool, not the model itself.
func IsCodeOnly(t *callwright.Tool) bool {
	model, _ := Callers(t)
	return !model
}

// deferral is the member by which a definition defers its tool.
const deferral = "defer_loading"

// IsDeferred reports whether a tool is to be offered to the model only after a search has found it. One that an item of
// the conversation brought has been found.
func IsDeferred(t *callwright.Tool) bool {
	later, _ := jsonx.Find(t.Extra.JSON, deferral)
	_, found := jsonx.Find(t.Extra.JSON, "found")
	return jsonx.IsTrue(later) && !found && t.Type != callwright.HostedTool
}

// RemoveDeferral is a tool that is no longer deferred.
func RemoveDeferral(t callwright.Tool) callwright.Tool {
	list, _ := jsonx.ParseObject(t.Extra.JSON)
	list.Delete(deferral)
	t.Extra.JSON = list.Append(nil)
	return t
}

// Grammar is the grammar that the free text of a custom tool follows, as either API that has such tools writes it;
// empty for a tool without one.
func Grammar(t *callwright.Tool) (syntax, rules string) {
	for _, path := range [][]string{{"custom", "format", "grammar"}, {"format"}} {
		in, _ := jsonx.Lookup(t.Extra.JSON, path...)
		kind, _ := jsonx.Find(in, "syntax")
		text, _ := jsonx.Find(in, "definition")
		if rules = jsonx.TextOf(text); rules != "" {
			return jsonx.TextOf(kind), rules
		}
	}
	return "", ""
}

// CustomParam is the only parameter of the function in place of a custom tool.
const CustomParam = "input"

// CustomDescription is the description of a function in place of a custom tool: the tool's own, and the grammar, which
// is often all that defines the form of the text.
func CustomDescription(t *callwright.Tool) string {
	syntax, rules := Grammar(t)
	if rules == "" {
		return t.Description
	}
	words := []string{"The parameter " + CustomParam + " is free text"}
	if syntax != "" {
		words[0] += " that follows this " + syntax + " grammar"
	} else {
		words[0] += " that follows this grammar"
	}
	words[0] += ":\n" + rules
	if t.Description != "" {
		words = append([]string{t.Description}, words...)
	}
	return strings.Join(words, "\n\n")
}
