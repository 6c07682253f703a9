package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// history writes the list of messages. This API requires the results of a message's calls right after it and accepts no
// images in them. Each assistant message is therefore followed by its results, then by a user message with the images
// of the results, then by the other messages up to the next assistant message.
func (e *requestEncoder) history(messages []callwright.Message) {
	e.Open("", '[')
	h := historyWriter{requestEncoder: e, clientMessages: e.originals()}
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
	clientMessages kit.DecodedMessages // the messages of the client's body
	names          kit.CallNames       // tool names by call id, of the messages so far
	shown          []callwright.Part   // images of results, to be written after the results
	wasCopied      bool                // the current assistant message was copied, possibly with the deprecated function_call
	last           bool                // the current message is the last one
}

// findUnchanged returns the bytes of m in the client's body. It returns false if m is not in the body, was changed, or
// cannot be sent as it is.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.clientMessages.FindUnchanged(m, h.fits)
}

// segment writes an assistant message and the messages up to the next one. The first segment of a history may have no
// assistant message.
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

// showAlone writes the images of results as a user message, if there are any.
func (h *historyWriter) showAlone() {
	if len(h.shown) > 0 {
		h.message(callwright.Message{Role: callwright.RoleUser, Parts: h.shown})
		h.shown = nil
	}
}

// results writes the tool results in messages, in order, and notes if one of them moves before another part.
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
					Call: r.CallID, Why: "results must follow their calls directly"})
			}
			if same && m.Role == callwright.RoleTool && (h.wasCopied || !answersFunctionCall(raw)) {
				h.requestEncoder.Raw("", raw)
				continue
			}
			h.result(r)
		}
	}
}

// answersFunctionCall reports whether a result message has the role "function". It answers the deprecated
// function_call, which has no id.
func answersFunctionCall(message []byte) bool {
	role, _ := jsonx.Find(message, "role")
	return string(jsonx.TextBytes(role)) == "function"
}
