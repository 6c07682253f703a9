package ollama

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// history writes the list of messages. Templates print results in the order of the list, without ids, so the results of
// a turn's calls are written right after it in the order of the calls, then the messages that stood in between.
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

// originals returns the messages of the body as they came. They are empty if the request has no body or its messages
// were not decoded.
func (e *requestEncoder) originals() kit.Originals {
	if e.body == nil {
		return kit.Originals{}
	}
	return e.body.Originals()
}

// historyWriter writes messages: the bytes of those that came in the body and may stay, the others anew.
type historyWriter struct {
	*requestEncoder
	came  kit.Originals
	names kit.CallNames     // of the calls so far
	order map[string]int    // the ids of the last turn's calls, with their places
	shown []callwright.Part // what results showed, to be written after them
}

// findUnchanged gives the bytes of a message that came in the body and is as it was.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.came.FindUnchanged(m, h.fits)
}

// segment writes messages of which at most the first is the assistant's.
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

// showAlone writes the images of results as a turn of the user.
func (h *historyWriter) showAlone() {
	if len(h.shown) > 0 {
		h.message(callwright.RoleUser, h.shown, callwright.Extra{})
		h.shown = nil
	}
}

// outcome is a result with the bytes it came as, where it can go out so.
type outcome struct {
	callwright.Result
	raw  []byte
	rank int
}

// results writes the results in messages in the order of their calls.
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
			Why: "results stand right behind their calls, in the same order"})
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

// message writes a message that is not the assistant's and holds no results.
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

// assistant writes a turn of the model.
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
			if p.Extra.Wire != callwright.WireOllama { // what came over this wire said something about an answer
				rest = append(rest, p)
			}
		default:
			rest = append(rest, p)
		}
	}
	if foreign {
		h.notes.Add(callwright.Note{Rule: "history.foreign_signature", Path: "/messages",
			Why: "signatures go back only to where they came from"})
	}
	h.Open("", '{')
	h.Text("role", string(callwright.RoleAssistant))
	h.content(rest, betweenTexts)
	h.thinking(thoughts.String(), len(calls) > 0)
	if len(calls) > 0 {
		h.Open("tool_calls", '[')
		for i, c := range calls {
			h.oldCall(c, i)
		}
		h.Close(']')
	}
	h.Writer.Extra(m.Extra, "role")
	h.Close('}')
}

// thinking writes the model's reasoning where it has to be sent back.
func (h *historyWriter) thinking(words string, calls bool) {
	switch {
	case words == "":
	case h.caps.History.ReasoningBack.IsRefused(calls):
		h.notes.Add(callwright.Note{Rule: "history.reasoning_left_out", Path: "/messages",
			Was: words, Why: "the model takes no reasoning back"})
	default:
		h.Text("thinking", words)
	}
}

// oldCall writes a call of the past. It is not run again, so arguments that are no object become one.
func (h *historyWriter) oldCall(c callwright.Call, n int) {
	if c.Type != callwright.CustomTool && !isObject(c.Arguments) {
		h.notes.Add(callwright.Note{Rule: "history.bad_arguments", Call: c.ID, Path: "/messages",
			Was: string(c.Arguments), Now: "{}", Why: "arguments are objects on this wire"})
	}
	h.call(c, n, h.mapID(c.ID), false)
}

// mapID is the id that the server takes, with a note for one that had to change.
func (h *historyWriter) mapID(id string) string {
	out := h.ids.Map(id)
	if out != id {
		h.notes.Add(callwright.Note{Rule: "history.call_id", Call: id, Was: id, Now: out,
			Why: "the provider does not take the id"})
	}
	return out
}

// result writes the outcome of one call.
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
