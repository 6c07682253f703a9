package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// modelTurn writes the items of one assistant message.
type modelTurn struct {
	*historyWriter
	thought          *callwright.Reasoning // reasoning to be written before the next item
	reasoningLeftOut bool                  // reasoning was omitted: later items are written without ids, which refer to it
	open             bool                  // a message item is open
}

// assistant writes an assistant message as items.
func (h *historyWriter) assistant(m callwright.Message) {
	for _, p := range m.Parts {
		if c, ok := p.(callwright.Call); ok {
			h.forms[c.ID] = h.formOf(c)
		}
	}
	if raw, same := h.findUnchanged(m); same {
		h.Raw("", raw)
		return
	}
	t := modelTurn{historyWriter: h, reasoningLeftOut: h.caps.History.NoItemIDs && !items.HaveReasoning(m.Parts)}
	if t.reasoningLeftOut {
		h.notes.Add(callwright.Note{Rule: "history.item_id", Path: "/input", Why: "the ids of the items refer to reasoning that is missing"})
	}
	for _, p := range h.callsLast(m.Parts) {
		t.part(p)
	}
	t.close()
	if t.thought != nil {
		h.notes.Add(callwright.Note{Rule: "history.orphan_reasoning", Path: "/input",
			Was: t.thought.ID, Why: "the API refuses reasoning without the item that followed it"})
	}
}

// callsLast moves the calls of a message from another API behind its texts, because some servers treat calls with a
// text in between as calls of different turns. The items of a message from this API keep their order.
func (h *historyWriter) callsLast(parts []callwright.Part) []callwright.Part {
	called, mixed := false, false
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Call:
			if h.ownState(p.Origin) {
				return parts
			}
			called = true
		case callwright.Reasoning:
			if h.ownState(p.Origin) {
				return parts
			}
		case callwright.Text:
			mixed = mixed || called
		}
	}
	if !mixed {
		return parts
	}
	h.notes.Add(callwright.Note{Rule: "history.calls_last", Path: "/input", Why: "the calls of a turn must be adjacent"})
	out := make([]callwright.Part, 0, len(parts))
	for _, p := range parts {
		if _, is := p.(callwright.Call); !is {
			out = append(out, p)
		}
	}
	for _, c := range callwright.CallsOf(parts) {
		out = append(out, c)
	}
	return out
}

// ownState reports whether opaque state of the origin o came over this API.
func (h *historyWriter) ownState(o callwright.Origin) bool {
	if o.Wire == "" {
		return companion.Of(h.req).Body == nil || h.body != nil
	}
	return o.Wire == callwright.WireResponses
}

func (t *modelTurn) part(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Text:
		t.text(p)
	case callwright.Reasoning:
		t.close()
		t.reasoning(p)
	case callwright.Call:
		t.close()
		t.lead()
		t.call(p)
	case callwright.Opaque:
		switch {
		case p.Extra.Wire != callwright.WireResponses:
			t.notes.Add(callwright.Note{Rule: "history.opaque", Path: "/input",
				Was: string(p.Extra.JSON), Why: "only the wire of the message has this part"})
		case t.functionsOnly:
			t.notes.Add(items.LeftOut(p))
		case items.IsRefused(t.caps.RefusedState, items.StateOf(p.Extra.JSON)):
			t.notes.Add(callwright.Note{Rule: "history.opaque", Path: "/input", Was: kit.TextAt(p.Extra.JSON, "type"), Why: whyRefused})
		default:
			t.close()
			t.lead()
			t.Raw("", p.Extra.JSON)
		}
	case callwright.Image, callwright.File:
		t.notes.Add(callwright.Note{Rule: "history.media", Path: "/input",
			Why: "assistant messages can contain only text"})
	}
}

// lead writes the reasoning that has to precede the next item, if there is any.
func (t *modelTurn) lead() {
	if r := t.thought; r != nil {
		t.thought = nil
		t.Open("", '{')
		t.reasoningBody(*r, r.ID, r.Redacted)
		t.Close('}')
	}
}

// reasoning stores reasoning that may be sent back, for lead. It omits any other reasoning and adds a note.
func (t *modelTurn) reasoning(r callwright.Reasoning) {
	ownState := t.ownState(r.Origin)
	why := "reasoning goes back only with its encrypted content"
	if items.IsRefused(t.caps.RefusedState, r.Redacted) {
		r.Redacted, r.ID, why = "", "", whyRefused
	}
	switch {
	case ownState && (r.Redacted != "" || r.ID != "" && t.providerKeeps) && t.caps.History.ReasoningBack != caps.ReasoningBackNever:
		if t.thought != nil {
			t.lead()
		}
		t.thought = &r
		return
	case ownState:
		t.reasoningLeftOut = true
	case r.Redacted != "" || r.Signature != "":
		t.foreign("")
	}
	if ownState || strings.TrimSpace(r.Text) != "" {
		t.notes.Add(callwright.Note{Rule: "history.reasoning_left_out", Path: "/input",
			Was: r.Text, Why: why})
	}
}

// whyRefused is the reason in notes about opaque state that is omitted because the provider rejected it before.
const whyRefused = "the provider could not verify it"

// membersToSkip returns more, plus "id" if reasoning was omitted: the provider would look for the reasoning by the id.
func (t *modelTurn) membersToSkip(more ...string) []string {
	if t.reasoningLeftOut {
		return append(more, "id")
	}
	return more
}

// text writes a text as a content part. It begins a new message item if none is open or p.Extra has the member "item".
func (t *modelTurn) text(p callwright.Text) {
	item := own.Member(p.Extra, "item")
	switch {
	case item == nil && p.Text == "" && !t.open:
		return
	case item != nil && t.caps.History.NoEmptyAssistant && strings.TrimSpace(p.Text) == "":
		t.close()
		t.notes.Add(callwright.Note{Rule: "history.empty_content", Path: "/input", Was: string(callwright.RoleAssistant),
			Why: "the provider refuses a message without content"})
		return
	}
	if item != nil || !t.open {
		t.close()
		t.lead()
		t.open = true
		t.Open("", '{')
		if item == nil {
			t.Text("type", "message") // optional in the API, required by llama-server
		}
		t.Text("role", string(callwright.RoleAssistant))
		t.Extra(own.Extra(item), t.membersToSkip()...)
		t.Open("content", '[')
	}
	t.textPart("output_text", p)
}

// close ends the open message item, if any.
func (t *modelTurn) close() {
	if t.open {
		t.open = false
		t.Buf = append(t.Buf, "]}"...)
	}
}

// formOf returns the item type in which the call c is written for the provider.
func (h *historyWriter) formOf(c callwright.Call) *items.Form {
	if c.Type == callwright.CustomTool && h.caps.CustomTools == caps.No {
		return items.Function
	}
	if c.Type == callwright.CustomTool {
		return items.Custom
	}
	if f := items.FormOf(jsonx.TextOf(own.Member(c.Extra, "type"))); f.Tool != "" && f.Tool == c.Name && !h.flat && !h.functionsOnly {
		return f
	}
	return items.Function
}

// foreign adds a note that opaque state was omitted. call is the id of its call, "" for the state of reasoning.
func (t *modelTurn) foreign(call string) {
	t.notes.Add(callwright.Note{Rule: "history.foreign_signature", Call: call, Path: "/input",
		Why: "opaque state is sent only to its origin"})
}

// call writes one call item.
func (t *modelTurn) call(c callwright.Call) {
	if c.Signature != "" && !t.ownState(c.Origin) {
		t.foreign(c.ID)
	}
	f := t.formOf(c)
	if c.Type == callwright.CustomTool && f.Kind != callwright.CustomTool {
		c.Arguments, c.Input = kit.CustomArguments(c.Input), ""
	}
	name, namespace := t.clientName(c)
	t.Open("", '{')
	if f.Tool == "" {
		t.Text("type", f.Call)
	}
	t.Text("call_id", t.mapID(c.ID))
	if f.Tool == "" {
		t.Text("name", name)
		t.OptionalText("namespace", namespace)
	}
	t.input(f, c)
	switch {
	case f.Tool == "" && c.Type == callwright.CustomTool && f.Kind != c.Type:
		t.Extra(c.Extra, t.membersToSkip("type", "id", "name", "namespace")...)
	case f.Tool != "" || items.FormOf(jsonx.TextOf(own.Member(c.Extra, "type"))).Tool == "":
		t.Extra(c.Extra, t.membersToSkip("name", "namespace")...)
	}
	t.Close('}')
}

// clientName returns the provider's name of the tool of a call, and its namespace, "" for a tool outside namespaces.
func (h *historyWriter) clientName(c callwright.Call) (name, namespace string) {
	ns, inside := jsonx.TextOf(own.Member(c.Extra, "namespace")), jsonx.TextOf(own.Member(c.Extra, "name"))
	if ns == "" || h.flat || c.Name != items.JoinedName(ns, inside) {
		return c.Name, ""
	}
	return inside, ns
}

// input writes the member with the input of a call, in the JSON type that the item type f has for it.
func (w *writer) input(f *items.Form, c callwright.Call) {
	switch {
	case f.Kind == callwright.CustomTool:
		w.Text(f.Input, c.Input)
	case f.Tool != "":
		if jsonx.Valid(c.Arguments) == nil {
			w.Raw(f.Input, c.Arguments)
			return
		}
		w.Raw(f.Input, []byte("{}"))
	case len(c.Arguments) == 0:
		w.Text(f.Input, "{}")
	default:
		w.Key(f.Input)
		w.Buf = jsonx.AppendQuote(w.Buf, c.Arguments)
	}
}

// reasoningBody writes the members of a reasoning item. encrypted is its encrypted_content.
func (w *writer) reasoningBody(r callwright.Reasoning, id, encrypted string) {
	w.Text("type", "reasoning")
	w.OptionalText("id", id)
	if own.Member(r.Extra, "summary") == nil {
		w.Open("summary", '[')
		if r.Text != "" && items.JoinedTexts(own.Member(r.Extra, "content")) == "" {
			w.Open("", '{')
			w.Text("type", "summary_text")
			w.Text("text", r.Text)
			w.Close('}')
		}
		w.Close(']')
	}
	w.OptionalText("encrypted_content", encrypted)
	w.Extra(r.Extra, "type", "id", "encrypted_content")
}
