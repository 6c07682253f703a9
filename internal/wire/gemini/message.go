package gemini

import (
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
	for i, at := range b.Spans {
		turn := b.Outline[i]
		out[i].Role = turn.Role
		if b.Raw[at.From] == '"' { // instructions as one text
			out[i].Parts = []callwright.Part{callwright.Text{Text: jsonx.TextOf(b.At(at))}}
			continue
		}
		r.message, r.parts = &out[i], parts{refs: turn.Calls, results: turn.Results}
		w.Element(0, at.From, contentShape)
	}
	return kit.Placed(out), nil
}

// messageReader is the visitor that turns a content into a message.
type messageReader struct {
	parts
	message *callwright.Message
}

// Enter takes parts as a whole.
func (r *messageReader) Enter(of *kit.Shape, _ int) bool { return of.Kind != ofShown }

// Leave adds a part to its message, and finishes a message.
func (r *messageReader) Leave(x *kit.Object) {
	if x.Shape.Kind == ofPart {
		if r.list == nil {
			r.list = make([]callwright.Part, 0, 4)
		}
		r.take(x.Raw(), partMembers{set(x, pText), set(x, pThought), set(x, pSignature), set(x, pCall), set(x, pResponse), set(x, pInline), set(x, pFile),
			!x.Only(pText, pThought, pSignature, pCall, pResponse, pInline, pFile)})
		return
	}
	m := r.message
	m.Parts = r.list
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
