package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// think appends a reasoning delta. Reasoning of a response of this API is buffered until its ReasoningEnd, which has
// the item's id, because the provider may look up the item by this id.
func (e *streamEncoder) think(dst []byte, s string) []byte {
	if e.fromOwnWire && e.item.kind != reasoningItem {
		e.thought = append(e.thought, s...)
		return dst
	}
	return e.appendTextDelta(dst, reasoningItem, summaryText, s)
}

// writeThought appends the buffered reasoning as an item with the id, or nothing if there is none.
func (e *streamEncoder) writeThought(dst []byte, id string) []byte {
	if len(e.thought) == 0 {
		return dst
	}
	s := string(e.thought)
	e.thought = nil
	return e.appendTextDelta(e.openText(dst, reasoningItem, id), reasoningItem, summaryText, s)
}

// reasoningEnd ends the open reasoning item. If none is open, it appends an item with the opaque state only.
func (e *streamEncoder) reasoningEnd(dst []byte, ev callwright.ReasoningEnd) []byte {
	if e.item.kind == reasoningItem {
		return e.endReasoning(dst, ev)
	}
	if ev.Redacted+ev.Signature+ev.ID == "" {
		return dst
	}
	return e.wholeReasoning(dst, callwright.Reasoning{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID,
		Origin: ev.Origin, Extra: ev.Extra})
}

// wholeReasoning appends a complete reasoning item without streaming its text.
func (e *streamEncoder) wholeReasoning(dst []byte, r callwright.Reasoning) []byte {
	made := newWriter(nil)
	made.reasoningItem(r)
	body := func(w *writer) { w.Buf = append(w.Buf, made.Buf...) }
	return e.closeItem(e.openItem(dst, openItem{kind: reasoningItem, id: kit.TextAt(made.Buf, "id")}, body), body)
}

// endReasoning ends the open reasoning item with its opaque state. State of other APIs is packed by wire.Pack.
func (e *streamEncoder) endReasoning(dst []byte, ev callwright.ReasoningEnd) []byte {
	i := &e.item
	dst = e.closePart(dst)
	r := callwright.Reasoning{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Origin: ev.Origin, Extra: ev.Extra}
	return e.closeItem(dst, func(w *writer) {
		w.Open("", '{')
		w.Text("id", i.id)
		w.Text("type", "reasoning")
		items.WriteReasoningStatus(&w.Writer, r.Origin, completed)
		fromOwnWire := r.Origin.Wire == callwright.WireResponses
		if !fromOwnWire || own.Member(r.Extra, "summary") == nil {
			w.Open("summary", '[')
			if !fromOwnWire || items.JoinedTexts(own.Member(r.Extra, "content")) == "" {
				w.Buf = append(w.Buf, i.parts...)
			}
			w.Close(']')
		}
		if fromOwnWire {
			w.OptionalText("encrypted_content", r.Redacted)
			w.Extra(r.Extra, "id", "type", "encrypted_content")
		} else {
			w.Text("encrypted_content", packReasoning(r))
		}
		w.Close('}')
	})
}

// form returns the item type in which the client reads the open call.
func (e *streamEncoder) form() *items.Form {
	if e.item.form == nil {
		e.item.form, _ = formFor(&e.names, callwright.Call{Name: e.item.call.Name, Type: e.item.call.Type})
	}
	return e.item.form
}

// callOf returns the open call with the input received so far.
func (e *streamEncoder) callOf() callwright.Call {
	c := callwright.Call{ID: e.item.call.ID, Name: e.item.call.Name, Type: e.item.call.Type, Extra: e.item.call.Extra}
	if c.Type == callwright.CustomTool {
		c.Input = string(e.item.text)
	} else {
		c.Arguments = e.item.text
	}
	return c
}

func (e *streamEncoder) callBegin(dst []byte, ev callwright.CallBegin) []byte {
	c := callwright.Call{ID: ev.ID, Name: ev.Name, Signature: ev.Signature, Origin: ev.Origin, Type: ev.Type, Extra: ev.Extra}
	if r, ok := stateOf(c); ok {
		dst = e.wholeReasoning(dst, r)
	}
	if c.ID == "" {
		ev.ID = newID("call_")
		c.ID = ev.ID
	}
	f, _ := formFor(&e.names, c)
	item := openItem{kind: callItem, id: jsonx.TextOf(own.Member(ev.Extra, "id")), call: ev, form: f}
	if item.id == "" {
		item.id = newID(f.Prefix)
	}
	return e.openItem(dst, item, func(w *writer) { w.callItem(&e.names, c, item.id, inProgress, f.Tool != "") })
}

// callDelta buffers a delta of the open call. Flush writes the buffered deltas together.
func (e *streamEncoder) callDelta(s string) {
	if e.item.kind == callItem {
		e.item.text = append(e.item.text, s...)
	}
}

// callEnd ends the open call. If no deltas came, its input is taken from ev.Call, which is set after validation.
func (e *streamEncoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	if e.item.kind != callItem {
		return dst
	}
	return e.endCall(dst, ev.Call, completed)
}

func (e *streamEncoder) endCall(dst []byte, judged *callwright.Call, status string) []byte {
	if len(e.item.text) == 0 {
		switch {
		case judged != nil && judged.Type == callwright.CustomTool:
			e.callDelta(judged.Input)
		case judged != nil && len(judged.Arguments) > 0:
			e.callDelta(string(judged.Arguments))
		case e.item.call.Type == callwright.FunctionTool:
			e.callDelta("{}")
		}
	}
	dst = e.Flush(dst)
	c := e.callOf()
	f, tool := formFor(&e.names, c)
	if name := f.InputEvents(); name != "" && !e.item.textRepeated {
		dst = e.event(dst, name+".done", func(w *writer) {
			e.about(w)
			if f == items.Function {
				if tool.name != "" {
					w.Text("name", tool.name)
				} else {
					w.Text("name", c.Name)
				}
			}
			w.Key(f.Input)
			w.Buf = jsonx.AppendQuote(w.Buf, e.item.text)
		})
	}
	id := e.item.id
	return e.closeItem(dst, func(w *writer) { w.callItem(&e.names, c, id, status, true) })
}
