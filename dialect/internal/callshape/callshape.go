// Package callshape finds the members of an object that are parts of a call.
package callshape

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Keys of the parts of a call, in the order of preference. They must not be changed.
var (
	nameKeys = []string{"name", "tool_name", "function_name", "tool", "function", "action", "recipient_name", "api_name", "api",
		"func", "call", "TOOL_NAME"}
	ArgsKeys = []string{"arguments", "parameters", "args", "input", "params", "tool_input", "action_input", "kwargs",
		"tool_arguments", "param", "inputs"}
	idKeys = []string{"id", "call_id", "tool_call_id"}
	// answersIn are the members that hold the answer, or its parts, in responses of APIs with native calls. callsIn are
	// the members that hold the calls.
	answersIn = []string{"content", "parts", "candidates", "choices", "message", "output"}
	callsIn   = []string{"tool_calls", "toolCalls", "function_call", "functionCall", "tool_call", "toolCall", "calls",
		"function_calls", "tool_use", "tool_uses", "actions", "tools_call"}
)

// Keys are further keys of a caller's own formats, by the part of a call that they name.
type Keys struct{ Name, Args []string }

// Has reports whether a key is one of them.
func (k Keys) Has(key string) bool {
	return slices.Contains(k.Name, key) || slices.Contains(k.Args, key)
}

// A Shape is an object's members by their part in a call.
type Shape struct {
	Name, ID       string
	Args, Function []byte
	Calls, Answers [][]byte
	Others         jsonx.List // the members that are none of these
	NameKey        string     // of the member that is the name
	HasArgs        bool
}

// Of sorts an object's members, by keys of a caller's own too. resolves reports whether a name means a declared tool.
func Of(v []byte, own Keys, resolves func(name string) bool) Shape {
	list, err := jsonx.ParseObject(v)
	var o Shape
	if err != nil {
		return o
	}
	best := len(nameKeys)
	for _, m := range list {
		kind := jsonx.KindOf(m.Value)
		if slices.Contains(own.Name, m.Key) && kind == jsonx.Text {
			best, o.NameKey = -1, m.Key
			o.Name, _ = jsonx.String(m.Value)
			continue
		}
		if n := slices.Index(nameKeys, m.Key); n >= 0 {
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
		case (slices.Contains(ArgsKeys, m.Key) || slices.Contains(own.Args, m.Key)) && o.Args == nil:
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

// typeAsName takes a declared tool's name out of a member that usually names the kind of the object.
func (o *Shape) typeAsName(resolves func(name string) bool) {
	for _, m := range o.Others {
		if t, ok := jsonx.String(m.Value); ok && m.Key == "type" && resolves(t) {
			o.Name, o.NameKey = t, m.Key
		}
	}
}

// Inline takes the members beside the name as arguments, when the tool declares all of them.
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

// beside are the further members that a call may have beside its name and arguments.
var beside = []string{"type", "index", "scratchpad", "thought", "reasoning", "status", "object"}

// Strange reports whether an object without arguments has members that no call has: it is something else of that name.
func (o *Shape) Strange() bool {
	return slices.ContainsFunc(o.Others, func(m jsonx.Member) bool { return m.Key != o.NameKey && !slices.Contains(beside, m.Key) })
}

// IsNested reports whether the value in the place of the name holds more of the call.
func (o *Shape) IsNested() bool { return strings.ContainsAny(o.Name, "\"{") }

// TakeBeside adds the declared parameters that stand beside the arguments, and not among them, to the arguments, and
// reports whether there were any.
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

// IsDefinition reports whether arguments are a JSON Schema: then the object declares a tool and calls none.
func IsDefinition(args []byte) bool {
	if jsonx.KindOf(args) != jsonx.Object {
		return false
	}
	props, ok := jsonx.Find(args, "properties")
	t, _ := jsonx.Find(args, "type")
	kind, _ := jsonx.String(t)
	return ok && jsonx.KindOf(props) == jsonx.Object && (strings.EqualFold(kind, "object") || kind == "dict")
}

// HoldsDefinition reports whether an object has a JSON Schema for parameters: it is the rest of a tool's definition
// after the name.
func HoldsDefinition(v []byte) bool {
	params, ok := jsonx.Find(v, "parameters")
	return ok && IsDefinition(params)
}

// IsChat reports whether a list holds the messages of a conversation: one of them is not the model's.
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

// IsEmpty reports whether a value holds nothing.
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

// Contradicts reports whether an object has two different values for one member.
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
