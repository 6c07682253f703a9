package kit

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ChoiceModes are the plain choices by their words in the Chat Completions, Responses and Messages APIs. Mistral and
// Anthropic say any for required.
var ChoiceModes = map[string]callwright.ChoiceMode{
	"auto": callwright.ChoiceAuto, "none": callwright.ChoiceNone, "required": callwright.ChoiceRequired, "any": callwright.ChoiceRequired,
}

// ReadChoice reads a tool_choice in the words of any of these APIs: a plain choice as a text or as the type of an
// object, or an object that names a tool as [ChosenName] reads it. ok is false for all others, lists of allowed tools
// among them.
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

// ChosenName is the name in {"type":"function","function":{"name"}}, in the same of a custom tool, or beside a type
// that is function, custom or tool.
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

// IsAllowedTools reports whether a tool_choice lists the tools that may be called.
func IsAllowedTools(v []byte) bool { return TextAt(v, "type") == "allowed_tools" }

// ReadAllowedTools reads a choice among some tools: mode and tools stand beside the type, as in the Responses API, or
// below allowed_tools, as in Chat Completions. name is the name of the tool that an element means, "" for one that is
// not a client's: ok is false then, and for other modes.
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

// ForeignChoice is the note of a tool_choice that came in the words of another API. member is the one that is sent in
// its place, with its key; it may be empty.
func ForeignChoice(came, member []byte) callwright.Note {
	return callwright.Note{Rule: "params.choice_words", Path: "/tool_choice", Was: string(came),
		Now: strings.TrimPrefix(string(member), `"tool_choice":`), Why: "other APIs say it so"}
}
