package responses

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// decodeMessages decodes the history, whose shape was checked by the outline.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, 0, len(b.turns))
	for i := range b.turns {
		out = append(out, b.decodeTurn(i))
	}
	return kit.Placed(out), nil
}

// inside marks the message that is a member of the request: instructions, or input that is a text.
func inside(member string) callwright.Extra {
	return own.Extra(json.RawMessage(`{"member":"` + member + `"}`))
}

func (b *body) decodeTurn(i int) callwright.Message {
	v := b.RawMessage(i)
	m := callwright.Message{Role: b.Outline[i].Role}
	switch {
	case b.system && i == 0:
		m.Parts, m.Extra = []callwright.Part{callwright.Text{Text: jsonx.TextOf(v)}}, inside("instructions")
		return m
	case b.plain:
		m.Parts, m.Extra = []callwright.Part{callwright.Text{Text: jsonx.TextOf(v)}}, inside("input")
		return m
	}
	for at := 0; at < len(v); {
		end := jsonx.SkipValue(v, at)
		b.decodeItem(&m, v[at:end:end])
		at = jsonx.Space(v, end)
		if at < len(v) {
			at = jsonx.Space(v, at+1) // the comma
		}
	}
	m.Parts = rejoin(m.Parts)
	return m
}

// decodeItem adds an item to the message it belongs to.
func (b *body) decodeItem(m *callwright.Message, v []byte) {
	kind := kit.TextAt(v, "type")
	if p := items.CompactionPart(v, kind); p != nil {
		m.Parts = append(m.Parts, p)
		return
	}
	id, ok := items.CallID(v)
	if _, has := jsonx.Find(v, "call_id"); !ok && !has {
		id, _ = jsonx.Find(v, "id")
	}
	if b.served[string(jsonx.TextBytes(id))] {
		id = nil
	}
	role, _ := jsonx.Find(v, "role")
	content, _ := jsonx.Find(v, "content")
	w := items.ClassOf(items.TypeOf(kind, id, role, content), string(jsonx.TextBytes(role)), id)
	switch {
	case w.Message && w.Side == items.OfModel:
		m.Parts = items.Answered(m.Parts, v)
	case w.Message:
		m.Parts = items.Content(m.Parts, content)
		m.Extra = own.ExtraOf(v, []string{"role", "content"})
		if w.Side == items.OfSystem {
			m.Extra = own.Keep(m.Extra, "role", role)
		}
	case w.Reasoning:
		m.Parts = append(m.Parts, items.Reasoning(v))
	case w.Call != nil:
		c := items.Call(v, w.Call)
		if ns := kit.TextAt(v, "namespace"); ns != "" {
			c.Name = b.toolNames().vocabulary(ns, kit.TextAt(v, "name"))
		}
		m.Parts = append(m.Parts, c)
	case w.Result != nil:
		m.Parts = append(m.Parts, items.Result(v, w.Result, id))
	default:
		m.Parts = append(m.Parts, items.Opaque(v))
	}
}

// rejoin gives calls of other wires their opaque state back, which came in a carrier of its own.
func rejoin(parts []callwright.Part) []callwright.Part {
	out := parts[:0]
	for i, p := range parts {
		r, ok := p.(callwright.Reasoning)
		if ok && strings.HasPrefix(r.Redacted, wire.CarrierMark) {
			packed := r.Redacted
			r.Redacted = ""
			var call string
			if r, call = wire.Unpack(r, packed); call != "" {
				if i+1 < len(parts) {
					parts[i+1] = signed(parts[i+1], call, r)
				}
				continue
			}
			p = r
		}
		out = append(out, p)
	}
	return out
}

// signed is a part with the signature that r holds, where it is the call with the id. The carrier stands right before it.
func signed(p callwright.Part, id string, r callwright.Reasoning) callwright.Part {
	if c, ok := p.(callwright.Call); ok && c.ID == id {
		c.Signature, c.Origin = r.Signature, r.Origin
		return c
	}
	return p
}
