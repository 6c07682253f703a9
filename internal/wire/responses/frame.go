package responses

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// Pass passes a frame on if it fits what was written.
func (e *streamEncoder) Pass(dst []byte, f callwright.Frame) (out []byte, fits bool) {
	data := jsonx.Trim(kit.FrameData(f.Bytes))
	if len(data) == 0 || string(data) == "[DONE]" {
		if f.Events == 0 {
			dst = append(dst, f.Bytes...)
		}
		return dst, false
	}
	e.fromOwnWire = true
	if e.rewritten || e.Ended {
		return dst, false
	}
	in := &e.passing
	*in = eventData{}
	if jsonx.IsObject(data) && data[len(data)-1] == '}' {
		in.read(data)
	}
	if !e.passes(in) {
		e.drop()
		e.rewritten = true
		return dst, false
	}
	n, _ := strconv.Atoi(string(in.number))
	e.seq = max(e.seq, n) + 1
	if e.item.kind == messageItem && e.item.n == 0 && f.Events == 0 && bytes.HasSuffix(jsonx.TextBytes(in.kind), []byte(".added")) {
		e.held = append(e.held, f.Bytes...)
		return dst, true
	}
	return append(e.release(dst), f.Bytes...), true
}

// release writes the beginning of a message that waits for its text.
func (e *streamEncoder) release(dst []byte) []byte {
	dst = append(dst, e.held...)
	e.held = e.held[:0]
	return dst
}

// drop takes back the beginning of a message whose text went elsewhere: clients would show an empty one.
func (e *streamEncoder) drop() {
	if len(e.held) > 0 {
		e.held, e.item = e.held[:0], openItem{}
	}
}

// passes takes over what a frame does, and reports whether it can follow what was written.
func (e *streamEncoder) passes(f *eventData) bool {
	kind := bytes.TrimPrefix(jsonx.TextBytes(f.kind), []byte(eventPrefix))
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
		return e.started && e.item.kind == noItem && e.repeats(f.response)
	case "output_item.done":
		return e.started && f.at() == e.next && e.passClose(f)
	case "":
		return false
	}
	if f.index == nil {
		return e.started // an event of the answer as a whole
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

// passOpen takes over the beginning of an item.
func (e *streamEncoder) passOpen(f *eventData) bool {
	if !e.started || e.item.kind != noItem || f.at() != e.next {
		return false
	}
	i := openItem{kind: otherItem, id: kit.TextAt(f.item, "id"), head: slices.Clone(f.item)}
	switch w := items.ClassOfItem(f.item); {
	case w.Message && e.compacts:
		return false
	case w.Message:
		i.kind = messageItem
	case w.Reasoning:
		i.kind = reasoningItem
	case w.Call != nil:
		i.kind = callItem
	}
	e.item = i
	return true
}

// passClose takes over the end of an item, whose text must be what was passed.
func (e *streamEncoder) passClose(f *eventData) bool {
	if e.item.kind == noItem || e.item.part != nil {
		return false
	}
	if e.item.kind == messageItem && !sameParts(e.item.parts, f.item) {
		return false
	}
	e.keep(f.item)
	return true
}

// sameParts reports whether a message item has the texts of the parts that were passed, separated by commas.
func sameParts(parts, item []byte) bool {
	content, _ := jsonx.Find(item, "content")
	passed := slices.Concat([]byte("["), parts, []byte("]"))
	return callwright.TextOf(items.Content(nil, passed)) == callwright.TextOf(items.Content(nil, content))
}

// partOf finds the kind of part that an event is about, and the event: text.delta, text.done, part.added, part.done.
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

// eventPrefix begins the names of events.
const eventPrefix = "response."

// textEvents and partEvents tell the events of a part's text from those of the part.
var (
	textEvents = map[string]string{"delta": "text.delta", "done": "text.done"}
	partEvents = map[string]string{"added": "part.added", "done": "part.done"}
)

// passPart takes over an event of a part. What repeats the text must repeat what was passed.
func (e *streamEncoder) passPart(p *partKind, event string, f *eventData) bool {
	i := &e.item
	switch event {
	case "part.added":
		kind := kit.TextAt(f.part, "type")
		for n := range partKinds {
			if partKinds[n].name == kind {
				p = &partKinds[n]
			}
		}
		if i.part != nil {
			return false
		}
		i.part = p
	case "text.delta":
		if i.part == nil {
			i.part = p
		}
	case "text.done":
		if i.part == nil || !sameText(i.text, f.text) {
			return false
		}
		i.textRepeated = true
	case "part.done":
		if i.part == nil || !sameText(i.text, partText(f.part)) {
			return false
		}
		e.keepPart(f.part)
	}
	return true
}

// partText is the text of a part as it is written.
func partText(part []byte) []byte {
	for _, member := range []string{"text", "refusal"} {
		if v, ok := jsonx.Find(part, member); ok {
			return v
		}
	}
	return nil
}

// sameText reports whether the JSON string v is the text.
func sameText(text, v []byte) bool { return bytes.Equal(text, jsonx.TextBytes(v)) }

// repeats reports whether a whole answer has the items that were passed.
func (e *streamEncoder) repeats(response []byte) bool {
	output, ok := jsonx.Find(response, "output")
	n := 0
	for range jsonx.Elements(output) {
		n++
	}
	return !ok || n == e.next
}

// Follow keeps the state in step with an event that a frame covers.
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
	case callwright.UsageDelta:
		e.usage = e.usage.Merge(ev.Usage)
	}
	return dst
}
