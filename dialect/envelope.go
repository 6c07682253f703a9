package dialect

import "github.com/callwright/callwright/internal/jsonx"

// OnlyCall is the call that a text consists of, with its arguments; nothing but white space stands around it.
func OnlyCall(text string, o Options) (c *Call, ok bool) {
	o.ReasoningPrimed, o.Quoted = false, nil
	c = onlyCall(o, text)
	return c, c != nil && (c.JSON != "" || len(c.Args) > 0)
}

// spoken reads an object that is an answer without calls: a text that says whether more work is needed, or thoughts alone. An object
// with any other member is what the model says.
func (r *reader) spoken(v []byte) {
	list, err := jsonx.ParseObject(v)
	if err != nil {
		return
	}
	content, pad, more := "", "", ""
	said := map[string]bool{}
	for _, m := range list {
		text, isText := jsonx.String(m.Value)
		switch {
		case said[m.Key]:
			return
		case m.Key == "content" && isText:
			content = text
		case m.Key == "scratchpad" && isText:
			pad = text
		case m.Key == "needsMoreWork" && jsonx.KindOf(m.Value) == jsonx.Bool:
			more = string(jsonx.Trim(m.Value))
		default:
			return
		}
		said[m.Key] = true
	}
	if !said["content"] && pad == "" || said["content"] && !said["needsMoreWork"] {
		return
	}
	r.content, r.reasoning, r.more, r.envelope = content, pad, more, true
}
