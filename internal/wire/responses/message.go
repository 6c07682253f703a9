package responses

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// decodeMessages decodes all messages. DecodeRequest has already validated them.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, len(b.Spans))
	r := messageReader{body: b}
	r.walk = kit.NewWalk(&b.Document, &r)
	defer r.walk.Release()
	for i := range out {
		out[i] = r.read(i)
	}
	return kit.AllocateParts(out), nil
}

// messageReader is the kit.Visitor that decodes input items and appends their parts to a message.
type messageReader struct {
	body    *body
	walk    *kit.Walk
	message callwright.Message
}

// inside returns the Extra of a message that was the string in the top-level member "instructions" or "input".
func inside(member string) callwright.Extra {
	return own.Extra(json.RawMessage(`{"member":"` + member + `"}`))
}

// read decodes message i.
func (r *messageReader) read(i int) callwright.Message {
	b, member := r.body, "input"
	m := callwright.Message{Role: b.Outline[i].Role}
	if b.Apart && i == 0 {
		member = "instructions"
	}
	if b.inputIsString || member == "instructions" {
		m.Parts, m.Extra = []callwright.Part{callwright.Text{Text: jsonx.TextOf(b.RawMessage(i))}}, inside(member)
		return m
	}
	r.message = m
	for at, end := b.Spans[i].From, b.Spans[i].To; at < end; {
		if at = jsonx.Space(b.Raw, r.walk.Element(0, at, itemShape)); at < end {
			at = jsonx.Space(b.Raw, at+1) // the comma
		}
	}
	r.message.Parts = items.Rejoin(r.message.Parts)
	return r.message
}

// Enter returns true for items only: their parts are decoded together with the item.
func (r *messageReader) Enter(of *kit.Shape, _ int) bool { return of.Kind == ofItem }

// Leave decodes an item and appends its parts to the current message.
func (r *messageReader) Leave(i *kit.Object) {
	m, b, v, id := &r.message, r.body, i.Raw(), callID(i)
	if p := items.CompactionPart(v, i.Text(iType)); p != nil {
		m.Parts = append(m.Parts, p)
		return
	}
	if items.RanByProvider(i.Get(iExecution), i.Get(iEnvironment)) || b.providerCalls[string(jsonx.TextBytes(id))] {
		id = nil
	}
	switch w, _ := classOf(i, id); {
	case w.Message && w.Side == items.OfModel:
		m.Parts = items.AppendMessage(m.Parts, v)
	case w.Message:
		m.Parts = items.Content(m.Parts, i.Get(iContent))
		m.Extra = own.ExtraOf(v, []string{"role", "content"})
		if w.Side == items.OfSystem {
			m.Extra = own.Keep(m.Extra, "role", i.Get(iRole))
		}
	case w.Reasoning:
		m.Parts = append(m.Parts, items.Reasoning(v))
	case w.Call != nil:
		c := items.Call(v, w.Call)
		if ns := i.Text(iNamespace); ns != "" {
			c.Name = b.toolNames().vocabulary(ns, i.Text(iName))
		}
		m.Parts = append(m.Parts, c)
	case w.Result != nil:
		m.Parts = append(m.Parts, items.Result(v, w.Result, id))
	default:
		m.Parts = append(m.Parts, items.Opaque(v))
	}
}
