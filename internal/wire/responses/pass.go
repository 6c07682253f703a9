package responses

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Pass appends the bytes of a batch unchanged, except for sequence_number, and returns true if they can follow the
// bytes written so far. Otherwise it returns false, and this and all later batches are encoded from their events.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool) {
	in := eventOf(b, &e.in)
	if in == nil {
		if len(b.Events) == 0 {
			dst = append(dst, b.Raw...)
		}
		return dst, false
	}
	e.fromOwnWire = true
	if e.rewritten || e.Ended {
		return dst, false
	}
	raw, numbered := b.Raw, true
	if e.shift > 0 {
		raw, numbered = renumber(raw, e.shift)
	}
	if !numbered || !e.passes(in) {
		e.drop()
		e.rewritten = true
		return dst, false
	}
	e.seq = max(e.seq, in.sequence()+e.shift) + 1
	if e.item.kind == messageItem && e.item.n == 0 && len(b.Events) == 0 && bytes.HasSuffix(in.name(), []byte(".added")) {
		e.held = append(e.held, raw...)
		return dst, true
	}
	return append(e.release(dst), raw...), true
}

// release appends the buffered events that opened a message.
func (e *streamEncoder) release(dst []byte) []byte {
	dst = append(dst, e.held...)
	e.held = e.held[:0]
	return dst
}

// drop discards the buffered events that opened a message: without text, clients would show an empty message.
func (e *streamEncoder) drop() {
	if len(e.held) > 0 {
		e.held, e.item = e.held[:0], openItem{}
	}
}

// passes records a provider's event. It returns false if the event cannot follow the events written so far.
func (e *streamEncoder) passes(f *eventData) bool {
	kind := f.name()
	switch string(kind) {
	case "created":
		fits := !e.started
		e.started = true
		return fits
	case "queued", "in_progress":
		return e.started
	case "output_item.added":
		return e.passOpen(f)
	case "completed", "incomplete", "cancelled", "done":
		return e.started && e.item.kind == noItem && e.repeats(f)
	case "output_item.done":
		return e.started && f.at() == e.next && e.passClose(f)
	case "":
		return false
	}
	if f.index == nil {
		return e.started // an event about the whole response
	}
	if e.item.kind == noItem || f.at() != e.next {
		return false
	}
	if part, event := partOf(kind); part != nil {
		return e.passPart(part, event, f)
	}
	if e.item.kind == callItem && bytes.HasSuffix(kind, []byte(".done")) {
		e.item.textRepeated = true
	}
	return true
}

// passOpen records the item that a response.output_item.added opens. It returns false if the event cannot be forwarded.
func (e *streamEncoder) passOpen(f *eventData) bool {
	if !e.started || e.item.kind != noItem || f.at() != e.next {
		return false
	}
	i := openItem{kind: kindOfItem(f.item), id: kit.TextAt(f.item, "id"), head: slices.Clone(f.item)}
	if i.kind == messageItem && e.compacts {
		return false
	}
	if i.kind == callItem && e.names.differs(kit.TextAt(f.item, "name"), kit.TextAt(f.item, "type"), kit.TextAt(f.item, "namespace")) {
		return false
	}
	e.item = i
	return true
}

// passClose ends the open item at a provider's response.output_item.done. It returns false if the event cannot be
// forwarded, for instance because its text differs from the forwarded deltas.
func (e *streamEncoder) passClose(f *eventData) bool {
	if e.item.kind == noItem || e.item.part != nil || e.item.kind == messageItem && !f.hasParts(e.item.parts) {
		return false
	}
	e.keep(f.item)
	return true
}

// partOf splits an event type (without "response.") into the kind of part and the event: text.delta, text.done,
// part.added or part.done. The kind is nil if the event is not about a part.
func partOf(kind []byte) (*partKind, string) {
	name, event, _ := bytes.Cut(kind, []byte("."))
	for n := range partKinds {
		switch p := &partKinds[n]; string(name) {
		case p.text[len(eventPrefix):]:
			return p, textEvents[string(event)]
		case p.part[len(eventPrefix):]:
			return p, partEvents[string(event)]
		}
	}
	return nil, ""
}

// eventPrefix is the beginning of all event types.
const eventPrefix = "response."

// textEvents and partEvents map the last word of an event type to the event that partOf returns.
var (
	textEvents = map[string]string{"delta": "text.delta", "done": "text.done"}
	partEvents = map[string]string{"added": "part.added", "done": "part.done"}
)

// passPart records a provider's event about a part of the open item. It returns false if the event cannot be forwarded,
// for instance because it repeats a text that differs from the forwarded deltas.
func (e *streamEncoder) passPart(p *partKind, event string, f *eventData) bool {
	i := &e.item
	switch event {
	case "part.added":
		if i.part != nil {
			return false
		}
		i.part = f.kindOfPart(p)
	case "text.delta":
		if i.part == nil {
			i.part = p
		}
	case "text.done":
		if i.part == nil || !f.says(i.text) {
			return false
		}
		i.textRepeated = true
	case "part.done":
		if i.part == nil || !f.partSays(i.text) {
			return false
		}
		e.keepPart(f.part)
	}
	return true
}

// repeats reports whether the final response object has as many items as were written. It is true if it has no list.
func (e *streamEncoder) repeats(f *eventData) bool {
	n, ok := f.items()
	return !ok || n == e.next
}

// Follow updates the encoder's state for an event whose bytes were forwarded. It appends nothing.
func (e *streamEncoder) Follow(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin = ev
	case callwright.TextBegin:
		e.textKind(ev)
	case callwright.TextDelta:
		e.item.text = append(e.item.text, ev.Text...)
	case callwright.ReasoningDelta:
		e.item.text = append(e.item.text, e.item.inPart(ev.Text)...)
	case callwright.CallBegin:
		e.item.call = ev
	case callwright.CallDelta:
		e.item.text = append(e.item.text, ev.Text...)
		e.item.written = len(e.item.text)
	case callwright.UsageDelta:
		e.usage = e.usage.Merge(ev.Usage)
	}
	return dst
}
