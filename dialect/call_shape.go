package dialect

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// Keys of the parts of a call, in the order of preference.
var (
	nameKeys = []string{"name", "tool_name", "function_name", "tool", "function", "action", "recipient_name", "api_name", "api", "func"}
	argsKeys = []string{"arguments", "parameters", "args", "input", "params", "tool_input", "action_input", "kwargs", "tool_arguments", "param", "inputs"}
	idKeys   = []string{"id", "call_id", "tool_call_id"}
	// members that hold the answer, or the parts of it, in what interfaces with calls of their own send
	answersIn = []string{"content", "parts", "candidates", "choices", "message", "output"}
	callsIn   = []string{"tool_calls", "toolCalls", "function_call", "functionCall", "tool_call", "toolCall", "calls", "function_calls", "tool_use", "tool_uses", "actions", "tools_call"}
)

// A callShape is an object's members by their part in a call.
type callShape struct {
	name, id       string
	args, function []byte
	calls, answers [][]byte
	others         jsonx.List
	nameKey        string
	hasArgs        bool
}

// shapeOf sorts an object's members.
func shapeOf(v []byte, tools *toolset) callShape {
	list, err := jsonx.ParseObject(v)
	var o callShape
	if err != nil {
		return o
	}
	best := len(nameKeys)
	for _, m := range list {
		kind := jsonx.KindOf(m.Value)
		if n := slices.Index(nameKeys, m.Key); n >= 0 {
			if kind == jsonx.Text && n < best {
				best, o.nameKey = n, m.Key
				o.name, _ = jsonx.String(m.Value)
				continue
			}
			if m.Key == "function" && kind == jsonx.Object {
				o.function = m.Value
				continue
			}
		}
		switch {
		case slices.Contains(argsKeys, m.Key) && o.args == nil:
			o.args, o.hasArgs = m.Value, true
		case slices.Contains(idKeys, m.Key) && kind == jsonx.Text:
			o.id, _ = jsonx.String(m.Value)
		case slices.Contains(callsIn, m.Key) && kind >= jsonx.Array:
			o.calls = append(o.calls, m.Value)
		case slices.Contains(answersIn, m.Key) && kind >= jsonx.Array:
			o.answers = append(o.answers, m.Value)
		default:
			o.others = append(o.others, m)
		}
	}
	if o.name == "" || best > 1 && !tools.resolves(o.name) {
		o.typeAsName(tools)
	}
	return o
}

// typeAsName takes a declared tool's name out of a member that usually says what kind of thing the object is.
func (o *callShape) typeAsName(tools *toolset) {
	for _, m := range o.others {
		if t, ok := jsonx.String(m.Value); ok && m.Key == "type" && tools.resolves(t) {
			o.name, o.nameKey = t, m.Key
		}
	}
}

// inline takes the members beside the name as arguments, when the tool declares all of them.
func (o *callShape) inline(t *Tool) {
	if t == nil {
		return
	}
	var args jsonx.List
	for _, m := range o.others {
		switch {
		case t.param(m.Key) != nil:
			args = append(args, m)
		case m.Key == o.nameKey || slices.Contains(beside, m.Key):
		default:
			return
		}
	}
	if len(args) > 0 {
		o.args, o.hasArgs = args.Append(nil), true
	}
}

// beside are members that may stand beside the name and the arguments of a call.
var beside = []string{"type", "index", "scratchpad", "thought", "reasoning", "status", "object"}

// strange reports whether an object without arguments has members that no call has: it is something else of that name.
func (o *callShape) strange() bool {
	return slices.ContainsFunc(o.others, func(m jsonx.Member) bool { return m.Key != o.nameKey && !slices.Contains(beside, m.Key) })
}

// isDefinition reports whether arguments are a JSON Schema: then the object declares a tool and calls none.
func isDefinition(args []byte) bool {
	if jsonx.KindOf(args) != jsonx.Object {
		return false
	}
	props, ok := jsonx.Find(args, "properties")
	t, _ := jsonx.Find(args, "type")
	kind, _ := jsonx.String(t)
	return ok && jsonx.KindOf(props) == jsonx.Object && (kind == "object" || kind == "dict")
}

// isChat reports whether a list holds the messages of a conversation: one of them is not the model's.
func isChat(v []byte) bool {
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

// isEmpty reports whether a value holds nothing.
func isEmpty(v []byte) bool {
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
