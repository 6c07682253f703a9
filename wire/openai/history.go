package openai

import (
	callwright "github.com/callwright/callwright"
)

// history writes the list of messages. This wire wants the results of a turn's calls right after it, before anything
// else, and takes no images in them; so each assistant turn is written with its results gathered, then what the results
// showed, then what came in between.
func (e *encoding) history(messages []callwright.Message) {
	e.Open("", '[')
	h := historian{encoding: e, raw: e.rawMessages(), names: map[string]string{}}
	for i := 0; i < len(messages); {
		next := i + 1
		for next < len(messages) && messages[next].Role != callwright.Assistant {
			next++
		}
		h.last = i == len(messages)-1
		h.segment(messages[i:next])
		i = next
	}
	e.Close(']')
}

// rawMessages finds the messages that came in the body by the first of their parts, which stages never write to.
func (e *encoding) rawMessages() map[*callwright.Part]int {
	if e.body == nil || !e.body.decoded {
		return nil
	}
	raw := make(map[*callwright.Part]int, len(e.body.messages))
	for i, m := range e.body.messages {
		if len(m.Parts) > 0 {
			raw[&m.Parts[0]] = i
		}
	}
	return raw
}

// historian writes messages: the bytes of those that came in the body and may stay, the others anew.
type historian struct {
	*encoding
	raw   map[*callwright.Part]int
	names map[string]string // of the calls so far, by id
	shown []callwright.Part // what results showed, to be written after them
	last  bool              // no message comes after the one at hand
}

// untouched gives the bytes of a message that came in the body and is as it was.
func (h *historian) untouched(m callwright.Message) ([]byte, bool) {
	if len(m.Parts) == 0 {
		return nil, false
	}
	i, ok := h.raw[&m.Parts[0]]
	if !ok {
		return nil, false
	}
	was := h.body.messages[i]
	same := len(was.Parts) == len(m.Parts) && was.Role == m.Role && string(was.Extra.JSON) == string(m.Extra.JSON)
	if !same || !h.fits(i) {
		return nil, false
	}
	return h.body.at(h.body.turns[i]), true
}

// segment writes messages of which at most the first is the assistant's.
func (h *historian) segment(messages []callwright.Message) {
	if m := messages[0]; m.Role == callwright.Assistant {
		h.assistant(m)
		messages = messages[1:]
	}
	h.results(messages)
	for _, m := range messages {
		rest := withoutResults(m)
		switch raw, same := h.untouched(m); {
		case len(rest.Parts) == 0 && len(m.Parts) > 0:
		case same && len(h.shown) == 0:
			h.encoding.Raw("", raw)
		case m.Role == callwright.User:
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

// showAlone writes what results showed as a turn of the user.
func (h *historian) showAlone() {
	if len(h.shown) > 0 {
		h.message(callwright.Message{Role: callwright.User, Parts: h.shown})
		h.shown = nil
	}
}

// results writes the results in messages, in order.
func (h *historian) results(messages []callwright.Message) {
	other, noted := false, false
	for _, m := range messages {
		raw, same := h.untouched(m)
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				other = true
				continue
			}
			if other && !noted {
				noted = true
				h.note(callwright.Note{Rule: "history.results_first", Fault: "F48", Risk: callwright.Lossless, Path: "/messages",
					Call: r.CallID, Why: "results stand right after their calls"})
			}
			if same && m.Role == callwright.RoleTool {
				h.encoding.Raw("", raw)
				continue
			}
			h.result(r)
		}
	}
}

// withoutResults is the message without its results.
func withoutResults(m callwright.Message) callwright.Message {
	var rest []callwright.Part
	for _, p := range m.Parts {
		if _, is := p.(callwright.Result); !is {
			rest = append(rest, p)
		}
	}
	m.Parts = rest
	return m
}
