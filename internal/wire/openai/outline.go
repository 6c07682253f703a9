package openai

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the visitor that makes the outline.
type outliner struct {
	kit.Outliner
	n      int    // the message at hand
	legacy string // the id given to the last function_call
}

func (o *outliner) path(below string) string { return kit.Pointer("messages", o.n, below) }

func (o *outliner) fail(below, want string, got []byte) { o.Fail(o.path(below), want, got) }

// Enter begins a message, and counts its parts and calls.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofMessage {
		o.n = n
		o.Begin()
	}
	return !o.IsPast(func() string { return o.path("") })
}

// Leave enters a part, a call or a whole message into the outline.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofMessage:
		o.message(x)
	case ofPart:
		o.part(x)
	case ofCall:
		o.Calls = append(o.Calls, o.callOf(x))
	}
}

// message finishes a turn once all its members were read.
func (o *outliner) message(m *kit.Object) {
	if !m.IsObject() {
		o.fail("", "a message object", m.Raw())
		return
	}
	o.content(m)
	role, ok := roleOf(m.Get(mRole))
	switch {
	case ok:
	case jsonx.IsText(m.Get(mRole)):
		o.Fault(o.path("/role"), "expected system, developer, user, assistant or tool, got "+string(m.Get(mRole)))
	default:
		o.fail("/role", "a role", m.Get(mRole))
	}
	if o.Turn.Role = role; role == callwright.RoleTool {
		o.Results = append(o.Results, o.answered(m))
	}
	o.End(m.Span)
}

// content reads the members of a message that are no lists.
func (o *outliner) content(m *kit.Object) {
	switch v := m.Get(mContent); {
	case jsonx.IsArray(v):
		o.Turn.Parts = true
	case kit.IsTextOrNull(v):
		o.Text(v)
	default:
		o.fail("/content", "a string or a list of parts", v)
	}
	if v := m.Get(mCalls); !jsonx.IsArray(v) && !jsonx.IsNull(v) {
		o.fail("/tool_calls", "a list of calls", v)
	}
	if v := m.Get(mCallID); !kit.IsTextOrNull(v) {
		o.fail("/tool_call_id", "a string", v)
	}
	if v := m.Get(mLegacy); jsonx.IsObject(v) {
		in := jsonx.FieldsOf(v)
		o.legacy = legacyID(o.n)
		o.Calls = append(o.Calls, callwright.CallRef{ID: o.legacy, Name: jsonx.TextOf(in.Get("name")), Sound: o.IsSound(in.Get("arguments"))})
	}
	details := jsonx.IsArray(m.Get(mDetails))
	o.Turn.Signed = o.Turn.Signed || details
	o.Turn.Reasoning = o.Turn.Reasoning || details || isSaid(m.Get(mReasoning)) || isSaid(m.Get(mReasoningShort))
}

func isSaid(v []byte) bool { return jsonx.IsText(v) && len(v) > 2 }

// answered is the id of the call that a result answers.
func (o *outliner) answered(m *kit.Object) string {
	if m.Get(mCallID) == nil && m.Is(mRole, "function") {
		return o.legacy
	}
	return o.Keep(m.Get(mCallID))
}

// roleOf reads a role. The names of the results' role are tool and the older function.
func roleOf(v []byte) (callwright.Role, bool) {
	switch role := jsonx.Key(v); {
	case role.Is("system"), role.Is("developer"):
		return callwright.RoleSystem, true
	case role.Is("user"):
		return callwright.RoleUser, true
	case role.Is("assistant"):
		return callwright.RoleAssistant, true
	case role.Is("tool"), role.Is("function"):
		return callwright.RoleTool, true
	}
	return "", false
}

// part enters an element of content.
func (o *outliner) part(p *kit.Object) {
	words := p.Get(pText)
	switch k := string(jsonx.TextBytes(p.Get(pType))); {
	case !p.IsObject():
		o.fail(pathOf("/content/", p.N, ""), "a part object", p.Raw())
	case !jsonx.IsText(p.Get(pType)):
		o.fail(pathOf("/content/", p.N, "/type"), "a string", p.Get(pType))
	case k == "text" || k == "refusal":
		if k == "refusal" {
			words = p.Get(pRefusal)
		}
		if !jsonx.IsText(words) {
			o.fail(pathOf("/content/", p.N, "/"+k), "a string", words)
		}
		o.Text(words)
	case k == "image_url" || k == "input_audio" || k == "file":
		o.Turn.Media = true
	case k == "thinking":
		o.Turn.Reasoning = true
	}
}

// callOf reads one of tool_calls.
func (o *outliner) callOf(c *kit.Object) callwright.CallRef {
	if !c.IsObject() {
		o.fail(pathOf("/tool_calls/", c.N, ""), "a call object", c.Raw())
		return callwright.CallRef{}
	}
	if !kit.IsTextOrNull(c.Get(cID)) {
		o.fail(pathOf("/tool_calls/", c.N, "/id"), "a string", c.Get(cID))
	}
	ref := callwright.CallRef{ID: o.Keep(c.Get(cID))}
	switch {
	case jsonx.IsObject(c.Get(cFunction)):
		if !jsonx.IsText(c.Get(cName)) {
			o.fail(pathOf("/tool_calls/", c.N, "/function/name"), "a string", c.Get(cName))
		}
		ref.Name, ref.Sound = o.Keep(c.Get(cName)), o.IsSound(c.Get(cArguments))
	case jsonx.IsObject(c.Get(cCustom)):
		ref.Name, ref.Sound = kit.TextAt(c.Get(cCustom), "name"), true
	default:
		o.fail(pathOf("/tool_calls/", c.N, "/function"), "an object", c.Get(cFunction))
	}
	o.Turn.Signed = o.Turn.Signed || jsonx.IsObject(c.Get(cExtra))
	return ref
}

// pathOf is the place of element n of a list in its message, or below it.
func pathOf(list string, n int, below string) string { return list + strconv.Itoa(n) + below }
