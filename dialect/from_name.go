package dialect

import "strings"

// FromName parses a call whose arguments are inside its name, as in "f<arg_key>x</arg_key>...". Some providers return
// such names after their parser failed. ok is false if the name has no markup or is not exactly one call.
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

// onlyCall returns the call if text consists of exactly one call and white space, otherwise nil.
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
