package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// contentKeys are the members of a content that are decoded. All other members are kept in Extra.
var contentKeys = []string{"role", "parts"}

// decodeMessages decodes all messages. DecodeRequest has already validated them.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, len(b.Spans))
	r := &messageReader{}
	w := kit.NewWalk(&b.Document, r)
	defer w.Release()
	for i, at := range b.Spans {
		turn := b.Outline[i]
		out[i].Role = turn.Role
		if b.Raw[at.From] == '"' { // instructions as one text
			out[i].Parts = []callwright.Part{callwright.Text{Text: jsonx.TextOf(b.At(at))}}
			continue
		}
		r.contents, r.message, r.parts = 0, &out[i], parts{refs: turn.Calls, results: turn.Results}
		for from := at.From; from < at.To; r.contents++ { // a turn of the model may be several contents
			if from = jsonx.Space(b.Raw, w.Element(0, from, contentShape)); from < at.To {
				from = jsonx.Space(b.Raw, from+1) // the comma
			}
		}
	}
	return kit.AllocateParts(out), nil
}

// messageReader is the kit.Visitor that decodes contents to a message.
type messageReader struct {
	parts
	message  *callwright.Message
	contents int // number of contents of the message read so far
}

// Enter returns false for files in results: they are decoded together with the part.
func (r *messageReader) Enter(of *kit.Shape, _ int) bool { return of.Kind != ofShown }

// Leave decodes a part, or completes a message.
func (r *messageReader) Leave(x *kit.Object) {
	if x.Shape.Kind == ofPart {
		if r.list == nil {
			r.list = make([]callwright.Part, 0, 4)
		}
		r.take(x.Raw(), partMembers{set(x, pText), set(x, pThought), set(x, pSignature), set(x, pCall), set(x, pResponse),
			set(x, pInline), set(x, pFile),
			!x.Only(pText, pThought, pSignature, pCall, pResponse, pInline, pFile)})
		return
	}
	m := r.message
	m.Parts = r.list
	if m.Role == callwright.RoleAssistant {
		if r.contents > 0 { // such as the last chunk of a stream, which has only the finish reason
			m.Parts = slices.DeleteFunc(m.Parts, isEmptyText)
		}
		m.Parts = joinTextParts(m.Parts)
		r.list = m.Parts
	}
	if !x.Only(cParts, cRole) {
		m.Extra = own.ExtraOf(x.Raw(), contentKeys)
	}
	if role := x.Get(cRole); role != nil && string(jsonx.TextBytes(role)) != roleOf(m.Role) {
		m.Extra = own.Keep(m.Extra, "role", role)
	}
}

// roleOf returns the role name of this API. It is "" for RoleSystem, because the system instruction needs none.
func roleOf(r callwright.Role) string {
	switch r {
	case callwright.RoleAssistant:
		return "model"
	case callwright.RoleSystem:
		return ""
	}
	return "user"
}

// joinTextParts merges successive texts and successive thoughts of a model turn, which are deltas of a stream. Empty
// texts and texts with a signature are not merged. It modifies list.
func joinTextParts(list []callwright.Part) []callwright.Part {
	out := list[:0]
	for i, p := range list {
		n := len(out) - 1
		if n < 0 {
			out = append(out, p)
			continue
		}
		switch p := p.(type) {
		case callwright.Text:
			before, is := out[n].(callwright.Text)
			if is && before.Text != "" && p.Text != "" && before.Extra.JSON == nil && p.Extra.JSON == nil && signatureOn(list[i+1:]) == "" {
				out[n] = callwright.Text{Text: before.Text + p.Text}
				continue
			}
		case callwright.Reasoning:
			if before, is := out[n].(callwright.Reasoning); is && isThought(before) && isThought(p) {
				before.Text += p.Text
				out[n] = before
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// isEmptyText reports whether a part is a Text without text and Extra.
func isEmptyText(p callwright.Part) bool {
	t, is := p.(callwright.Text)
	return is && t.Text == "" && t.Extra.JSON == nil
}

// isThought reports whether reasoning of this API has only a text.
func isThought(r callwright.Reasoning) bool {
	return r.Signature == "" && r.Redacted == "" && r.ID == "" && r.Extra.JSON == nil && fromOwnWire(r.Origin)
}
