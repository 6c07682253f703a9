package responses

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// Keep returns a nil *eventData, because f aliases the decoder's memory. eventOf decodes the event again if necessary.
func (*eventData) Keep() any { return (*eventData)(nil) }

// eventOf returns the decoded event of a batch, nil if there is none. If the hint was copied, it decodes into f.
func eventOf(b *callwright.Batch, f *eventData) *eventData {
	in, ok := b.Hint.(*eventData)
	if !ok || in != nil {
		return in
	}
	*f = eventData{}
	f.read(kit.EventData(b.Raw))
	return f
}

// name returns the type of the event without the prefix "response.".
func (f *eventData) name() []byte {
	return bytes.TrimPrefix(jsonx.TextBytes(f.kind), []byte(eventPrefix))
}

// sequence returns the sequence_number, or 0 if it is missing.
func (f *eventData) sequence() int { return smallNumber(f.number) }

// kindOfItem returns the itemKind of an item's JSON.
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

// hasParts reports whether the message item of the event has the same text as parts, which are separated by commas.
func (f *eventData) hasParts(parts []byte) bool {
	content, _ := jsonx.Find(f.item, "content")
	list := append(append([]byte{'['}, parts...), ']')
	return callwright.TextOf(items.Content(nil, list)) == callwright.TextOf(items.Content(nil, content))
}

// kindOfPart returns the kind of the event's part, or the kind otherwise if the type of the part is unknown.
func (f *eventData) kindOfPart(otherwise *partKind) *partKind {
	kind := kit.TextAt(f.part, "type")
	for n := range partKinds {
		if partKinds[n].name == kind {
			return &partKinds[n]
		}
	}
	return otherwise
}

// says reports whether the text of the event equals text.
func (f *eventData) says(text []byte) bool { return bytes.Equal(text, jsonx.TextBytes(f.text)) }

// partSays reports whether the text of the event's part equals text.
func (f *eventData) partSays(text []byte) bool {
	v, ok := jsonx.Find(f.part, "text")
	if !ok {
		v, _ = jsonx.Find(f.part, "refusal")
	}
	return bytes.Equal(text, jsonx.TextBytes(v))
}

// items returns the number of output items of the event's response object. ok is false if it has no list of them.
func (f *eventData) items() (n int, ok bool) {
	output, ok := jsonx.Find(f.response, "output")
	for range jsonx.Elements(output) {
		n++
	}
	return n, ok
}
