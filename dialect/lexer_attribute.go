package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// attribute reads key="value" at t[i:] into x and returns its end. It returns -1 if the attribute is incomplete, and i
// if there is none. names are additional keys of the tool name or argument key, from the caller's own formats.
func attribute(t string, i int, x *token, names []string) int {
	key, value, end, isTorn := markup.AttributeAt(t, i)
	switch {
	case isTorn:
		x.attr = value
	case end > i:
		x.attribute(key, value, names)
	}
	return end
}

// attribute applies one attribute to the token.
func (x *token) attribute(key, value string, names []string) {
	switch {
	case x.named:
		x.args = append(x.args, Arg{Key: key, Text: value})
	case key == "name", key == "tool", key == "tool_name", key == "key", key == "function", slices.Contains(names, key):
		x.attr = strings.TrimSpace(value)
	case key == "id", key == "call_id", key == "tool_call_id":
		x.id = value
	case key == "string":
		x.json = value == "false"
	case key == "type" && x.special:
		x.json = value != "string"
	case x.role == Wrap && key != "type" && key != "index":
		x.args = append(x.args, Arg{Key: key, Text: value})
	}
}
