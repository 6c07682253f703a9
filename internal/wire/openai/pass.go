package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// chunkHint holds the facts about the bytes of a batch beside its events.
type chunkHint struct {
	repeats   bool // more text, or more arguments, of which the chunk before held a part, and nothing else
	call      int  // the index of its first call, 0 without
	calls     bool // it has a call
	finish    bool // it has a finish reason
	details   bool // it has reasoning_details
	usageOnly bool // it has usage and no choice
}

// Pass appends a batch as it came unless calls were encoded or left out. A batch that ends an answer without a finish
// reason has no bytes.
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

// Follow keeps the state in step with an event whose bytes were passed.
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
