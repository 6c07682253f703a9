package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// fits reports whether message i of the client's body can be sent unchanged: the provider accepts its arguments, ids
// and media, it has no opaque state of another API, and its calls are signed if the model requires it.
func (e *requestEncoder) fits(i int) bool {
	t := &e.body.Outline[i]
	for _, c := range t.Calls {
		if !c.Sound || !e.caps.IDs.Accepts(c.ID) && !callid.IsDerived(c.ID) {
			return false
		}
	}
	switch {
	case t.Role == callwright.RoleSystem && (!e.instructs() || e.body.Raw[e.body.Spans[i].From] == '"'):
		return false
	case empty(t): // refused
		return false
	case e.caps.History.SignedCalls && len(t.Calls) > 0 && !e.body.marksOf(i).signed:
		return false
	case e.body.marksOf(i).behind, e.body.marksOf(i).hasEmptyContent && e.caps.History.NoEmptyAssistant: // refused
		return false
	}
	return !e.body.foreign(i)
}

// empty reports whether a message has no parts.
func empty(t *callwright.Summary) bool {
	return !t.Text && !t.Blank && !t.Media && !t.Reasoning && len(t.Calls) == 0 && len(t.Results) == 0
}

// isPaired reports whether message i is in a valid position: calls follow a user message, and the message after them
// has a result for each.
func isPaired(turns []callwright.Summary, i int) bool {
	t := &turns[i]
	if t.Role == callwright.RoleAssistant && len(t.Calls) > 0 {
		if i == 0 || turns[i-1].Role == callwright.RoleAssistant || turns[i-1].Role == callwright.RoleSystem {
			return false
		}
		if i+1 < len(turns) && len(turns[i+1].Results) != len(t.Calls) {
			return false
		}
	}
	return len(t.Results) == 0 || i > 0 && len(turns[i-1].Calls) == len(t.Results)
}

// history writes the member contents. Before that, it calls begin with the system instruction as JSON, if there is one.
func (e *requestEncoder) history(messages []callwright.Message, begin func(system []byte)) {
	h := historyWriter{requestEncoder: e, came: e.originals(), names: map[string]string{}, sent: map[string]string{}}
	start := 0
	for e.instructs() && start < len(messages) && messages[start].Role == callwright.RoleSystem {
		start++
	}
	if system := h.system(messages[:start]); system != nil {
		begin(system)
	}
	messages = messages[start:]
	e.Open("contents", '[')
	if len(messages) > 0 && messages[0].Role == callwright.RoleAssistant && len(callwright.CallsOf(messages[0].Parts)) > 0 {
		h.addOpening("calls stand behind a turn of the user")
	}
	for i := 0; i < len(messages); {
		last := i // index after successive messages of the model
		for last < len(messages) && messages[last].Role == callwright.RoleAssistant {
			last++
		}
		next := last
		for next < len(messages) && messages[next].Role != callwright.RoleAssistant {
			next++
		}
		h.order = map[string]int{}
		if last > i {
			h.model(messages[i:last])
		}
		h.others(messages[last:next])
		i = next
	}
	if e.Buf[len(e.Buf)-1] == '[' {
		h.addOpening("contents must not be empty")
	}
	e.Close(']')
}

// instructs reports whether the model accepts a system instruction. Gemma models do not: it becomes a user message.
func (e *requestEncoder) instructs() bool { return e.caps.History.SystemRole != caps.SystemRoleUser }

// originals returns the messages of the client's body, or none if they were not decoded or came over another API.
func (e *requestEncoder) originals() kit.DecodedMessages {
	if e.body == nil {
		return kit.DecodedMessages{}
	}
	return e.body.DecodedMessages()
}

// historyWriter writes contents. It copies the bytes of unchanged messages of the client's body and encodes all others.
type historyWriter struct {
	*requestEncoder
	came  kit.DecodedMessages // the messages of the client's body
	mixed bool                // the calls of the last model turn were written without ids
	names map[string]string   // tool names by call id, of the messages so far
	sent  map[string]string   // ids as sent to the provider, by call id; none for calls without ids
	order map[string]int      // positions of the calls of the last model turn, by call id
}

// findUnchanged returns the bytes of m in the client's body. It returns false if m is not in the body, was changed, or
// cannot be sent as it is.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.came.FindUnchanged(m, h.fits)
}

// system encodes the system instruction, nil for no messages.
func (h *historyWriter) system(messages []callwright.Message) []byte {
	if len(messages) == 0 {
		return nil
	}
	if raw, same := h.findUnchanged(messages[0]); same && len(messages) == 1 {
		return raw
	}
	w := newWriter(nil)
	swap := h.writer
	h.writer = w
	h.Open("", '{')
	h.Open("parts", '[')
	for _, m := range messages {
		h.parts(m.Parts)
	}
	h.Close(']')
	if x := messages[0].Extra; len(messages) == 1 {
		if role := own.Member(x, "role"); role != nil {
			h.Raw("role", role)
		}
		h.Writer.Extra(x, "role")
	}
	h.Close('}')
	w, h.writer = h.writer, swap
	return w.Buf
}

// opening is the text of the user content that is inserted if the history begins with calls or would be empty.
const opening = "(start of the conversation)"

func (h *historyWriter) addOpening(why string) {
	h.notes.Add(callwright.Note{Rule: "history.first_user", Path: "/messages/0", Now: opening, Why: why})
	h.content(callwright.RoleUser, []callwright.Part{callwright.Text{Text: opening}}, callwright.Extra{})
}

// content writes an element of contents: role and parts. If no parts would be left, it writes nothing and adds a note.
func (h *historyWriter) content(role callwright.Role, parts []callwright.Part, extra callwright.Extra) {
	start := len(h.Buf)
	h.Open("", '{')
	h.role(role, extra)
	h.Open("parts", '[')
	before := len(h.Buf)
	if !hasOnlyEmptyTexts(parts) {
		h.parts(parts)
	}
	if len(h.Buf) == before {
		h.Buf = h.Buf[:start]
		h.notes.Add(callwright.Note{Rule: "history.empty_content", Path: "/messages", Was: string(role),
			Why: "a content without parts is refused"})
		return
	}
	h.Close(']')
	h.Writer.Extra(extra, "role")
	h.Close('}')
}

// hasOnlyEmptyTexts reports whether all parts are empty texts, which the API rejects.
func hasOnlyEmptyTexts(parts []callwright.Part) bool {
	return !slices.ContainsFunc(parts, func(p callwright.Part) bool {
		t, ok := p.(callwright.Text)
		return !ok || t.Text != "" || t.Extra.JSON != nil
	})
}

func (h *historyWriter) role(role callwright.Role, extra callwright.Extra) {
	if came := own.Member(extra, "role"); came != nil {
		h.Raw("role", came)
		return
	}
	h.Text("role", roleOf(role))
}

// model writes successive messages of the model. If one after the first has calls, it merges them into one content,
// because the API requires calls directly after a user content.
func (h *historyWriter) model(messages []callwright.Message) {
	isCall := func(p callwright.Part) bool { _, is := p.(callwright.Call); return is }
	calls := slices.ContainsFunc(messages[1:], func(m callwright.Message) bool { return slices.ContainsFunc(m.Parts, isCall) })
	if i, same := h.came.Find(messages[0]); same && len(messages) == 1 && !h.fits(i) {
		switch marks := h.body.marksOf(i); {
		case marks.behind:
			h.noteMerge("calls stand behind a turn of the user")
		case marks.hasEmptyContent:
			h.noteMerge("a content says nothing")
		}
	}
	if !calls {
		for _, m := range messages {
			h.turn(m)
		}
		return
	}
	var joined []callwright.Part
	for _, m := range messages {
		joined = append(joined, m.Parts...)
	}
	h.noteMerge("calls stand behind a turn of the user")
	h.turn(callwright.Message{Role: callwright.RoleAssistant, Parts: joined, Extra: messages[0].Extra})
}

// noteMerge adds a note that contents of the model were merged.
func (h *historyWriter) noteMerge(why string) {
	h.notes.Add(callwright.Note{Rule: "history.merged_roles", Path: "/messages", Was: string(callwright.RoleAssistant), Why: why})
}

// turn writes a model turn. Ids of calls are sent only if all calls of the turn have ids from this API.
func (h *historyWriter) turn(m callwright.Message) {
	calls := callwright.CallsOf(m.Parts)
	strange := func(c callwright.Call) bool { return !fromOwnWire(c.Origin) || callid.IsDerived(c.ID) }
	named := !slices.ContainsFunc(calls, strange)
	raw, same := h.findUnchanged(m)
	h.mixed = !same && !named
	for _, c := range calls {
		h.names[c.ID] = c.Name
		if _, twice := h.order[c.ID]; !twice {
			h.order[c.ID] = len(h.order)
		}
		if named || same && !strange(c) {
			h.sent[c.ID] = h.mapID(c.ID)
		}
	}
	if same {
		h.Writer.Raw("", raw)
		return
	}
	h.content(callwright.RoleAssistant, h.fitState(m.Parts), m.Extra)
}

// mapID returns id, or a replacement if the provider does not accept id. It adds a note for a replacement. Equal ids
// get equal replacements.
func (h *historyWriter) mapID(id string) string {
	out := h.ids.Map(id)
	if out != id {
		h.notes.Add(callwright.Note{Rule: "history.call_id", Call: id, Was: id, Now: out,
			Why: "the provider does not accept the id"})
	}
	return out
}
