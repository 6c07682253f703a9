package responses

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// streamItem is an output item of a streamed response.
type streamItem struct {
	index      int // output_index, -1 if missing
	id         string
	class      items.Class // message, reasoning, call or other
	kind       string      // member "type"
	call       callwright.CallBegin
	begun      bool               // CallBegin was emitted
	sum        items.Pieces       // the input of a call so far
	digest     items.Digest       // hash of its text, to find the item in the final response object
	piecesCame bool               // deltas of its text were received
	gap        bool               // a further part of its reasoning begins
	queue      []callwright.Event // events that wait for an earlier item
	doneEarly  bool               // the event with all arguments came before they were complete
	cut        bool               // its end came with incomplete arguments while an earlier item was open
	end        []byte             // the item in that end event
	incomplete bool               // it ended with incomplete arguments
	args       jsonx.Checker      // of the arguments, once the call has ended
	ended      bool               // its end was handled
	repeated   bool               // the final response object contains it
}

// handleItemAdded opens an item. It ignores an item that is open already, and notes that. If the event has no
// output_index, or that of an open item, that item is ended first (without an index, all open items), except calls with
// an id: some servers never end their text items, or end them only with the response.
func (d *streamDecoder) handleItemAdded(f *eventData) {
	index, placed := f.place()
	if b := d.findByName(f); b != nil && !b.ended && b.class.Alike(items.ClassOfItem(f.item)) && (!placed || b.index == index) {
		d.noteDeviation("wire.repeated_item", "an item began twice")
		return
	}
	for _, b := range slices.Clone(d.items) {
		if !b.ended && (!placed || b.index == index) && (b.class.Call == nil || b.id == "" || len(f.id()) == 0) {
			d.noteDeviation("wire.open_item", "an item was not ended")
			d.endItem(b, nil)
		}
	}
	if !placed {
		index = -1
	}
	d.start(f, index)
}

// start opens an item with an output_index, -1 if missing. It emits CallBegin for a call with a name and an id.
func (d *streamDecoder) start(f *eventData, index int) *streamItem {
	if len(d.items) == maxOpen {
		d.closeAll()
	}
	if index < d.next {
		d.noteDeviation("wire.item_index", "items came without distinct indexes")
	}
	b := &streamItem{index: index, id: string(f.id()), kind: kit.TextAt(f.item, "type")}
	b.class = items.ClassOfItem(f.item)
	d.items, d.seen = append(d.items, b), append(d.seen, b)
	d.indexItem(b, b.id)
	d.next = max(d.next, index+1)
	if len(d.items) > 1 {
		d.noteDeviation("wire.interleaved", "the events of several items came in mixed order")
	}
	if form := b.class.Call; form != nil {
		c := items.Call(f.item, form, "status") // the status of the beginning is not kept
		b.call = callwright.CallBegin{Index: d.calls, ID: c.ID, Name: c.Name, Type: c.Type, Origin: origin, Extra: c.Extra}
		d.calls++
		d.end.Calls = true
		if b.call.ID != b.id {
			d.indexItem(b, b.call.ID)
		}
		if c.ID != "" && c.Name != "" {
			d.beginCall(b)
		} else {
			d.noteDeviation("wire.late_name", "a call came before its name or id")
		}
	}
	return b
}

func (d *streamDecoder) beginCall(b *streamItem) {
	b.begun = true
	d.emit(b, b.call)
}

// partAdded handles the beginning of a further part of an item. Parts of reasoning are separated by an empty line.
func (d *streamDecoder) partAdded(f *eventData) {
	if b := d.openItem(f); b != nil && b.class.Reasoning {
		b.gap = b.piecesCame
	}
}

func (d *streamDecoder) textDelta(f *eventData) {
	d.emitTextDelta(f, `{"type":"message","role":"assistant"}`, false)
}
func (d *streamDecoder) thoughtDelta(f *eventData) { d.emitTextDelta(f, `{"type":"reasoning"}`, false) }

func (d *streamDecoder) refusalDelta(f *eventData) {
	d.end.Refused = true
	d.emitTextDelta(f, `{"type":"message","role":"assistant"}`, true)
}

// emitTextDelta emits a text delta. It is reasoning if the item is of type reasoning, whatever the type of the event.
// If no item is open, emitTextDelta opens the item implied, which is JSON.
func (d *streamDecoder) emitTextDelta(f *eventData, implied string, refusal bool) {
	d.logprobs = d.logprobs || !kit.IsEmptyValue(f.logprobs)
	s := d.texts.Of(f.delta)
	if s == "" {
		return
	}
	b := d.openItem(f)
	if b == nil {
		d.noteDeviation("wire.no_item", "a piece came before its item")
		f.item = []byte(implied)
		b = d.start(f, max(f.at(), d.next))
	}
	b.piecesCame = true
	if b.class.Reasoning && b.gap {
		b.gap = false
		s = "\n\n" + s
	}
	switch {
	case b.class.Reasoning:
		b.digest.Add(s)
		d.emit(b, callwright.ReasoningDelta{Text: s})
	case b.class.Message:
		d.say(b, s, refusal)
	}
}

func (d *streamDecoder) callDelta(f *eventData) {
	b, s := d.openItem(f), d.texts.Of(f.delta)
	if s == "" {
		return
	}
	if b == nil || b.class.Call == nil {
		if late := d.findLateItem(f); late != nil {
			d.addLate(late, s)
		} else {
			d.noteDeviation("wire.stray_piece", "a piece belonged to no call")
		}
		return
	}
	if b.doneEarly {
		d.noteDeviation(latePiece, latePieceWhy)
	}
	b.sum.Add(s)
	if b.begun {
		d.emit(b, callwright.CallDelta{Index: b.call.Index, Text: s})
	}
}

// callWhole handles the event that repeats the complete input of a call. An event that disagrees with the deltas is not
// forwarded, because clients may read either. If the input is incomplete, the decoder waits for more deltas.
func (d *streamDecoder) callWhole(f *eventData) {
	b := d.openItem(f)
	if b == nil || b.class.Call == nil {
		if late := d.findLateItem(f); late != nil {
			d.completeLate(late, jsonx.TextOf(f.text))
		}
		return
	}
	text := jsonx.TextOf(f.text)
	if b.doneEarly = !isWhole(text, b.call.Type); b.doneEarly {
		d.hold.EndCall(b.call.Index, false)
	}
	rest, ok := b.sum.Rest(text)
	switch {
	case !ok:
		d.noteDeviation(otherText, otherTextWhy)
	case rest != "":
		d.noteDeviation(lateText, lateTextWhy)
		b.sum.Add(rest)
		if b.begun {
			d.emit(b, callwright.CallDelta{Index: b.call.Index, Text: rest})
		}
	}
}

func (d *streamDecoder) handleItemDone(f *eventData) {
	b := d.openItem(f)
	if b == nil {
		if late := d.findLateItem(f); late != nil {
			d.completeLate(late, items.ReadCallInput(f.item, late.class.Call))
			return
		}
		if d.endedBefore(f) {
			return
		}
		d.noteDeviation("wire.late_item", "an item came only with its end")
		b = d.start(f, max(f.at(), d.next))
	}
	d.endItem(b, f.item)
}

const (
	lateText     = "wire.late_text"
	lateTextWhy  = "the text of an item came only with its end"
	otherText    = "wire.other_text"
	otherTextWhy = "the final event of an item differs from its pieces"
)

// endItem ends an item. item is the JSON of its end event, nil if the deltas are the content. Events hold copies.
func (d *streamDecoder) endItem(b *streamItem, item []byte) {
	switch {
	case b.class.Call != nil:
		if d.endCall(b, item); b.cut {
			return
		}
	case b.class.Reasoning:
		d.endThought(b, item)
	case b.class.Message && item != nil:
		content, _ := jsonx.Find(item, "content")
		d.endMessage(b, items.Content(nil, content))
	case !b.class.Message && item != nil:
		d.emit(b, callwright.OpaquePart(items.Opaque(item)))
	}
	d.close(b)
}

// endMessage ends a message item. It emits a text of parts if no deltas were received. The citations of all texts are
// emitted as one OpaquePart without a type, then the parts that are not texts.
func (d *streamDecoder) endMessage(b *streamItem, parts []callwright.Part) {
	var named citation.Cited
	var beside []callwright.Event
	for _, p := range parts {
		d.end.Add(p)
		switch p := p.(type) {
		case callwright.Text:
			d.endText(b, p, &named)
		case callwright.Opaque:
			beside = append(beside, callwright.OpaquePart(p))
		case callwright.Image, callwright.File:
			beside = append(beside, callwright.MediaPart{Part: p})
		}
	}
	if v := named.Object(); v != nil {
		d.emit(b, callwright.OpaquePart{Extra: own.Extra(v)})
	}
	for _, ev := range beside {
		d.emit(b, ev)
	}
}

// endText emits a text of a message that ends if no deltas were received, and adds its citations to named.
func (d *streamDecoder) endText(b *streamItem, t callwright.Text, named *citation.Cited) {
	if !b.piecesCame && t.Text != "" {
		d.noteDeviation(lateText, lateTextWhy)
		d.say(b, t.Text, t.IsRefusal())
	}
	if !t.IsRefusal() {
		named.Add(findList(t.Extra, "annotations"), t.Text)
	}
	d.logprobs = d.logprobs || findList(t.Extra, "logprobs") != nil
}

// say emits a text delta. A change between text and refusal begins a new text.
func (d *streamDecoder) say(b *streamItem, s string, refusal bool) {
	b.digest.Add(s)
	if refusal != d.refuses {
		d.refuses = refusal
		begin := callwright.TextBegin{}
		if refusal {
			begin.Extra = own.Extra([]byte(`{"type":"refusal"}`))
		}
		d.emit(b, begin)
	}
	d.emit(b, callwright.TextDelta{Text: s})
}

func (d *streamDecoder) endThought(b *streamItem, item []byte) {
	r := callwright.Reasoning{Origin: origin}
	if item != nil {
		r = items.Reasoning(item)
	}
	if !b.piecesCame && r.Text != "" {
		d.noteDeviation(lateText, lateTextWhy)
		b.digest.Add(r.Text)
		d.emit(b, callwright.ReasoningDelta{Text: r.Text})
	}
	d.emit(b, callwright.ReasoningEnd{Redacted: r.Redacted, ID: r.ID, Origin: origin, Extra: r.Extra})
}

// endCall ends a call. The input in item, its end event, completes the deltas. A call with incomplete arguments stays
// open while an earlier item is open.
func (d *streamDecoder) endCall(b *streamItem, item []byte) {
	if item == nil {
		item = b.end
	}
	whole, rest, agrees := "", "", false
	if item != nil {
		if !b.begun {
			c := items.Call(item, b.class.Call)
			b.call.ID, b.call.Name = c.ID, c.Name
			d.indexItem(b, b.call.ID)
		}
		whole = items.ReadCallInput(item, b.class.Call)
		if rest, agrees = b.sum.Rest(whole); !agrees && b.class.Call.Tool == "" {
			d.noteDeviation(otherText, otherTextWhy)
		}
	}
	if !agrees {
		whole, rest = b.sum.String(), ""
	}
	b.args = jsonx.Checker{}
	broken := b.args.FeedString(whole) != nil || !b.args.Complete()
	b.incomplete = whole == "" || broken && b.call.Type == callwright.FunctionTool || !agrees && b.call.Type == callwright.CustomTool
	if b.cut = b.incomplete && b != d.items[0]; b.cut {
		b.end = slices.Clone(item)
		return
	}
	b.digest.Add(whole)
	if !b.begun {
		rest = whole
		d.beginCall(b)
	}
	if rest != "" {
		if b.class.Call.Tool == "" {
			d.noteDeviation(lateText, lateTextWhy)
		}
		b.sum.Add(rest)
		d.emit(b, callwright.CallDelta{Index: b.call.Index, Text: rest})
	}
	if b.incomplete {
		d.late = append(d.late, b)
		d.hold.EndCall(b.call.Index, false)
	} else {
		d.hold.Settle(b.call.Index)
	}
	d.emit(b, callwright.CallEnd{Index: b.call.Index})
	d.end.Call(b.call.Type, whole != "" && broken)
}
