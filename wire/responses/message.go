package responses

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
	"github.com/callwright/callwright/wire/responses/internal/items"
)

// decodeMessages decodes the history, whose shape was checked by the outline.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	out := make([]callwright.Message, 0, len(b.turns))
	for i := range b.turns {
		out = append(out, b.decodeTurn(i))
	}
	return out, nil
}

// inside marks the message that is a member of the request: instructions, or input that is a text.
func inside(member string) callwright.Extra {
	return own.Extra(json.RawMessage(`{"member":"` + member + `"}`))
}

func (b *body) decodeTurn(i int) callwright.Message {
	v := b.turn(i)
	m := callwright.Message{Role: b.Outline[i].Role}
	switch {
	case b.system && i == 0:
		m.Parts, m.Extra = []callwright.Part{callwright.Text{Text: jsonx.Alias(v)}}, inside("instructions")
		return m
	case b.plain:
		m.Parts, m.Extra = []callwright.Part{callwright.Text{Text: jsonx.Alias(v)}}, inside("input")
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
	id, ok := items.CallID(v)
	if _, has := jsonx.Find(v, "call_id"); !ok && !has {
		id, _ = jsonx.Find(v, "id")
	}
	if b.served[jsonx.Alias(id)] {
		id = nil
	}
	role := kit.TextAt(v, "role")
	w := items.ClassOf(kit.TextAt(v, "type"), role, id)
	switch {
	case w.Message && w.Side == items.OfModel:
		m.Parts = decodeAnswered(m.Parts, v)
	case w.Message:
		content, _ := jsonx.Find(v, "content")
		m.Parts = decodeContent(m.Parts, content)
		m.Extra = own.ExtraOf(v, []string{"role", "content"})
		if w.Side == items.OfSystem {
			raw, _ := jsonx.Find(v, "role")
			m.Extra = own.Keep(m.Extra, "role", raw)
		}
	case w.Reasoning:
		m.Parts = append(m.Parts, decodeReasoning(v))
	case w.Call != nil:
		c := decodeCall(v, w.Call)
		if ns := kit.TextAt(v, "namespace"); ns != "" {
			c.Name = b.toolNames().vocabulary(ns, kit.TextAt(v, "name"))
		}
		m.Parts = append(m.Parts, c)
	case w.Result != nil:
		m.Parts = append(m.Parts, decodeResult(v, w.Result, id))
	default:
		m.Parts = append(m.Parts, opaque(v))
	}
}

// opaque is an item or a part that only this wire knows.
func opaque(v []byte) callwright.Opaque {
	return callwright.Opaque{Extra: own.Extra(slices.Clone(v))}
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

// decodeAnswered adds the texts of a message of the assistant. The first of them has what the item has beside its content
// under the member item.
func decodeAnswered(parts []callwright.Part, v []byte) []callwright.Part {
	content, _ := jsonx.Find(v, "content")
	from := len(parts)
	if jsonx.IsText(content) {
		parts = append(parts, callwright.Text{Text: jsonx.Alias(content)})
	} else {
		parts = decodeContent(parts, content)
	}
	item := own.ExtraOf(v, []string{"role", "content"}).JSON
	if item == nil {
		item = json.RawMessage("{}")
	}
	if len(parts) > from {
		if t, ok := parts[from].(callwright.Text); ok {
			t.Extra = own.Keep(t.Extra, "item", item)
			parts[from] = t
			return parts
		}
	}
	return append(parts[:from], opaque(v))
}

// decodeContent adds the parts of content, which is a text or a list of parts.
func decodeContent(parts []callwright.Part, v []byte) []callwright.Part {
	if jsonx.IsText(v) {
		return append(parts, callwright.Text{Text: jsonx.Alias(v)})
	}
	for p := range jsonx.Elements(v) {
		parts = append(parts, decodePart(p))
	}
	return parts
}

// decodePart reads one element of content.
func decodePart(v []byte) callwright.Part {
	switch k := kit.TextAt(v, "type"); k {
	case "input_text", "output_text":
		return callwright.Text{Text: kit.TextAt(v, "text"), Extra: own.ExtraOf(v, []string{"type", "text"})}
	case "text":
		return callwright.Text{Text: kit.TextAt(v, "text"), Extra: own.ExtraOf(v, []string{"text"})}
	case "refusal":
		return callwright.Text{Text: kit.TextAt(v, "refusal"), Extra: own.ExtraOf(v, []string{"refusal"})}
	case "input_image":
		p := callwright.Image{FileID: kit.TextAt(v, "file_id"), Detail: kit.TextAt(v, "detail"),
			Extra: own.ExtraOf(v, []string{"type", "file_id", "detail", "image_url"})}
		var ok bool
		if p.MediaType, p.Data, ok = kit.SplitDataURL(kit.TextAt(v, "image_url")); !ok {
			p.URL = kit.TextAt(v, "image_url")
		}
		return p
	case "input_file":
		f := callwright.File{Name: kit.TextAt(v, "filename"), FileID: kit.TextAt(v, "file_id"), URL: kit.TextAt(v, "file_url"),
			Extra: own.ExtraOf(v, []string{"type", "file_id", "filename", "file_data", "file_url"})}
		var ok bool
		if f.MediaType, f.Data, ok = kit.SplitDataURL(kit.TextAt(v, "file_data")); !ok {
			f.Data = kit.TextAt(v, "file_data")
		}
		return f
	case "input_audio":
		in, _ := jsonx.Find(v, k)
		return callwright.File{MediaType: "audio/" + kit.TextAt(in, "format"), Data: kit.TextAt(in, "data"),
			Extra: own.ExtraOf(v, []string{"type"}, kit.Nest{Key: k, Known: []string{"data", "format"}})}
	}
	return opaque(v)
}

// decodeReasoning reads a reasoning item. Its text is that of the content where there is some, else that of the summary; both
// are kept in Extra where the text alone would not say how they were written.
func decodeReasoning(v []byte) callwright.Reasoning {
	r := callwright.Reasoning{Redacted: kit.TextAt(v, "encrypted_content"), ID: kit.TextAt(v, "id"), Origin: origin}
	summary, _ := jsonx.Find(v, "summary")
	content, _ := jsonx.Find(v, "content")
	known := []string{"type", "id", "encrypted_content", "summary"}
	if r.Text = joined(content); r.Text == "" {
		r.Text = joined(summary)
	}
	if !plainSummary(summary, r.Text) {
		known = known[:3]
	}
	r.Extra = own.ExtraOf(v, known)
	return r
}

// joined joins the texts of a list of parts with blank lines.
func joined(list []byte) string {
	var only string
	var all strings.Builder
	n := 0
	for p := range jsonx.Elements(list) {
		words := kit.TextAt(p, "text")
		if n++; n == 1 {
			only = words
			all.WriteString(words)
			continue
		}
		all.WriteString("\n\n")
		all.WriteString(words)
	}
	if n < 2 {
		return only
	}
	return all.String()
}

// plainSummary reports whether a summary is what is written for the text: one part, or none.
func plainSummary(summary []byte, words string) bool {
	n := 0
	for p := range jsonx.Elements(summary) {
		if n++; n > 1 || kit.TextAt(p, "type") != "summary_text" || kit.TextAt(p, "text") != words || words == "" {
			return false
		}
		if own.ExtraOf(p, []string{"type", "text"}).JSON != nil {
			return false
		}
	}
	return n == 1 || words == "" && jsonx.IsArray(summary)
}

// decodeCall reads a call. The name of one in a namespace is that of the tool in the vocabulary.
func decodeCall(v []byte, f *items.Form) callwright.Call {
	id := kit.TextAt(v, "call_id")
	c := callwright.Call{ID: id, Name: f.Tool, Type: f.Kind, Origin: origin}
	known := []string{"call_id", f.Input}
	if f.Tool == "" {
		known = append(known, "type", "name")
		c.Name = kit.TextAt(v, "name")
		if ns := kit.TextAt(v, "namespace"); ns != "" {
			c.Name = items.JoinedName(ns, c.Name)
			known = known[:3] // the client's own name stays beside the namespace
		}
	} else if id == "" {
		c.ID = kit.TextAt(v, "id")
	}
	in, _ := jsonx.Find(v, f.Input)
	if f.Kind == callwright.CustomTool {
		c.Input = jsonx.Alias(in)
	} else {
		c.Arguments = argumentsOf(in)
	}
	c.Extra = own.ExtraOf(v, known)
	return c
}

// argumentsOf are arguments as text: a string's text, the JSON of another value, nothing for null.
func argumentsOf(v []byte) json.RawMessage {
	switch {
	case jsonx.IsNull(v), jsonx.IsText(v) && len(v) == 2:
		return nil
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}

// decodeResult reads the outcome of a call. An output that is neither text nor parts is given as its JSON.
func decodeResult(v []byte, f *items.Form, id []byte) callwright.Result {
	r := callwright.Result{CallID: jsonx.Alias(id), Name: f.Tool, Type: f.Kind}
	known := []string{"call_id", "output"}
	if f.Tool == "" {
		known = append(known, "type")
		r.Name = kit.TextAt(v, "name") // in Extra too: only what came with a name goes back with it
	}
	output, _ := jsonx.Find(v, "output")
	if f.Tool == "tool_search" {
		output, _ = jsonx.Find(v, "tools")
	}
	switch {
	case jsonx.IsText(output), f.Tool == "" && jsonx.IsArray(output):
		r.Parts = decodeContent(nil, output)
	case !jsonx.IsNull(output):
		r.Parts = []callwright.Part{callwright.Text{Text: string(output)}}
		known = []string{"call_id"}
	}
	r.IsError = f.Tool == "apply_patch" && kit.TextAt(v, "status") == "failed"
	r.Extra = own.ExtraOf(v, known)
	return r
}
