package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// instructions removes the system messages at the beginning of messages and returns their text for the member
// instructions. System messages that came over this API as input items are not removed.
func (e *requestEncoder) instructions(messages []callwright.Message) (string, []callwright.Message) {
	var texts []string
	n := 0
	for n < len(messages) && messages[n].Role == callwright.RoleSystem {
		m := &messages[n]
		if m.Extra.Wire == callwright.WireResponses && own.Member(m.Extra, "member") == nil {
			break
		}
		n++
		for _, p := range m.Parts {
			t, ok := p.(callwright.Text)
			switch {
			case !ok:
				e.notes.Add(callwright.Note{Rule: "history.system_part", Path: "/instructions", Why: "instructions can contain only text"})
			case strings.TrimSpace(t.Text) != "":
				texts = append(texts, t.Text)
			}
		}
	}
	return strings.Join(texts, "\n\n"), messages[n:]
}

// historyWriter writes input items. It copies unchanged messages of the client's body and encodes all others.
type historyWriter struct {
	*requestEncoder
	came  kit.DecodedMessages    // the messages of the client's body
	forms map[string]*items.Form // item types of the calls so far, by call id
	names kit.CallNames          // tool names by call id, of the messages so far
	shown []callwright.Part      // images of results, to be written after the results
}

// history writes the input: a string if the client's was one, else a list of items with outputs after their calls.
func (e *requestEncoder) history(messages []callwright.Message) {
	if m := messages; len(m) == 1 && len(m[0].Parts) == 1 && jsonx.TextOf(own.Member(m[0].Extra, "member")) == "input" {
		e.Buf = jsonx.AppendQuote(e.Buf, callwright.TextOf(m[0].Parts))
		return
	}
	e.Open("", '[')
	h := historyWriter{requestEncoder: e, came: e.originals(), forms: map[string]*items.Form{}}
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

// findUnchanged returns the bytes of m in the client's body. It returns false unless these can be sent for m.
func (h *historyWriter) findUnchanged(m callwright.Message) ([]byte, bool) {
	return h.came.FindUnchanged(m, func(i int) bool { return h.fits(i) && !(h.body.inputIsString && i == len(h.body.Spans)-1) })
}

// segment writes an assistant message, which the first segment may lack, and the messages up to the next one.
func (h *historyWriter) segment(messages []callwright.Message) {
	if m := messages[0]; m.Role == callwright.RoleAssistant {
		h.assistant(m)
		messages = messages[1:]
	}
	other, noted := false, false
	for _, m := range messages {
		raw, same := h.findUnchanged(m)
		if same && m.Role == callwright.RoleTool {
			h.Raw("", raw)
			continue
		}
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				other = true
				continue
			}
			if other && !noted {
				noted = true
				h.notes.Add(callwright.Note{Rule: "history.results_first", Path: "/input",
					Call: r.CallID, Why: "results must follow their calls directly"})
			}
			h.result(r)
		}
	}
	if len(h.shown) > 0 {
		h.message(callwright.Message{Role: callwright.RoleUser, Parts: h.shown})
		h.shown = nil
	}
	for _, m := range messages {
		if raw, same := h.findUnchanged(m); same && m.Role != callwright.RoleTool {
			h.Raw("", raw)
			continue
		}
		h.message(m)
	}
}

// message writes a message of the user or the system, without its results.
func (h *historyWriter) message(m callwright.Message) {
	var parts []callwright.Part
	for _, p := range m.Parts {
		switch p := p.(type) {
		case callwright.Result:
			continue
		case callwright.Text:
			if raw := own.ReplacedBlock(p); raw != nil {
				if h.body != nil && !h.asksForSummary() {
					h.Raw("", raw)
				} else {
					parts = append(parts, callwright.Text{Text: p.Text})
				}
				continue
			}
		case callwright.Opaque:
			k := kit.TextAt(p.Extra.JSON, "type")
			item := p.Extra.Wire == callwright.WireResponses && !strings.HasPrefix(k, "input_") // a whole item, not a content part
			switch {
			case h.dropsTools && k == items.AdditionalTools, item && h.functionsOnly:
				h.notes.Add(items.LeftOut(p))
				continue
			case item:
				h.Raw("", p.Extra.JSON)
				continue
			}
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 && len(m.Parts) > 0 || h.notes.SettingsAlone(m, own, "/input") {
		return
	}
	role := string(m.Role)
	if r := own.Member(m.Extra, "role"); r != nil {
		role = jsonx.TextOf(r)
	}
	if m.Role == callwright.RoleTool {
		role = string(callwright.RoleUser)
	}
	h.Open("", '{')
	h.Text("role", role)
	h.content("content", parts)
	h.Extra(m.Extra, "role", "member")
	h.Close('}')
}

// mapID returns id, or a replacement if the provider does not accept id. It adds a note for a replacement.
func (h *historyWriter) mapID(id string) string {
	out := h.ids.Map(id)
	if out != id {
		h.notes.Add(callwright.Note{Rule: "history.call_id", Call: id, Was: id, Now: out,
			Why: "the provider does not accept the id"})
	}
	return out
}
