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
	found
}

// found holds the facts about the turns so far beside their outline.
type found struct {
	legacy  string // the id given to the last function_call
	untyped bool   // a call came without its type
}

// Size is the memory of f in bytes, about.
func (f found) Size() int { return 24 + len(f.legacy) }

// Mark returns the facts about the turns so far.
func (o *outliner) Mark() (kit.Found, bool) {
	if o.found == (found{}) {
		return nil, true
	}
	return o.found, true
}

// Resume restores the facts about earlier turns.
func (o *outliner) Resume(of kit.Found) { o.found, _ = of.(found) }

// Enter begins a message, and counts its parts and calls.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofMessage {
		o.N = n
		o.Begin()
	}
	return !o.IsPast(func() string { return o.Path("") })
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
		o.FailAt("", "a message object", m.Raw())
		return
	}
	o.content(m)
	if o.Role(m.Get(mRole), roles, "system, developer, user, assistant or tool"); o.Turn.Role == callwright.RoleTool {
		o.Results = append(o.Results, o.resolveCallID(m))
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
		o.FailAt("/content", "a string or a list of parts", v)
	}
	if v := m.Get(mCalls); !jsonx.IsArray(v) && !jsonx.IsNull(v) {
		o.FailAt("/tool_calls", "a list of calls", v)
	}
	if v := m.Get(mCallID); !kit.IsTextOrNull(v) {
		o.FailAt("/tool_call_id", "a string", v)
	}
	if v := m.Get(mLegacy); jsonx.IsObject(v) {
		in := jsonx.FieldsOf(v)
		o.legacy = legacyID(o.N)
		o.Calls = append(o.Calls, callwright.CallRef{ID: o.legacy, Name: jsonx.TextOf(in.Get("name")), Sound: o.IsSound(in.Get("arguments"))})
	}
	details := jsonx.IsArray(m.Get(mDetails))
	o.Turn.Signed = o.Turn.Signed || details
	o.Turn.Reasoning = o.Turn.Reasoning || details || isSaid(m.Get(mReasoning)) || isSaid(m.Get(mReasoningShort))
}

func isSaid(v []byte) bool { return jsonx.IsText(v) && len(v) > 2 }

// resolveCallID is the id of the call that a result answers.
func (o *outliner) resolveCallID(m *kit.Object) string {
	if m.Get(mCallID) == nil && m.Is(mRole, "function") {
		return o.legacy
	}
	return o.Keep(m.Get(mCallID))
}

// roles are the roles of messages; function is the older name of tool.
var roles = kit.Roles{{"system", callwright.RoleSystem}, {"developer", callwright.RoleSystem}, {"user", callwright.RoleUser},
	{"assistant", callwright.RoleAssistant}, {"tool", callwright.RoleTool}, {"function", callwright.RoleTool}}

// part enters an element of content.
func (o *outliner) part(p *kit.Object) {
	words := p.Get(pText)
	switch k := string(jsonx.TextBytes(p.Get(pType))); {
	case !p.IsObject():
		o.FailAt(pathOf("/content/", p.N, ""), "a part object", p.Raw())
	case !jsonx.IsText(p.Get(pType)):
		o.FailAt(pathOf("/content/", p.N, "/type"), "a string", p.Get(pType))
	case k == "text" || k == "refusal":
		if k == "refusal" {
			words = p.Get(pRefusal)
		}
		if !jsonx.IsText(words) {
			o.FailAt(pathOf("/content/", p.N, "/"+k), "a string", words)
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
		o.FailAt(pathOf("/tool_calls/", c.N, ""), "a call object", c.Raw())
		return callwright.CallRef{}
	}
	if !kit.IsTextOrNull(c.Get(cID)) {
		o.FailAt(pathOf("/tool_calls/", c.N, "/id"), "a string", c.Get(cID))
	}
	o.untyped = o.untyped || jsonx.IsNull(c.Get(cType))
	ref := callwright.CallRef{ID: o.Keep(c.Get(cID))}
	switch {
	case jsonx.IsObject(c.Get(cFunction)):
		if !jsonx.IsText(c.Get(cName)) {
			o.FailAt(pathOf("/tool_calls/", c.N, "/function/name"), "a string", c.Get(cName))
		}
		ref.Name, ref.Sound = o.Keep(c.Get(cName)), o.IsSound(c.Get(cArguments))
	case jsonx.IsObject(c.Get(cCustom)):
		ref.Name, ref.Sound = kit.TextAt(c.Get(cCustom), "name"), true
	default:
		o.FailAt(pathOf("/tool_calls/", c.N, "/function"), "an object", c.Get(cFunction))
	}
	o.Turn.Signed = o.Turn.Signed || jsonx.IsObject(c.Get(cExtra))
	return ref
}

// pathOf is the place of element n of a list in its message, or below it.
func pathOf(list string, n int, below string) string { return list + strconv.Itoa(n) + below }
