package dialect

import "strings"

// FromName reads a call whose arguments stand in its name, with the markup of any format. A provider that parses calls
// returns such a name where it cut the model's text at the wrong place. ok is false when the name holds anything else,
// or no markup.
func FromName(name string, o Options) (c *Call, ok bool) {
	if !strings.ContainsAny(name, "<{([|｜") {
		return nil, false
	}
	o.ReasoningPrimed, o.Quoted = false, nil
	for _, text := range [...]string{name, "<tool_call>" + name + "</tool_call>", "<|tool_call_begin|>" + name,
		"<function=" + name, "<" + name} {
		if c := onlyCall(o, text); c != nil && (c.JSON != "" || len(c.Args) > 0) {
			return c, true
		}
	}
	return nil, false
}

// onlyCall is the call that a text consists of, or nil.
func onlyCall(o Options, text string) *Call {
	var found *Call
	for _, it := range ScanAll(o, text) {
		switch {
		case it.Kind == CallFound && found == nil:
			found = it.Call
		case it.Kind == Noted, strings.TrimSpace(it.Text) == "" && it.Call == nil:
		default:
			return nil
		}
	}
	return found
}
