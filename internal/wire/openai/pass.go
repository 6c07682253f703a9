package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// chunkHint holds facts about the bytes of a batch from which the stream encoder decides whether to forward them.
type chunkHint struct {
	repeats   bool // the chunk only continues the text or the arguments of the previous chunk
	call      int  // the index of its first call, 0 without calls
	calls     bool // the chunk has a call
	finish    bool // the chunk has a finish reason
	details   bool // the chunk has reasoning_details
	usageOnly bool // the chunk has usage and no choice
}

// Pass appends the bytes of a batch unchanged. It returns false if the batch has no hint, or if earlier calls were
// encoded or left out, so that its call indices may be wrong. If the client did not ask for usage, Pass drops a chunk
// that holds only usage, with a note.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool) {
	known, ok := b.Hint.(*kit.Hint[chunkHint])
	if !ok {
		return dst, false
	}
	hint := known.Value
	switch {
	case e.renumbered, e.joinsCalls && hint.calls:
		return dst, false
	case hint.repeats: // it has neither a new call nor a finish reason nor the end
		return append(dst, b.Raw...), true
	case hint.call > max(e.calls, e.passed):
		return dst, false
	case hint.calls:
		e.passed = hint.call + 1
	}
	e.finishWritten = e.finishWritten || hint.finish
	e.detailsWritten = e.detailsWritten || hint.details
	if e.hidesUsage && hint.usageOnly {
		e.NoteOmission(callwright.Note{Rule: "response.usage", Path: "/stream_options", Was: callwright.Excerpt(string(kit.EventData(b.Raw)))})
		return dst, true
	}
	return append(dst, b.Raw...), true
}

// Follow updates the encoder's state for an event whose bytes were forwarded. It appends nothing.
func (e *streamEncoder) Follow(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
		e.roleWritten = true
	case callwright.CallBegin:
		e.open(ev)
	case callwright.CallDelta:
		e.callHasArgs = e.callHasArgs || ev.Text != ""
	case callwright.UsageDelta:
		e.usageWritten = true
	}
	return dst
}
