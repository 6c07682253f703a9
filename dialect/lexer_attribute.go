package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// attribute reads key="value" at t[i:] and returns its end; -1 where it is not yet whole, i where it is none. names are the keys of
// a caller's own formats that name the tool or an argument.
func attribute(t string, i int, x *token, names []string) int {
	from := i
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	key := t[from:i]
	if i = chars.SpaceEnd(t, i); i == len(t) {
		return -1
	}
	if t[i] != '=' {
		return from
	}
	if i = chars.SpaceEnd(t, i+1); i == len(t) {
		return -1
	}
	q := t[i]
	if q != '"' && q != '\'' {
		return from
	}
	n := strings.IndexByte(t[i+1:], q)
	if k := strings.Index(t[i+1:], "<|message|>"); k >= 0 && (n < 0 || k < n) && !markup.ClosesTag(t[i+1+k+len("<|message|>"):], q) {
		x.attr = t[i+1 : i+1+k]
		return i + 1 + k + len("<|message|>")
	}
	if n < 0 {
		return -1
	}
	x.attribute(key, t[i+1:i+1+n], names)
	return i + n + 2
}

// attribute takes one attribute of the tag.
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
