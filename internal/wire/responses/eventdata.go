package responses

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// Keep returns nil, which shares no memory with the decoder: the event is read again from the bytes of the batch where
// it is needed.
func (*eventData) Keep() any { return (*eventData)(nil) }

// eventOf returns the event whose bytes a batch holds, nil without one. A kept one is read into f.
func eventOf(b *callwright.Batch, f *eventData) *eventData {
	in, ok := b.Hint.(*eventData)
	if !ok || in != nil {
		return in
	}
	*f = eventData{}
	f.read(kit.EventData(b.Raw))
	return f
}

// name is the type of the event without its prefix.
func (f *eventData) name() []byte {
	return bytes.TrimPrefix(jsonx.TextBytes(f.kind), []byte(eventPrefix))
}

// sequence is the sequence_number, 0 without one.
func (f *eventData) sequence() int { return smallNumber(f.number) }

// kindOfItem is the kind of an item.
func kindOfItem(item []byte) itemKind {
	switch w := items.ClassOfItem(item); {
	case w.Message:
		return messageItem
	case w.Reasoning:
		return reasoningItem
	case w.Call != nil:
		return callItem
	}
	return otherItem
}

// hasParts reports whether the item of the event, a message, has the texts of parts, which are separated by commas.
func (f *eventData) hasParts(parts []byte) bool {
	content, _ := jsonx.Find(f.item, "content")
	list := append(append([]byte{'['}, parts...), ']')
	return callwright.TextOf(items.Content(nil, list)) == callwright.TextOf(items.Content(nil, content))
}

// kindOfPart is the kind of the part of the event, otherwise where it is none of those that are known.
func (f *eventData) kindOfPart(otherwise *partKind) *partKind {
	kind := kit.TextAt(f.part, "type")
	for n := range partKinds {
		if partKinds[n].name == kind {
			return &partKinds[n]
		}
	}
	return otherwise
}

// says reports whether the text of the event is this one.
func (f *eventData) says(text []byte) bool { return bytes.Equal(text, jsonx.TextBytes(f.text)) }

// partSays reports whether the part of the event has this text.
func (f *eventData) partSays(text []byte) bool {
	v, ok := jsonx.Find(f.part, "text")
	if !ok {
		v, _ = jsonx.Find(f.part, "refusal")
	}
	return bytes.Equal(text, jsonx.TextBytes(v))
}

// items is the number of the items that the answer of the event has; ok is false where it has no list of them.
func (f *eventData) items() (n int, ok bool) {
	output, ok := jsonx.Find(f.response, "output")
	for range jsonx.Elements(output) {
		n++
	}
	return n, ok
}
