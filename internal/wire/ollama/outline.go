package ollama

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the kit.Visitor that summarizes the messages of a request and validates the types of their members. It
// generates ids for calls and results that have none.
type outliner struct {
	kit.Outliner
	open   kit.Waiting  // unanswered calls of the last assistant message
	marked *kit.Waiting // a copy of open, nil if open has changed since
}

// mostMarked is the maximum number of open calls with which a history is cached. Each result changes the open calls, so
// that the cache has to store a copy of them for each message.
const mostMarked = 16

// Mark returns a copy of the open calls, or nil if there are none. ok is false if there are more than mostMarked.
func (o *outliner) Mark() (kit.Found, bool) {
	switch n := o.open.Len(); {
	case n == 0:
		return nil, true
	case n > mostMarked:
		return nil, false
	}
	if o.marked == nil {
		open := o.open.Clone()
		o.marked = &open
	}
	return o.marked, true
}

// Resume restores the open calls that Mark returned after the same messages in an earlier request.
func (o *outliner) Resume(of kit.Found) {
	if open, ok := of.(*kit.Waiting); ok {
		o.open = open.Clone()
	}
}

// Enter is called before element n of a list is read. For a message it starts a new summary. It returns false, so that
// the element is skipped, after an error or beyond kit.MaxParts elements.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofMessage {
		o.N = n
		o.Begin()
	}
	return !o.SkipElement(func() string { return o.Path("") })
}

// Leave is called after the members of x have been read. It records x, which is a message, call or image.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofMessage:
		o.message(x)
	case ofCall:
		o.call(x)
	case ofImage:
		if o.Turn.Media = true; !jsonx.IsText(x.Raw()) {
			o.FailAt("/images/"+strconv.Itoa(x.N), "base64 text", x.Raw())
		}
	}
}

// roles maps the roles of this API to those of package callwright. A developer message becomes a system message,
// because few model templates support that role.
var roles = kit.Roles{{"system", callwright.RoleSystem}, {"developer", callwright.RoleSystem}, {"user", callwright.RoleUser},
	{"assistant", callwright.RoleAssistant}, {"tool", callwright.RoleTool}}

// message validates a message and appends its summary to the outline. It ignores calls and reasoning unless the message
// is the assistant's.
func (o *outliner) message(m *kit.Object) {
	if !m.IsObject() {
		o.FailAt("", "a message object", m.Raw())
		return
	}
	o.members(m)
	o.Role(m.Get(mRole), roles, "system, user, assistant or tool")
	switch o.Turn.Role {
	case callwright.RoleTool:
		o.Results = append(o.Results, o.resolveCallID(m))
	case callwright.RoleAssistant:
		o.open.Keep(o.open.Len())
		o.marked = nil
		for _, c := range o.TurnCalls() {
			o.open.Add(c.ID, c.Name, false)
		}
	}
	if o.Turn.Role != callwright.RoleAssistant {
		o.DropCalls()
		o.Turn.Reasoning = false
	}
	o.End(m.Span)
}

// members validates the members of a message that are not lists of objects, and records its text and reasoning.
func (o *outliner) members(m *kit.Object) {
	for _, t := range [...]struct {
		slot  int
		below string
	}{{mContent, "/content"}, {mThinking, "/thinking"}, {mCallID, "/tool_call_id"}, {mToolName, "/tool_name"}} {
		if v := m.Get(t.slot); !kit.IsTextOrNull(v) {
			o.FailAt(t.below, "a string", v)
		}
	}
	if v := m.Get(mCalls); !jsonx.IsArray(v) && !jsonx.IsNull(v) {
		o.FailAt("/tool_calls", "a list of calls", v)
	}
	if v := m.Get(mImages); !jsonx.IsArray(v) && !jsonx.IsNull(v) {
		o.FailAt("/images", "a list of images", v)
	}
	if v := m.Get(mContent); isNonEmptyString(v) {
		o.Text(v)
	}
	o.Turn.Reasoning = isNonEmptyString(m.Get(mThinking)) || m.Get(mCarrier) != nil
}

// resolveCallID returns the id of the call that a result message answers: the call with its tool_call_id. Without a
// tool_call_id, it is the first unanswered call of the tool in tool_name (or name), or of any tool if that is missing
// too. If there is no such call, the result is tool_call_id, which may be "".
func (o *outliner) resolveCallID(m *kit.Object) string {
	want := kit.Want{ID: o.Keep(m.Get(mCallID))}
	if want.ID == "" {
		if want.Name = m.Text(mToolName); want.Name == "" {
			want.Name = m.Text(mName)
		}
	}
	if call, ok := o.open.Take(want); ok {
		o.marked = nil
		return call
	}
	return want.ID
}

// call validates an element of tool_calls and adds it to the outline. It is sound only if its arguments are an object,
// because Ollama rejects any other value.
func (o *outliner) call(c *kit.Object) {
	place := "/tool_calls/" + strconv.Itoa(c.N)
	switch {
	case !c.IsObject():
		o.FailAt(place, "a call object", c.Raw())
	case !jsonx.IsObject(c.Get(cFunction)):
		o.FailAt(place+"/function", "an object", c.Get(cFunction))
	case !jsonx.IsText(c.Get(cName)):
		o.FailAt(place+"/function/name", "a string", c.Get(cName))
	case !kit.IsTextOrNull(c.Get(cID)):
		o.FailAt(place+"/id", "a string", c.Get(cID))
	}
	ref := callwright.CallRef{ID: o.Keep(c.Get(cID)), Name: o.Keep(c.Get(cName)), Sound: jsonx.IsObject(c.Get(cArguments))}
	if ref.ID == "" {
		ref.ID = callid.DeriveID(o.N, c.N)
	}
	o.Calls = append(o.Calls, ref)
}
