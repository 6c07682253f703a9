package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// ReadArguments reads the arguments of a call of tool t out of a text that is no object of its parameters: what an interface
// with calls of its own gives when it passes on what a model wrote. It reads the markup of any format, as elements or as
// parameters in tags, a whole call of the tool in place of its arguments, and several objects one after the other, each of
// which is a call. ok is false when the text holds anything else, or less than the tool requires. Of o the rules count.
func ReadArguments(t Tool, text string, o Options) (calls []*Call, ok bool) {
	o.Tools, o.Names, o.ReasoningPrimed, o.Quoted = []Tool{t}, nil, false, nil
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, false
	case text[0] == '{':
		return objectsOf(&t, text)
	case strings.IndexByte(text, '<') < 0:
		return nil, false
	}
	for _, whole := range [...]string{text, "<invoke name=\"" + t.Name + "\">" + text} {
		if c := onlyCall(o, whole); c != nil && (c.JSON != "" || len(c.Args) > 0) && givesRequired(&t, c) {
			return []*Call{c}, true
		}
	}
	return nil, false
}

// givesRequired reports whether a call has all arguments that its tool requires, and none that it does not declare.
func givesRequired(t *Tool, c *Call) bool {
	given := keysOf(c)
	for i := range t.Params {
		if p := &t.Params[i]; p.Required && !given[p.Name] {
			return false
		}
	}
	return len(t.Params) == 0 || declares(t, given)
}

// maxObjects bounds the objects that are read one after the other.
const maxObjects = 64

// objectsOf reads objects one after the other as calls of t. Two that are alike are one call.
func objectsOf(t *Tool, text string) (calls []*Call, ok bool) {
	seen := map[string]bool{}
	for n := 0; text != ""; n++ {
		var k literal.Tracker
		end, why := k.Run(text, 0, "")
		if text[0] != '{' || why != literal.Closed || n == maxObjects {
			return nil, false
		}
		c, ok := objectCall(t, text[:end])
		if !ok {
			return nil, false
		}
		if id := c.identity(); !seen[id] {
			seen[id] = true
			calls = append(calls, c)
		}
		text = strings.TrimLeft(text[end:], " \t\r\n,;")
	}
	return calls, true
}

// objectCall is one object as a call of t: its arguments, or the call that holds them.
func objectCall(t *Tool, text string) (*Call, bool) {
	res, err := repair.JSON(text)
	if err != nil || jsonx.KindOf(res.JSON) != jsonx.Object {
		return nil, false
	}
	c := &Call{Name: t.Name, Written: t.Name, JSON: string(res.JSON), Raw: clip(text), Fixes: res.Fixes}
	if givesRequired(t, c) {
		return c, true
	}
	tools := toolset{names: NewNames([]string{t.Name}), o: &Options{Tools: []Tool{*t}}}
	whole := readValue(&tools, text)
	if len(whole.calls) != 1 || !tools.resolves(whole.calls[0].Written) {
		return nil, false
	}
	c.JSON = cmp.Or(whole.calls[0].JSON, "{}")
	res, err = repair.JSON(c.JSON)
	c.JSON = string(res.JSON)
	return c, err == nil && givesRequired(t, c)
}
