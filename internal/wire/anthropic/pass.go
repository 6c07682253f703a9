package anthropic

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// batchHint holds facts about the bytes of a batch, which are one event of the API. The stream encoder decides from
// them whether to forward the bytes.
type batchHint struct {
	kind   event // type of the event
	index  int   // index of its block
	block  kind  // type of the block that it starts
	empty  bool  // the text block that it starts has no text
	signs  bool  // it is a signature_delta
	repeat bool  // it differs from the previous event only in the text of its delta
}

// Pass appends the bytes of a batch unchanged and returns true if they can follow the bytes written so far. It returns
// false if the events of the batch have to be encoded. Some events are buffered until the next batch.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool) {
	known, ok := b.Hint.(*kit.Hint[batchHint])
	if !ok {
		return dst, false
	}
	hint := known.Value
	if hint.repeat && e.flows {
		return append(dst, b.Raw...), true
	}
	e.flows = false
	dst = e.writeArguments(dst)
	k, index := hint.kind, hint.index
	if (k == eventOther || k == eventPing) && len(b.Events) == 0 {
		return e.passEmpty(dst, b.Raw), true
	}
	if e.renumbered || e.Ended {
		return dst, false
	}
	if e.held != nil {
		if k == eventStop && len(b.Events) == 0 && e.heldStop == nil && index == e.openBlock {
			e.heldStop = slices.Clone(b.Raw)
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
		e.totals = slices.Clone(b.Raw)
		return dst, true
	case eventEnd:
		dst = append(e.close(dst), e.totals...)
		e.totals = nil
	}
	if e.enter(&hint) && (len(b.Events) == 0 || hint.empty) {
		e.held = slices.Clone(b.Raw)
		return dst, true
	}
	e.flows = k == eventDelta
	return append(dst, b.Raw...), true
}

// fits reports whether a provider's event of the type k for the block index can follow the events written so far.
func (e *streamEncoder) fits(k event, index int) bool {
	switch k {
	case eventMessage:
		return !e.started && e.begin == nil
	case eventStart:
		return e.started && e.openBlock < 0 && index == e.next
	case eventDelta, eventStop:
		return e.openBlock >= 0 && index == e.openBlock
	case eventTotals:
		return e.started && (e.openBlock < 0 || e.heldStop != nil) && e.totals == nil && !e.early
	case eventEnd:
		return e.totals != nil
	}
	return false
}

// enter updates the state for a provider's event. It returns true for the start of a text block. That is buffered until
// text follows, because clients send an empty text back and the API rejects it.
func (e *streamEncoder) enter(h *batchHint) (wait bool) {
	switch h.kind {
	case eventMessage:
		e.started = true
	case eventStart:
		e.openBlock, e.next, e.argumentsWritten, e.openedByBatch, e.hasWords = h.index, h.index+1, false, true, false
		e.openKind = h.block
		return e.openKind == kindText
	case eventDelta:
		if e.openKind == kindThinking && h.signs {
			e.openKind = kindSigned
		}
	case eventStop:
		e.openBlock = -1
	}
	return false
}

// passEmpty appends the bytes b of a ping or a comment, to the buffered event if there is one, otherwise to dst.
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

// release appends the buffered start of a text block, and its end if that is buffered too.
func (e *streamEncoder) release(dst []byte) []byte {
	dst = append(dst, e.held...)
	if e.heldStop != nil {
		dst = append(dst, e.heldStop...)
		e.openBlock = -1
	}
	e.held, e.heldStop = nil, nil
	return dst
}

// reopen appends the buffered start of a text block, for text that is about to be written. A buffered end is discarded,
// because close will write one.
func (e *streamEncoder) reopen(dst []byte) []byte {
	e.heldStop = nil
	return e.release(dst)
}

// drop discards the buffered start of a text block that has no text.
func (e *streamEncoder) drop() {
	if e.held != nil {
		e.held, e.heldStop = nil, nil
		e.next, e.openBlock = e.openBlock, -1
	}
}

// Follow updates the encoder's state for an event whose bytes were forwarded. It appends nothing.
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
