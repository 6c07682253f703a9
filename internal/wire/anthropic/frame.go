package anthropic

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Pass writes a frame as it came where it fits what was written. Frames that hold nothing always fit.
func (e *streamEncoder) Pass(dst []byte, f callwright.Frame) (out []byte, fits bool) {
	if f.Piece && e.flows {
		return append(dst, f.Bytes...), true
	}
	e.flows = false
	data := kit.FrameData(f.Bytes)
	kind, _ := jsonx.Find(data, "type")
	k := eventKind(jsonx.TextBytes(kind))
	if (k == eventOther || k == eventPing) && f.Events == 0 {
		return e.passEmpty(dst, f.Bytes), true
	}
	if e.renumbered || e.Ended {
		return dst, false
	}
	at, _ := jsonx.Find(data, "index")
	index := number(at)
	if e.held != nil {
		if k == eventStop && f.Events == 0 && e.heldStop == nil && index == e.openBlock {
			e.heldStop = slices.Clone(f.Bytes)
			return dst, true
		}
		if k != eventTotals {
			dst = e.release(dst)
		}
	}
	if !e.fits(k, index) {
		e.renumbered = k == eventStart
		return dst, false
	}
	switch k {
	case eventTotals:
		e.totals = slices.Clone(f.Bytes)
		return dst, true
	case eventEnd:
		dst = append(e.close(dst), e.totals...)
		e.totals = nil
	}
	if e.enter(k, index, data) && (f.Events == 0 || startsEmpty(data)) {
		e.held = slices.Clone(f.Bytes)
		return dst, true
	}
	e.flows = k == eventDelta
	return append(dst, f.Bytes...), true
}

// startsEmpty reports whether the start of a text block has no words.
func startsEmpty(data []byte) bool {
	text, _ := jsonx.Lookup(data, "content_block", "text")
	return len(jsonx.TextBytes(text)) == 0
}

// fits reports whether what a frame does can follow what was written.
func (e *streamEncoder) fits(k event, index int) bool {
	switch k {
	case eventMessage:
		return !e.started && e.begin == nil
	case eventStart:
		return e.started && e.openBlock < 0 && index == e.next
	case eventDelta, eventStop:
		return e.openBlock >= 0 && index == e.openBlock
	case eventTotals:
		return e.started && (e.openBlock < 0 || e.heldStop != nil) && e.totals == nil
	case eventEnd:
		return e.totals != nil
	}
	return false
}

// enter takes over what a frame does. It is true for the start of a text block: an empty one must not go out, since
// clients would send it back, and there it is refused; so it waits for its text.
func (e *streamEncoder) enter(k event, index int, data []byte) (wait bool) {
	switch k {
	case eventMessage:
		e.started = true
	case eventStart:
		kind, _ := jsonx.Lookup(data, "content_block", "type")
		e.openBlock, e.next, e.argumentsWritten, e.openedByFrame, e.hasWords = index, index+1, false, true, false
		e.openKind = blockKind(jsonx.TextBytes(kind))
		return e.openKind == kindText
	case eventDelta:
		if e.openKind == kindThinking {
			if kind, _ := jsonx.Lookup(data, "delta", "type"); string(jsonx.TextBytes(kind)) == "signature_delta" {
				e.openKind = kindSigned
			}
		}
	case eventStop:
		e.openBlock = -1
	}
	return false
}

// passEmpty writes what holds nothing, after the block start that waits, if one does.
func (e *streamEncoder) passEmpty(dst, b []byte) []byte {
	switch {
	case e.totals != nil:
		e.totals = append(e.totals, b...)
	case e.heldStop != nil:
		e.heldStop = append(e.heldStop, b...)
	case e.held != nil:
		e.held = append(e.held, b...)
	default:
		dst = append(dst, b...)
	}
	return dst
}

// release writes the block start that waits, and its end where the block came empty.
func (e *streamEncoder) release(dst []byte) []byte {
	dst = append(dst, e.held...)
	if e.heldStop != nil {
		dst = append(dst, e.heldStop...)
		e.openBlock = -1
	}
	e.held, e.heldStop = nil, nil
	return dst
}

// reopen writes the block start that waits for text that is about to be written. Its end, if it came, is written later.
func (e *streamEncoder) reopen(dst []byte) []byte {
	e.heldStop = nil
	return e.release(dst)
}

// drop takes back the block start that waits: its text went elsewhere.
func (e *streamEncoder) drop() {
	if e.held != nil {
		e.held, e.heldStop = nil, nil
		e.next, e.openBlock = e.openBlock, -1
	}
}

// Follow keeps the state in step with an event that a frame covers.
func (e *streamEncoder) Follow(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.UsageDelta:
		e.usage = e.usage.Merge(ev.Usage)
	case callwright.CallDelta:
		e.argumentsWritten = true
	case callwright.TextDelta:
		e.hasWords = true
	}
	return dst
}
