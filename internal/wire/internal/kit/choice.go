package kit

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ChoiceModes maps the string values of tool_choice in Chat Completions, Responses and Anthropic's Messages API to
// modes. "any" is the value of Mistral and Anthropic for "required".
var ChoiceModes = map[string]callwright.ChoiceMode{
	"auto": callwright.ChoiceAuto, "none": callwright.ChoiceNone, "required": callwright.ChoiceRequired, "any": callwright.ChoiceRequired,
}

// ReadChoice reads a tool_choice of any of these APIs: a string such as "auto", an object with such a type, or an
// object that names a tool as in [ChosenName]. ok is false for all other values, including lists of allowed tools.
func ReadChoice(v []byte) (c callwright.Choice, ok bool) {
	word := jsonx.TextOf(v)
	if jsonx.IsObject(v) {
		word = TextAt(v, "type")
	}
	if mode, plain := ChoiceModes[word]; plain {
		return callwright.Choice{Mode: mode}, true
	}
	if name := ChosenName(v); name != "" {
		return callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{name}}, true
	}
	return c, false
}

// ChosenName returns the name of the tool in a tool_choice, "" if it names none. It reads
// {"type":"function","function":{"name":"f"}}, the same with "custom", and {"type":"function","name":"f"}, whose type
// may also be "custom" or "tool".
func ChosenName(v []byte) string {
	for _, kind := range []string{"function", "custom"} {
		if name, ok := jsonx.Lookup(v, kind, "name"); ok {
			return jsonx.TextOf(name)
		}
	}
	switch TextAt(v, "type") {
	case "function", "custom", "tool":
		return TextAt(v, "name")
	}
	return ""
}

// IsAllowedTools reports whether a tool_choice is a list of allowed tools: {"type":"allowed_tools"}.
func IsAllowedTools(v []byte) bool { return TextAt(v, "type") == "allowed_tools" }

// ReadAllowedTools reads a tool_choice with a list of allowed tools. The members mode and tools are beside the type, as
// in the Responses API, or in the object allowed_tools, as in Chat Completions. name returns the tool name of a list
// element, "" for a tool that the client did not declare. ok is false if name returns "", or the mode is unknown.
func ReadAllowedTools(v []byte, name func(element []byte) string) (c callwright.Choice, ok bool) {
	if nested, has := jsonx.Find(v, "allowed_tools"); has {
		v = nested
	}
	c.Mode, ok = ChoiceModes[TextAt(v, "mode")]
	tools, _ := jsonx.Find(v, "tools")
	for t := range jsonx.Elements(tools) {
		one := name(t)
		c.Names, ok = append(c.Names, one), ok && one != ""
	}
	return c, ok
}

// ForeignChoice returns the note for a tool_choice in the format of another API. came is that value. member is the JSON
// member that replaces it, including its key, or empty.
func ForeignChoice(came, member []byte) callwright.Note {
	return callwright.Note{Rule: "params.choice_words", Path: "/tool_choice", Was: string(came),
		Now: strings.TrimPrefix(string(member), `"tool_choice":`), Why: "other APIs say it so"}
}
