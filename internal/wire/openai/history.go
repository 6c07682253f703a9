package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// history writes the list of messages. This API wants the results of a turn's calls right after it, before anything
// else, and accepts no images in them. Each assistant turn is therefore followed by its results, then by the images of
// the results, then by the messages that stood in between.
func (e *requestEncoder) history(messages []callwright.Message) {
	e.Open("", '[')
	h := historyWriter{requestEncoder: e, came: e.originals()}
	for i := 0; i < len(messages); {
		next := i + 1
		for next < len(messages) && messages[next].Role != callwright.RoleAssistant {
			next++
		}
		h.last = i == len(messages)-1
		h.names.History = messages[:i+1]
		e.lastPlace = len(e.Buf)
		h.segment(messages[i:next])
		i = next
	}
	e.Close(']')
}

// originals are the messages that came in the body, none where they were not decoded.
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
	shown []callwright.Part // what results showed, to be written after them
	older bool              // the call of the turn at hand is written as it came: as function_call, where it had that form
	last  bool              // no message comes after the one at hand
}

// findUnchanged gives the bytes of a message that came in the body and is as it was.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.came.FindUnchanged(m, h.fits)
}

// segment writes messages of which at most the first is the assistant's.
func (h *historyWriter) segment(messages []callwright.Message) {
	if m := messages[0]; m.Role == callwright.RoleAssistant {
		h.assistant(m)
		messages = messages[1:]
	}
	h.results(messages)
	for _, m := range messages {
		rest := m
		rest.Parts = kit.WithoutResults(m.Parts)
		switch raw, same := h.findUnchanged(m); {
		case len(rest.Parts) == 0 && len(m.Parts) > 0:
		case h.notes.SettingsAlone(m, own, "/messages"):
		case same && len(h.shown) == 0:
			h.requestEncoder.Raw("", raw)
		case m.Role == callwright.RoleUser:
			rest.Parts = append(h.shown, rest.Parts...)
			h.shown = nil
			h.message(rest)
		default:
			h.showAlone()
			h.message(rest)
		}
	}
	h.showAlone()
}

// showAlone writes the images of results as a turn of the user.
func (h *historyWriter) showAlone() {
	if len(h.shown) > 0 {
		h.message(callwright.Message{Role: callwright.RoleUser, Parts: h.shown})
		h.shown = nil
	}
}

// results writes the results in messages, in order.
func (h *historyWriter) results(messages []callwright.Message) {
	other, noted := false, false
	for _, m := range messages {
		raw, same := h.findUnchanged(m)
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				other = true
				continue
			}
			if other && !noted {
				noted = true
				h.notes.Add(callwright.Note{Rule: "history.results_first", Path: "/messages",
					Call: r.CallID, Why: "results stand right after their calls"})
			}
			if same && m.Role == callwright.RoleTool && (h.older || !isOlder(raw)) {
				h.requestEncoder.Raw("", raw)
				continue
			}
			h.result(r)
		}
	}
}

// isOlder reports whether a result answers a function_call, the form before tools, which has no ids.
func isOlder(message []byte) bool {
	role, _ := jsonx.Find(message, "role")
	return string(jsonx.TextBytes(role)) == "function"
}
