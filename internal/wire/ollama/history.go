package ollama

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// history writes the list of messages. Model templates print results in the order of the list and without ids.
// Therefore the results of an assistant message's calls are written directly after it, in the order of the calls,
// followed by the other messages up to the next assistant message.
func (e *requestEncoder) history(messages []callwright.Message) {
	e.Open("", '[')
	h := historyWriter{requestEncoder: e, came: e.originals()}
	for i := 0; i < len(messages); {
		next := i + 1
		for next < len(messages) && messages[next].Role != callwright.RoleAssistant {
			next++
		}
		h.names.History = messages[:i+1]
		h.segment(messages[i:next])
		i = next
	}
	e.Close(']')
}

// originals returns the messages of the client's body, or none if they were not decoded or came over another API.
func (e *requestEncoder) originals() kit.DecodedMessages {
	if e.body == nil {
		return kit.DecodedMessages{}
	}
	return e.body.DecodedMessages()
}

// historyWriter writes the messages of a request. It copies the bytes of unchanged messages of the client's body and
// encodes all others.
type historyWriter struct {
	*requestEncoder
	came  kit.DecodedMessages // the messages of the client's body
	names kit.CallNames       // tool names by call id, of the messages so far
	order map[string]int      // positions of the calls of the last assistant message, by call id
	shown []callwright.Part   // images of results, to be written after the results
}

// findUnchanged returns the bytes of m in the client's body. It returns false if m is not in the body, was changed, or
// cannot be sent as it is.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.came.FindUnchanged(m, h.fits)
}

// segment writes an assistant message and the messages up to the next one. The first segment of a history may have no
// assistant message.
func (h *historyWriter) segment(messages []callwright.Message) {
	h.order = map[string]int{}
	if m := messages[0]; m.Role == callwright.RoleAssistant {
		h.assistant(m)
		messages = messages[1:]
	}
	h.results(messages)
	for _, m := range messages {
		rest := kit.WithoutResults(m.Parts)
		raw, same := h.findUnchanged(m)
		switch {
		case len(rest) == 0 && (len(m.Parts) > 0 || m.Role == callwright.RoleSystem):
		case same && len(h.shown) == 0:
			h.Writer.Raw("", raw)
		case m.Role == callwright.RoleSystem:
			h.showAlone()
			h.message(callwright.RoleSystem, rest, m.Extra)
		default:
			rest = append(h.shown, rest...)
			h.shown = nil
			h.message(callwright.RoleUser, rest, m.Extra)
		}
	}
	h.showAlone()
}

// showAlone writes the images of results as a user message, if there are any.
func (h *historyWriter) showAlone() {
	if len(h.shown) > 0 {
		h.message(callwright.RoleUser, h.shown, callwright.Extra{})
		h.shown = nil
	}
}

// outcome is a result with its bytes in the client's body, if these can be sent unchanged.
type outcome struct {
	callwright.Result
	raw  []byte
	rank int // position of its call in the assistant message
}

// results writes the tool results in messages in the order of their calls, and notes if this moves one.
func (h *historyWriter) results(messages []callwright.Message) {
	var found []outcome
	other, late := false, ""
	for _, m := range messages {
		raw, same := h.findUnchanged(m)
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				other = true
				continue
			}
			if other {
				late = r.CallID
			}
			o := outcome{Result: r, rank: len(h.order)}
			if place, known := h.order[r.CallID]; known {
				o.rank = place
			}
			if same && m.Role == callwright.RoleTool {
				o.raw = raw
			}
			found = append(found, o)
		}
	}
	inOrder := func(a, b outcome) int { return a.rank - b.rank }
	written := slices.ContainsFunc(found, func(o outcome) bool { return o.raw == nil })
	if sorted := slices.IsSortedFunc(found, inOrder); !sorted && written || late != "" {
		h.notes.Add(callwright.Note{Rule: "history.results_first", Path: "/messages", Call: late,
			Why: "results must follow their calls directly, in the same order"})
		slices.SortStableFunc(found, inOrder)
	}
	for _, o := range found {
		if o.raw != nil {
			h.Writer.Raw("", o.raw)
			continue
		}
		h.result(o.Result)
	}
}

// message writes a message of the user or the system.
func (h *historyWriter) message(role callwright.Role, parts []callwright.Part, extra callwright.Extra) {
	name := string(role)
	if came := own.Member(extra, "role"); came != nil {
		name = jsonx.TextOf(came)
	}
	h.Open("", '{')
	h.Text("role", name)
	h.content(parts, betweenTexts)
	h.Writer.Extra(extra, "role")
	h.Close('}')
}

// assistant writes an assistant message.
func (h *historyWriter) assistant(m callwright.Message) {
	calls := callwright.CallsOf(m.Parts)
	for i, c := range calls {
		h.order[c.ID] = i
	}
	if raw, same := h.findUnchanged(m); same {
		h.Writer.Raw("", raw)
		return
	}
	var rest []callwright.Part
	var thoughts strings.Builder
	foreign := false
	for _, p := range m.Parts {
		switch p := p.(type) {
		case callwright.Call:
			foreign = foreign || p.Signature != ""
		case callwright.Reasoning:
			thoughts.WriteString(p.Text)
			foreign = foreign || p.Signature != "" || p.Redacted != ""
		case callwright.Opaque:
			if p.Extra.Wire != callwright.WireOllama { // opaque parts of this API are members of a response
				rest = append(rest, p)
			}
		default:
			rest = append(rest, p)
		}
	}
	if foreign {
		h.notes.Add(callwright.Note{Rule: "history.foreign_signature", Path: "/messages",
			Why: "a signature is sent only to its origin"})
	}
	h.Open("", '{')
	h.Text("role", string(callwright.RoleAssistant))
	h.content(rest, betweenTexts)
	h.thinking(thoughts.String(), len(calls) > 0)
	if len(calls) > 0 {
		h.Open("tool_calls", '[')
		for i, c := range calls {
			h.writeHistoryCall(c, i)
		}
		h.Close(']')
	}
	h.Writer.Extra(m.Extra, "role")
	h.Close('}')
}

// thinking writes the reasoning of an assistant message. If the model rejects reasoning, it adds a note instead. calls
// reports that the message has calls.
func (h *historyWriter) thinking(words string, calls bool) {
	switch {
	case words == "":
	case h.caps.History.ReasoningBack.IsRefused(calls):
		h.notes.Add(callwright.Note{Rule: "history.reasoning_left_out", Path: "/messages",
			Was: words, Why: "the model does not accept reasoning in the history"})
	default:
		h.Text("thinking", words)
	}
}

// writeHistoryCall writes a call of the history. n is its index in the message. Arguments that are not an object become
// {}, because the call is not run again.
func (h *historyWriter) writeHistoryCall(c callwright.Call, n int) {
	if c.Type != callwright.CustomTool && !isObject(c.Arguments) {
		h.notes.Add(callwright.Note{Rule: "history.bad_arguments", Call: c.ID, Path: "/messages",
			Was: string(c.Arguments), Now: "{}", Why: "the wire requires an object as arguments"})
	}
	h.call(c, n, h.mapID(c.ID), false)
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

// result writes a tool result as a message of the role tool.
func (h *historyWriter) result(r callwright.Result) {
	name := h.names.Of(r)
	parts := r.Parts
	if h.caps.ResultImages == caps.No {
		parts = h.takeImages(r)
	}
	if r.IsError {
		parts = h.markError(parts, r.CallID)
	}
	h.Open("", '{')
	h.Text("role", string(callwright.RoleTool))
	h.content(parts, betweenResults)
	h.OptionalText("tool_name", name)
	h.OptionalText("tool_call_id", h.mapID(r.CallID))
	h.Writer.Extra(r.Extra, "role")
	h.Close('}')
}
