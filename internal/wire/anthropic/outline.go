package anthropic

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the visitor that makes the outline. The first turn is kept for the system text.
type outliner struct {
	kit.Outliner
	found
	added [][]byte // definitions of tools in blocks
	image bool     // the result at hand has an image
}

// found holds the facts about the turns so far beside their outline.
type found struct {
	effort   string // of the last message that sets one
	unsigned bool   // a block of reasoning has no signature
	late     bool   // a result stands behind other blocks
	madeUp   bool   // a text names a source that was made up for the client
}

// Size is the memory of f in bytes, about.
func (f found) Size() int { return 24 + len(f.effort) }

// Mark returns the facts about the turns so far. Definitions of tools are bytes of the body, which is not kept.
func (o *outliner) Mark() (kit.Found, bool) {
	if o.found == (found{}) {
		return nil, len(o.added) == 0
	}
	return o.found, len(o.added) == 0
}

// Resume restores the facts about earlier turns.
func (o *outliner) Resume(of kit.Found) { o.found, _ = of.(found) }

// blockPath is the place of a block of the message at hand, or below it.
func (o *outliner) blockPath(block int, below string) string {
	if o.N < 0 {
		return fmt.Sprintf("/system/%d%s", block, below)
	}
	return fmt.Sprintf("/messages/%d/content/%d%s", o.N, block, below)
}

// system reads the system text at i, which is a text or a list of blocks.
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

// messages reads the list of messages at i.
func (o *outliner) messages(w *kit.Walk, b []byte, at int) int {
	end := w.History(at, messageShape, o)
	if b[at] != '[' {
		o.Fail("/messages", "a list", b[at:end])
	}
	return end
}

// Enter begins a message, and counts its blocks.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	switch of.Kind {
	case ofMessage:
		o.N = n
		o.Begin()
		return !o.IsPast(func() string { return o.blockPath(0, "") })
	case ofBlock:
		o.image = false
	}
	return !o.IsPast(func() string { return o.blockPath(n, "") })
}

// Leave enters a block or a whole message into the outline.
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

// message finishes a turn once all its members were read.
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
	case v != nil || o.Turn.Role != callwright.RoleSystem: // one of the system may hold settings alone
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
		o.madeUp = o.madeUp || holdsMadeUp(b.Get(bCitations))
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

// wants reports whether a member of a block is the text that it has to be.
func (o *outliner) wants(b *kit.Object, slot int) bool {
	if jsonx.IsText(b.Get(slot)) {
		return true
	}
	o.Fail(o.blockPath(b.N, "/"+blockMembers[slot]), "a string", b.Get(slot))
	return false
}
