package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// contentKeys are the members of a content that are decoded; all others are kept as Extra.
var contentKeys = []string{"role", "parts"}

// decodeMessages decodes the history, whose shape was checked by the outline.
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

// messageReader is the visitor that turns a content into a message.
type messageReader struct {
	parts
	message  *callwright.Message
	contents int // of the message that were read before
}

// Enter takes parts as a whole.
func (r *messageReader) Enter(of *kit.Shape, _ int) bool { return of.Kind != ofShown }

// Leave adds a part to its message, and finishes a message.
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
		if r.contents > 0 { // such as the last piece of a stream, which has nothing but the finish reason
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

// roleOf is the role as this API has it; the system instruction needs none.
func roleOf(r callwright.Role) string {
	switch r {
	case callwright.RoleAssistant:
		return "model"
	case callwright.RoleSystem:
		return ""
	}
	return "user"
}

// joinTextParts is a turn of the model with one text, and one thought, in place of those that follow one another: they
// are the pieces of a stream. An empty text, and one with a signature, stay apart.
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

// isEmptyText reports whether a part is a text without anything.
func isEmptyText(p callwright.Part) bool {
	t, is := p.(callwright.Text)
	return is && t.Text == "" && t.Extra.JSON == nil
}

// isThought reports whether reasoning is a text and nothing else.
func isThought(r callwright.Reasoning) bool {
	return r.Signature == "" && r.Redacted == "" && r.ID == "" && r.Extra.JSON == nil && fromOwnWire(r.Origin)
}
