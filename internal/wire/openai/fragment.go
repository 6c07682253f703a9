package openai

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// fragment is a decoded element of tool_calls in a delta. Its JSON values alias the delta.
type fragment struct {
	index     int // -1 if missing or not a number from 0
	id, name  string
	kind      callwright.ToolType
	typed     bool // the member "type" is a string
	args      string
	written   []byte // the JSON string of the arguments, nil if they are not a string
	hasArgs   bool   // the member "arguments" (or "input") is present, even if empty
	object    bool   // the arguments are JSON in place of a string
	flat      bool   // name and arguments are beside the id, not in "function"
	signature string
	extra     callwright.Extra // unknown members, kept only if there is an id or a name
}

// startsValue reports whether the arguments start with "{" after white space, so that they may begin a new call.
func (f *fragment) startsValue() bool {
	return strings.HasPrefix(strings.TrimLeft(f.args, " \t\r\n"), "{")
}

// fragmentOf decodes a fragment. v is the element of tool_calls. For the deprecated function_call, v is nil and f is
// its object.
func fragmentOf(v, f []byte) fragment {
	out := fragment{index: -1}
	custom, other, flat := []byte(nil), false, false // other: there are unknown members
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("index"):
			if n, err := strconv.Atoi(string(m)); err == nil && n >= 0 {
				out.index = n
			}
		case k.Is("id"):
			out.id = jsonx.TextOf(m)
		case k.Is("type"):
			out.typed = jsonx.IsText(m)
		case k.Is("function") && jsonx.IsObject(m):
			f = m
		case k.Is("custom") && jsonx.IsObject(m):
			custom = m
		case k.Is("name"), k.Is("arguments"):
			flat = true
		case k.Is("extra_content"):
			out.signature, other = signatureOf(v), true
		default:
			other = true
		}
	}
	if custom != nil && (f == nil || namesFunction(custom)) { // some servers send an empty one beside a function
		f, out.kind = custom, callwright.CustomTool
	}
	if out.flat = flat && f == nil; out.flat {
		f = v
	}
	for k, m := range jsonx.Members(f) {
		switch {
		case k.Is("name"):
			out.name = jsonx.TextOf(m)
		case k.Is("input") && out.kind == callwright.CustomTool:
			out.args, out.hasArgs = jsonx.TextOf(m), true
		case k.Is("arguments"):
			out.hasArgs = true
			switch {
			case jsonx.IsText(m):
				out.args, out.written = jsonx.TextOf(m), m
			case !jsonx.IsNull(m):
				out.args, out.object = string(jsonx.Compact(nil, m)), true
			}
		default:
			other = true
		}
	}
	if other && !out.flat && out.id+out.name != "" {
		out.extra = own.ExtraOf(v, fragmentKeys, nestedInCalls...)
	}
	return out
}

// fragments decodes the member tool_calls of a delta.
func (d *streamDecoder) fragments(v []byte) {
	switch {
	case jsonx.IsObject(v):
		d.found.Add(foundSingle)
		d.fragment(fragmentOf(v, nil))
	case jsonx.IsArray(v):
		n := 0
		for e := range jsonx.Elements(v) {
			if n++; n == 2 {
				d.found.Add(foundMany)
			}
			f := fragmentOf(e, nil)
			if n == 1 {
				d.hint.Value.call, d.hint.Value.calls = max(f.index, 0), true
			}
			d.fragment(f)
		}
	}
}

// fragment adds a fragment to its call, or begins a new call with it. A fragment that matches no open call is ignored.
func (d *streamDecoder) fragment(f fragment) {
	if f.id == "" && f.name == "" && f.args == "" {
		return
	}
	if len(f.written) > len(`""`) {
		d.piece.text, d.piece.inCall, d.piece.fragment = f.written, true, f
	}
	d.said = true
	d.thoughts.close(d)
	if f.flat {
		d.found.Add(foundLegacy)
	}
	if f.object {
		d.found.Add(foundObject)
	}
	a := &d.calls
	c, fresh := a.match(f)
	if c != nil && !fresh && c.decide(f) {
		d.found.Add(foundTotal)
		c, fresh = a.match(f)
	}
	if c != nil && c.again && !fresh && f.name == "" && f.startsValue() {
		f.id, f.name, fresh = c.id, c.name, true
	}
	switch {
	case fresh:
		if c != nil && c.isDoubtWhole() && c.finalize() {
			d.found.Add(foundTotal)
		}
		c = a.begin(d, f)
	case c == nil || c.ended:
		d.rewritten = d.rewritten || f.args != ""
		if c == nil || strings.TrimSpace(f.args) != "" && !(len(c.args) >= len(f.args) && string(c.args[:len(f.args)]) == f.args) {
			d.found.Add(foundStray)
		}
		return
	default:
		a.updateCall(d, c, f)
	}
	if c.signature == "" {
		c.signature = f.signature
	}
	if f.args != "" && c.n+1 < len(a.calls) {
		d.found.Add(foundMixed)
	}
	if c.addDelta(f.args) {
		d.found.Add(foundTotal)
	}
	a.pump(d)
	// Events that are held back are sent with a later event, so the bytes of this one must not be forwarded.
	switch {
	case a.head+1 == len(a.calls):
	case a.calls[a.head].canBeComplete():
		d.tail.Begin()
	default:
		d.rewritten = true
	}
	d.rewritten = d.rewritten || c.doubt != ""
}
