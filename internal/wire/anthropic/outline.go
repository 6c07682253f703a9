package anthropic

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the kit.Visitor that summarizes the messages of a request and validates the types of their members.
// Outline[0] and Spans[0] are reserved for the system prompt.
type outliner struct {
	kit.Outliner
	found
	added [][]byte // tool definitions inside message blocks
	image bool     // the current tool result has an image
}

// found holds facts about the messages read so far that their summaries do not contain.
type found struct {
	effort               string // output_config.effort of the last message that has it
	unsigned             bool   // a thinking block has no signature
	late                 bool   // a tool result follows other blocks of its message
	hasSyntheticCitation bool   // a text has a citation that this codec made for the client
}

// Size returns the approximate size of f in bytes.
func (f found) Size() int { return 24 + len(f.effort) }

// Mark returns a copy of o.found, or nil if it is zero. ok is false if messages define tools, because these alias the
// body and cannot be cached.
func (o *outliner) Mark() (kit.Found, bool) {
	if o.found == (found{}) {
		return nil, len(o.added) == 0
	}
	return o.found, len(o.added) == 0
}

// Resume restores the facts that Mark returned after the same messages in an earlier request.
func (o *outliner) Resume(of kit.Found) { o.found, _ = of.(found) }

// blockPath returns the JSON pointer to a block of the current message, with below appended.
func (o *outliner) blockPath(block int, below string) string {
	if o.N < 0 {
		return fmt.Sprintf("/system/%d%s", block, below)
	}
	return fmt.Sprintf("/messages/%d/content/%d%s", o.N, block, below)
}

// system reads the system prompt, a string or a list of blocks, that begins at b[at]. It returns the offset of its end.
func (o *outliner) system(w *kit.Walk, b []byte, at int) int {
	o.N = -1
	o.Begin()
	end := w.List(at, blockShape)
	switch v := b[at:end]; jsonx.KindOf(v) {
	case jsonx.Array:
		o.Turn.Parts = true
	case jsonx.Text:
		o.Text(v)
	case jsonx.Null:
		return end
	default:
		o.Fail("/system", "a string or a list of blocks", v)
	}
	o.Turn.Role = callwright.RoleSystem
	o.Outline[0], o.Spans[0] = o.Turn, kit.Span{From: at, To: end}
	return end
}

// messages reads the list of messages that begins at b[at]. It returns the offset of its end.
func (o *outliner) messages(w *kit.Walk, b []byte, at int) int {
	end := w.History(at, messageShape, o)
	if b[at] != '[' {
		o.Fail("/messages", "a list", b[at:end])
	}
	return end
}

// Enter is called before element n of a list is read. For a message it starts a new summary. It returns false, so that
// the element is skipped, after an error or beyond kit.MaxParts elements.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	switch of.Kind {
	case ofMessage:
		o.N = n
		o.Begin()
		return !o.SkipElement(func() string { return o.blockPath(0, "") })
	case ofBlock:
		o.image = false
	}
	return !o.SkipElement(func() string { return o.blockPath(n, "") })
}

// Leave is called after the members of x have been read. It records x, which is a message or a content block.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofMessage:
		o.message(x)
	case ofBlock:
		o.block(x)
	case ofInner:
		o.image = o.image || x.Is(bType, "image")
	}
}

// message validates a message and appends its summary to the outline.
func (o *outliner) message(m *kit.Object) {
	if !m.IsObject() {
		o.FailAt("", "an object", m.Raw())
		return
	}
	o.Role(m.Get(mRole), roles, "user, assistant or system")
	switch v := m.Get(mContent); {
	case jsonx.IsArray(v):
		o.Turn.Parts = true
	case jsonx.IsText(v):
		o.Text(v)
	case v != nil || o.Turn.Role != callwright.RoleSystem: // a system message may have only output_config
		o.FailAt("/content", "a string or a list of blocks", v)
	}
	if v, _ := jsonx.Find(m.Get(mConfig), "effort"); jsonx.IsText(v) {
		o.effort = jsonx.TextOf(v)
	}
	o.End(m.Span)
}

var roles = kit.Roles{{"user", callwright.RoleUser}, {"assistant", callwright.RoleAssistant}, {"system", callwright.RoleSystem}}

func (o *outliner) block(b *kit.Object) {
	t := &o.Turn
	if !b.IsObject() {
		o.Fail(o.blockPath(b.N, ""), "an object", b.Raw())
		return
	}
	if !o.wants(b, bType) {
		return
	}
	switch string(jsonx.TextBytes(b.Get(bType))) {
	case "text":
		if o.wants(b, bText) {
			o.Text(b.Get(bText))
		}
		o.hasSyntheticCitation = o.hasSyntheticCitation || holdsMadeUp(b.Get(bCitations))
	case "image", "document":
		t.Media = true
	case "thinking":
		t.Reasoning, o.unsigned = true, o.unsigned || len(jsonx.TextBytes(b.Get(bSignature))) == 0
	case "redacted_thinking":
		t.Reasoning = true
	case "tool_use":
		if o.wants(b, bID) && o.wants(b, bName) {
			o.Calls = append(o.Calls, callwright.CallRef{ID: o.Keep(b.Get(bID)), Name: o.Keep(b.Get(bName)), Sound: jsonx.IsObject(b.Get(bInput))})
		}
	case additionMark:
		if v := addedTool(b.Raw()); v != nil {
			o.added = append(o.added, v)
		}
	case "tool_result":
		o.late = o.late || t.Text || t.Blank || t.Media
		if o.wants(b, bResultOf) {
			o.Results = append(o.Results, o.Keep(b.Get(bResultOf)))
			t.ResultImages = t.ResultImages || o.image
		}
	}
}

// wants reports whether a member of a block is a string, and records an error if it is not. slot is the member's index
// in blockMembers.
func (o *outliner) wants(b *kit.Object, slot int) bool {
	if jsonx.IsText(b.Get(slot)) {
		return true
	}
	o.Fail(o.blockPath(b.N, "/"+blockMembers[slot]), "a string", b.Get(slot))
	return false
}
