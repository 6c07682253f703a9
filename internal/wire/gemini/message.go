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
	for i, at := range b.Spans {
		out[i] = decodeMessage(b.At(at), b.Outline[i])
	}
	return kit.Placed(out), nil
}

func decodeMessage(v []byte, turn callwright.Summary) callwright.Message {
	if jsonx.IsText(v) { // instructions as one text
		return callwright.Message{Role: turn.Role, Parts: []callwright.Part{callwright.Text{Text: jsonx.TextOf(v)}}}
	}
	p, in := parts{refs: turn.Calls, results: turn.Results}, jsonx.FieldsOf(v)
	for part := range elements(in.Get("parts")) {
		if p.list == nil {
			p.list = make([]callwright.Part, 0, 4)
		}
		p.add(part)
	}
	m := callwright.Message{Role: turn.Role, Parts: p.list, Extra: own.Rest(&in, contentKeys)}
	if role := in.Get("role"); role != nil && string(jsonx.TextBytes(role)) != roleOf(turn.Role) {
		m.Extra = own.Keep(m.Extra, "role", role)
	}
	return m
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
