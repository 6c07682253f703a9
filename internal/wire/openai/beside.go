package openai

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// fitsBesideCalls reports whether message i of the client's body, which has tool calls, can be forwarded as it is:
// whether its content, reasoning and signature are in the form that the provider requires beside calls.
func (e *requestEncoder) fitsBesideCalls(i int) bool {
	t, h := &e.body.Outline[i], &e.caps.History
	if h.NullContent && t.Blank && !t.Text && !t.Media || h.SignedCalls && !t.Signed {
		return false
	}
	if !h.EmptyReasoning || t.Reasoning {
		return true
	}
	message := jsonx.FieldsOf(e.body.RawMessage(i))
	return reasoningKey(&message) != ""
}

// refusesNull reports whether an assistant message without text needs an empty string as its content, not null.
func (e *requestEncoder) refusesNull() bool {
	return e.caps.History.NoNullContent && !e.caps.History.NullContent
}

// besideCalls returns the parts to write as the content of a message with tool calls. rest holds only blank texts. The
// result is rest, or nil if the provider requires null or rejects blank text. In these cases it adds a note.
func (h *historyWriter) besideCalls(m callwright.Message, rest []callwright.Part) []callwright.Part {
	i, same := h.clientMessages.Find(m)
	came := len(rest) > 0 || same && h.body.Outline[i].Blank
	switch {
	case h.caps.History.NullContent && came:
		h.notes.Add(callwright.Note{Rule: "history.null_content", Path: "/messages", Was: callwright.TextOf(rest), Now: "null",
			Why: "null replaces blank content"})
	case len(rest) > 0 && h.caps.History.NoBlankText:
		h.notes.Add(callwright.Note{Rule: "history.empty_text", Path: "/messages", Was: callwright.TextOf(rest),
			Why: "the provider refuses empty texts"})
	default:
		return rest
	}
	return nil
}

// emptyReasoning writes an empty reasoning_content, for providers that require reasoning in each message with calls. It
// adds a note unless one of the thoughts was in such a member already.
func (h *historyWriter) emptyReasoning(thoughts []callwright.Reasoning) {
	if !hasReasoningMember(thoughts) {
		h.notes.Add(callwright.Note{Rule: "history.empty_reasoning", Path: "/messages",
			Why: "the provider requires reasoning in a turn with calls"})
	}
	h.Text(reasoningKeys[0], "")
}

// hasReasoningMember reports whether one of the thoughts was received in a member of reasoningKeys, even if it was
// empty.
func hasReasoningMember(thoughts []callwright.Reasoning) bool {
	return slices.ContainsFunc(thoughts, func(r callwright.Reasoning) bool {
		return slices.ContainsFunc(reasoningKeys, func(k string) bool { return own.Member(r.Extra, k) != nil })
	})
}

// wantsSentinel reports whether the provider requires a signature with the first call of the message and the message
// has none that may be sent to it.
func (h *historyWriter) wantsSentinel(m callwright.Message) bool {
	if !h.caps.History.SignedCalls {
		return false
	}
	return !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
		switch p := p.(type) {
		case callwright.Reasoning:
			return h.ownState(p.Origin) && own.Member(p.Extra, "reasoning_details") != nil
		case callwright.Call:
			return h.ownState(p.Origin) && (p.Signature != "" || own.Member(p.Extra, "extra_content") != nil)
		}
		return false
	})
}

// withSentinel returns the call c with kit.SignatureSentinel in place of its lost signature, and adds a note.
func (h *historyWriter) withSentinel(c callwright.Call) callwright.Call {
	h.notes.Add(callwright.Note{Rule: "history.sentinel", Call: c.ID, Path: "/messages", Now: kit.SignatureSentinel,
		Why: "the model does not accept a call without a signature"})
	c.Signature, c.Origin = kit.SignatureSentinel, origin
	return c
}
