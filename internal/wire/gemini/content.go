package gemini

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// parts writes the parts of a content. It ignores results.
func (h *historyWriter) parts(list []callwright.Part) {
	for i := 0; i < len(list); i++ {
		switch p := h.convertPart(list[i]).(type) {
		case callwright.Text:
			signature := signatureOn(list[i+1:])
			if signature != "" {
				i++
			}
			h.text(p, signature)
		case callwright.File:
			h.file(p)
		case callwright.Reasoning:
			h.writeThought(p.Text, p.Signature, p.Extra)
		case callwright.Call:
			h.oldCall(p)
		case callwright.Opaque:
			h.Writer.Raw("", p.Extra.JSON)
		}
	}
}

// signatureOn returns the thoughtSignature that a text came with, "" if it has none. after holds the parts after the
// text.
func signatureOn(after []callwright.Part) string {
	if len(after) == 0 {
		return ""
	}
	r, is := after[0].(callwright.Reasoning)
	if !is || r.Text != "" || string(own.Member(r.Extra, onKey)) != onText || !fromOwnWire(r.Origin) {
		return ""
	}
	return r.Signature
}

// text writes a text part. A signature of "" is omitted.
func (w *writer) text(t callwright.Text, signature string) {
	w.Open("", '{')
	w.Text("text", t.Text)
	w.OptionalText(thoughtSignature.camel, signature)
	w.Writer.Extra(t.Extra)
	w.Close('}')
}

// writeThought writes a thought with its signature. If words is "", it writes an empty text with the signature.
func (w *writer) writeThought(words, signature string, extra callwright.Extra) {
	w.Open("", '{')
	w.Text("text", words)
	if words != "" {
		w.Truth("thought", true)
	}
	w.OptionalText(thoughtSignature.camel, signature)
	w.Writer.Extra(extra, onKey)
	w.Close('}')
}

// call writes a functionCall part. An empty id or signature is omitted.
func (w *writer) call(c callwright.Call, id, signature string) {
	w.Open("", '{')
	w.Open(functionCall.camel, '{')
	w.OptionalText("id", id)
	w.Text("name", c.Name)
	w.Raw("args", argumentsObject(c))
	w.Within(c.Extra, functionCall.camel)
	w.Close('}')
	w.OptionalText(thoughtSignature.camel, signature)
	if signature != "" {
		w.Writer.Extra(c.Extra, callPartKeys...)
	} else {
		w.Writer.Extra(c.Extra, callOnlyKeys...)
	}
	w.Close('}')
}

// argumentsObject returns the arguments of a call as a JSON object, which this API requires. The free text of a custom
// call becomes {"input":"..."}. Invalid arguments become {}.
func argumentsObject(c callwright.Call) []byte {
	switch {
	case c.Type == callwright.CustomTool:
		return kit.CustomArguments(c.Input)
	case !isObject(c.Arguments):
		return []byte("{}")
	}
	return jsonx.Compact(nil, c.Arguments)
}

// cut reports whether the arguments of a call are not a JSON object, for example because the response was cut off.
func cut(c callwright.Call) bool {
	return c.Type != callwright.CustomTool && len(c.Arguments) > 0 && !isObject(c.Arguments)
}

// cutCall returns the note about a call with incomplete arguments. The call is left out of the response, because the
// client must not run it.
func cutCall(c callwright.Call) callwright.Note {
	return callwright.Note{Rule: "response.call", Was: string(c.Arguments), Why: "the wire requires an object as arguments"}
}

// isObject reports whether v is one valid JSON object.
func isObject(v []byte) bool { return jsonx.KindOf(v) == jsonx.Object && jsonx.Valid(v) == nil }

// oldCall writes a call of the history. Arguments that are not an object become {}, because the call is not run again.
func (h *historyWriter) oldCall(c callwright.Call) {
	if c.Type != callwright.CustomTool && !isObject(c.Arguments) {
		h.notes.Add(callwright.Note{Rule: "history.bad_arguments", Call: c.ID, Path: "/messages",
			Was: string(c.Arguments), Now: "{}", Why: "the wire requires an object as arguments"})
	}
	h.call(c, h.sent[c.ID], c.Signature)
}

// ownsState reports whether opaque state of the origin o may be sent to this provider: it came over this API, and not
// from another model.
func (e *requestEncoder) ownsState(o callwright.Origin) bool {
	if !fromOwnWire(o) {
		return false
	}
	provider, name := o.Model.Split()
	return provider == "" || name == e.model
}

// fitState returns the parts of a model turn without reasoning and opaque state from other models. If the model
// requires signed calls and the first call has no signature, the call gets a sentinel in its place.
func (h *historyWriter) fitState(list []callwright.Part) []callwright.Part {
	signed := h.caps.History.SignedCalls
	out := make([]callwright.Part, 0, len(list))
	calls := 0
	foreign := false
	var thoughts strings.Builder
	for _, p := range list {
		switch part := p.(type) {
		case callwright.Reasoning:
			if !h.ownsState(part.Origin) {
				foreign = foreign || part.Signature != "" || part.Redacted != ""
				thoughts.WriteString(part.Text)
				continue
			}
			if part.Text == "" && part.Signature == "" {
				continue
			}
		case callwright.Call:
			if part.Signature != "" && !h.ownsState(part.Origin) {
				foreign, part.Signature = true, ""
			}
			if calls++; signed && calls == 1 && part.Signature == "" && own.Member(part.Extra, thoughtSignature.camel) == nil {
				part.Signature = sentinels[0]
				h.notes.Add(callwright.Note{Rule: "history.sentinel", Call: part.ID, Path: "/messages",
					Now: part.Signature, Why: "the model does not accept a call without a signature"})
			}
			p = part
		case callwright.Opaque:
			if p = h.convertPart(part); p == nil {
				continue
			}
		}
		out = append(out, p)
	}
	if foreign {
		h.notes.Add(callwright.Note{Rule: "history.foreign_signature", Path: "/messages",
			Why: "a signature is sent only to its origin"})
	}
	if thoughts.Len() > 0 {
		h.notes.Add(callwright.Note{Rule: "history.reasoning_left_out", Path: "/messages",
			Was: thoughts.String(), Why: "the model accepts only its own reasoning in the history"})
	}
	return out
}

// convertPart returns the part in a form that this API and the model accept, or nil to omit it. It adds a note if it
// replaces or omits a part.
func (h *historyWriter) convertPart(p callwright.Part) callwright.Part {
	leave := func(rule, was, why, words string) callwright.Part {
		h.notes.Add(callwright.Note{Rule: rule, Path: "/messages", Was: was, Why: why})
		return callwright.Text{Text: words}
	}
	switch p := p.(type) {
	case callwright.Image:
		f := file(p)
		switch {
		case f.Data == "" && !h.canFetch(f):
			return leave("history.image_url", f.URL+f.FileID, "the provider cannot fetch from this address", "[Image: "+f.URL+f.FileID+"]")
		}
		return f
	case callwright.File:
		switch {
		case p.Text != "":
			return callwright.Text{Text: p.Text}
		case p.Data == "" && !h.canFetch(p):
			return leave("history.file", p.Name, "the provider cannot fetch from this address", "[A file was left out: "+p.Name+p.URL+p.FileID+"]")
		}
		return p
	case callwright.Opaque:
		if p.Extra.Wire != callwright.WireGemini {
			h.notes.Add(kit.LeftOpaque("/messages", p))
			return nil
		}
	}
	return p
}
