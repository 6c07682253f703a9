package openai

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// fitsBesideCalls reports whether message i of the body, which has calls, has all that the provider wants beside them.
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

// refusesNull reports whether content has to be a text where nothing was said.
func (e *requestEncoder) refusesNull() bool {
	return e.caps.History.NoNullContent && !e.caps.History.NullContent
}

// besideCalls returns the parts that go into the content of a turn with calls and are not members of rest.
func (h *historyWriter) besideCalls(m callwright.Message, rest []callwright.Part) []callwright.Part {
	i, same := h.came.Find(m)
	came := len(rest) > 0 || same && h.body.Outline[i].Blank
	switch {
	case h.caps.History.NullContent && came:
		h.notes.Add(callwright.Note{Rule: "history.null_content", Path: "/messages", Was: callwright.TextOf(rest), Now: "null",
			Why: "null stands for content that says nothing"})
	case len(rest) > 0 && h.caps.History.NoBlankText:
		h.notes.Add(callwright.Note{Rule: "history.empty_text", Path: "/messages", Was: callwright.TextOf(rest),
			Why: "the provider takes no empty text"})
	default:
		return rest
	}
	return nil
}

// emptyReasoning writes that no reasoning is known, and notes it unless the thoughts said so themselves.
func (h *historyWriter) emptyReasoning(thoughts []callwright.Reasoning) {
	if !hasReasoningMember(thoughts) {
		h.notes.Add(callwright.Note{Rule: "history.empty_reasoning", Path: "/messages", Why: "a turn with calls is wanted with its reasoning"})
	}
	h.Text(reasoningKeys[0], "")
}

// hasReasoningMember reports whether one of the thoughts came in a member of its own, though it may be empty there.
func hasReasoningMember(thoughts []callwright.Reasoning) bool {
	return slices.ContainsFunc(thoughts, func(r callwright.Reasoning) bool {
		return slices.ContainsFunc(reasoningKeys, func(k string) bool { return own.Member(r.Extra, k) != nil })
	})
}

// wantsSentinel reports whether a turn with calls lacks the opaque state that the provider wants back with the first of
// them.
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

// withSentinel returns a call with a placeholder for opaque state that was lost.
func (h *historyWriter) withSentinel(c callwright.Call) callwright.Call {
	h.notes.Add(callwright.Note{Rule: "history.sentinel", Call: c.ID, Path: "/messages", Now: kit.SignatureSentinel,
		Why: "the model takes no call without a signature"})
	c.Signature, c.Origin = kit.SignatureSentinel, origin
	return c
}
