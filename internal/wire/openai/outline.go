package openai

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the kit.Visitor that summarizes the messages of a request and validates the types of their members.
type outliner struct {
	kit.Outliner
	found
}

// found holds facts about the messages read so far that their summaries do not contain.
type found struct {
	legacy  string // the id generated for the last function_call, which has none
	untyped bool   // a tool call has no member "type"
}

// Size returns the approximate size of f in bytes.
func (f found) Size() int { return 24 + len(f.legacy) }

// Mark returns a copy of o.found, or nil if it is zero. ok is always true.
func (o *outliner) Mark() (kit.Found, bool) {
	if o.found == (found{}) {
		return nil, true
	}
	return o.found, true
}

// Resume restores the facts that Mark returned after the same messages in an earlier request.
func (o *outliner) Resume(of kit.Found) { o.found, _ = of.(found) }

// Enter is called before element n of a list is read. For a message it starts a new summary. It returns false, so that
// the element is skipped, after an error or beyond kit.MaxParts elements.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofMessage {
		o.N = n
		o.Begin()
	}
	return !o.SkipElement(func() string { return o.Path("") })
}

// Leave is called after the members of x have been read. It records x, which is a message, content part or tool call.
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

// message validates a message and appends its summary to the outline.
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

// content validates the members of a message whose values are not lists of objects, and records its text, its
// function_call and its reasoning.
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

// resolveCallID returns the id of the call that a result message answers. A message of the role "function" without
// tool_call_id answers the last function_call.
func (o *outliner) resolveCallID(m *kit.Object) string {
	if m.Get(mCallID) == nil && m.Is(mRole, "function") {
		return o.legacy
	}
	return o.Keep(m.Get(mCallID))
}

// roles maps the roles of this API to those of package callwright. "function" is the deprecated name of "tool".
var roles = kit.Roles{{"system", callwright.RoleSystem}, {"developer", callwright.RoleSystem}, {"user", callwright.RoleUser},
	{"assistant", callwright.RoleAssistant}, {"tool", callwright.RoleTool}, {"function", callwright.RoleTool}}

// part validates an element of a content list and records its type in the summary of the message.
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

// callOf validates an element of tool_calls and returns its id and name and whether its arguments are a valid JSON
// object.
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

// pathOf returns the JSON pointer list + n + below, relative to a message: pathOf("/content/", 2, "/type") is
// "/content/2/type".
func pathOf(list string, n int, below string) string { return list + strconv.Itoa(n) + below }
