// Package callshape identifies the members of a JSON object that represent a tool call.
package callshape

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/callkey"
	"github.com/callwright/callwright/internal/jsonx"
)

// Member names of the other parts of a call and of a response. They must not be modified.
var (
	idKeys = []string{"id", "call_id", "tool_call_id"}
	// answersIn are the members with the response or its parts, and callsIn the members with calls, in responses of APIs
	// with native calls.
	answersIn = []string{"content", "parts", "candidates", "choices", "message", "output"}
	callsIn   = []string{"tool_calls", "toolCalls", "function_call", "functionCall", "tool_call", "toolCall", "calls",
		"function_calls", "tool_use", "tool_uses", "actions", "tools_call"}
)

// Keys are additional member names of the tool name and the arguments, from the caller's own formats.
type Keys struct{ Name, Args []string }

// Has reports whether key is one of the additional names.
func (k Keys) Has(key string) bool {
	return slices.Contains(k.Name, key) || slices.Contains(k.Args, key)
}

// A Shape has the members of an object by their function in a call.
type Shape struct {
	Name, ID       string
	Args, Function []byte
	Calls, Answers [][]byte
	Others         jsonx.List // the remaining members
	NameKey        string     // key of the member with the name
	HasArgs        bool
}

// Of classifies the members of the object v. own has additional member names. resolves reports whether a name means a
// declared tool.
func Of(v []byte, own Keys, resolves func(name string) bool) Shape {
	list, err := jsonx.ParseObject(v)
	var o Shape
	if err != nil {
		return o
	}
	best := len(callkey.Names)
	for _, m := range list {
		kind := jsonx.KindOf(m.Value)
		if slices.Contains(own.Name, m.Key) && kind == jsonx.Text {
			best, o.NameKey = -1, m.Key
			o.Name, _ = jsonx.String(m.Value)
			continue
		}
		if n := slices.Index(callkey.Names, m.Key); n >= 0 {
			if kind == jsonx.Text && n < best {
				best, o.NameKey = n, m.Key
				o.Name, _ = jsonx.String(m.Value)
				continue
			}
			if m.Key == "function" && kind == jsonx.Object {
				o.Function = m.Value
				continue
			}
		}
		switch {
		case (slices.Contains(callkey.Arguments, m.Key) || slices.Contains(own.Args, m.Key)) && o.Args == nil:
			o.Args, o.HasArgs = m.Value, true
		case slices.Contains(idKeys, m.Key) && kind == jsonx.Text:
			o.ID, _ = jsonx.String(m.Value)
		case slices.Contains(callsIn, m.Key) && kind >= jsonx.Array:
			o.Calls = append(o.Calls, m.Value)
		case slices.Contains(answersIn, m.Key) && kind >= jsonx.Array:
			o.Answers = append(o.Answers, m.Value)
		default:
			o.Others = append(o.Others, m)
		}
	}
	if o.Name == "" || best > 1 && !resolves(o.Name) {
		o.typeAsName(resolves)
	}
	return o
}

// typeAsName uses the value of the member "type" as the tool name if it is a declared tool.
func (o *Shape) typeAsName(resolves func(name string) bool) {
	for _, m := range o.Others {
		if t, ok := jsonx.String(m.Value); ok && m.Key == "type" && resolves(t) {
			o.Name, o.NameKey = t, m.Key
		}
	}
}

// Inline uses the members beside the name as arguments, if the tool declares all of them.
func (o *Shape) Inline(declares func(param string) bool) {
	var args jsonx.List
	for _, m := range o.Others {
		switch {
		case declares(m.Key):
			args = append(args, m)
		case m.Key == o.NameKey || slices.Contains(beside, m.Key):
		default:
			return
		}
	}
	if len(args) > 0 {
		o.Args, o.HasArgs = args.Append(nil), true
	}
}

// beside are members that a call may have in addition to name and arguments.
var beside = []string{"type", "index", "scratchpad", "thought", "reasoning", "status", "object"}

// Strange reports whether an object without arguments has members that calls do not have, so that it is not a call.
func (o *Shape) Strange() bool {
	return slices.ContainsFunc(o.Others, func(m jsonx.Member) bool { return m.Key != o.NameKey && !slices.Contains(beside, m.Key) })
}

// IsNested reports whether the name contains more of the call, such as JSON.
func (o *Shape) IsNested() bool { return strings.ContainsAny(o.Name, "\"{") }

// TakeBeside adds declared parameters beside the arguments to the arguments. It reports whether there were any.
func (o *Shape) TakeBeside(declares func(param string) bool) bool {
	args, err := jsonx.ParseObject(o.Args)
	if err != nil {
		return false
	}
	n := len(args)
	for _, m := range o.Others {
		if !declares(m.Key) || slices.Contains(beside, m.Key) {
			continue
		}
		if _, given := jsonx.Find(o.Args, m.Key); !given {
			args = append(args, m)
		}
	}
	if len(args) == n {
		return false
	}
	o.Args = args.Append(nil)
	return true
}

// IsDefinition reports whether args is a JSON Schema, so that the object is a tool definition rather than a call.
func IsDefinition(args []byte) bool {
	if jsonx.KindOf(args) != jsonx.Object {
		return false
	}
	props, ok := jsonx.Find(args, "properties")
	t, _ := jsonx.Find(args, "type")
	kind, _ := jsonx.String(t)
	return ok && jsonx.KindOf(props) == jsonx.Object && (strings.EqualFold(kind, "object") || kind == "dict")
}

// HoldsDefinition reports whether the member "parameters" of v is a JSON Schema, as in a tool definition.
func HoldsDefinition(v []byte) bool {
	params, ok := jsonx.Find(v, "parameters")
	return ok && IsDefinition(params)
}

// IsChat reports whether an array contains messages of a conversation: objects, one of them with a role other than the
// model's, such as "user".
func IsChat(v []byte) bool {
	for e := range jsonx.Elements(v) {
		if jsonx.KindOf(e) != jsonx.Object {
			return false
		}
		role, ok := jsonx.Find(e, "role")
		if !ok {
			continue
		}
		switch who, _ := jsonx.String(role); who {
		case "user", "system", "developer", "tool", "function":
			return true
		}
	}
	return false
}

// IsEmpty reports whether v is an empty object or array.
func IsEmpty(v []byte) bool {
	switch jsonx.KindOf(v) {
	case jsonx.Object:
		for range jsonx.Members(v) {
			return false
		}
		return true
	case jsonx.Array:
		for range jsonx.Elements(v) {
			return false
		}
		return true
	}
	return false
}

// Contradicts reports whether an object has two different values for the same member.
func Contradicts(v []byte) bool {
	given := make(map[string][]byte, 8)
	for k, val := range jsonx.Members(v) {
		if was, ok := given[k.String()]; ok && !bytes.Equal(was, val) {
			return true
		}
		given[k.String()] = val
	}
	return false
}
