// Package definition reads members of a tool declaration that only some APIs have, from the Extra of a callwright.Tool.
package definition

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Callers reports who may call a tool: the model itself, and code that the provider runs. Both are true if the
// declaration has no allowed_callers.
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

// IsCodeOnly reports whether only code that the provider runs may call a tool, not the model itself.
func IsCodeOnly(t *callwright.Tool) bool {
	model, _ := Callers(t)
	return !model
}

// deferral is the member of a tool declaration that defers the tool: the model gets it only after a tool search.
const deferral = "defer_loading"

// IsDeferred reports whether a tool is to be offered to the model only after a tool search found it. It is false for a
// tool that an item of the conversation added, which means that a search found it.
func IsDeferred(t *callwright.Tool) bool {
	later, _ := jsonx.Find(t.Extra.JSON, deferral)
	_, found := jsonx.Find(t.Extra.JSON, "found")
	return jsonx.IsTrue(later) && !found && t.Type != callwright.HostedTool
}

// RemoveDeferral returns t without the member defer_loading.
func RemoveDeferral(t callwright.Tool) callwright.Tool {
	list, _ := jsonx.ParseObject(t.Extra.JSON)
	list.Delete(deferral)
	t.Extra.JSON = list.Append(nil)
	return t
}

// Grammar returns the grammar for the free text of a custom tool, as either API of OpenAI declares it. syntax is "lark"
// or "regex", rules the grammar. Both are empty if there is none.
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

// CustomParam is the name of the only parameter of the function that replaces a custom tool.
const CustomParam = "input"

// CustomDescription returns the description of the function that replaces a custom tool: the tool's description and its
// grammar, without which the model often does not know the required format.
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
