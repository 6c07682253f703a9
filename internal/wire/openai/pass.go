package openai

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
)

// chunkHint is what the bytes of a batch hold beside its events.
type chunkHint struct {
	repeats bool     // more text, or more arguments, of which the chunk before held a part, and nothing else
	call    int      // the index of its first call, 0 without
	calls   bool     // it has a call
	finish  bool     // it has a finish reason
	details bool     // it has reasoning_details
	usage   [][2]int // places of the chunks that have usage and no choice
}

// Keep returns a copy that shares no memory with the decoder.
func (h *chunkHint) Keep() any {
	out := *h
	out.usage = slices.Clone(h.usage)
	return &out
}

// add adds the hint of a chunk at a place of the bytes.
func (h *chunkHint) add(of *chunkHint, at int) {
	if of.calls && !h.calls {
		h.call, h.calls = of.call, true
	}
	h.finish, h.details = h.finish || of.finish, h.details || of.details
	for _, u := range of.usage {
		h.usage = append(h.usage, [2]int{at + u[0], at + u[1]})
	}
}

// Pass appends a batch as it came unless calls were encoded or left out. A batch that ends an answer without a finish reason has no bytes.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool) {
	hint, ok := b.Hint.(*chunkHint)
	switch {
	case e.renumbered || !ok:
		return dst, false
	case hint.repeats: // it has neither a new call nor a finish reason nor the end
		return append(dst, b.Raw...), true
	case hint.call > e.calls:
		return dst, false
	}
	e.finishWritten = e.finishWritten || hint.finish
	e.detailsWritten = e.detailsWritten || hint.details
	if !e.hidesUsage {
		return append(dst, b.Raw...), true
	}
	at := 0
	for _, u := range hint.usage {
		dst = append(dst, b.Raw[at:u[0]]...)
		e.Left(callwright.Note{Rule: "response.usage", Path: "/stream_options", Was: callwright.Excerpt(string(eventText(b.Raw[u[0]:u[1]])))})
		at = u[1]
	}
	return append(dst, b.Raw[at:]...), true
}

// eventText is the data of an event of one line.
func eventText(raw []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("data:")))
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
		e.callHasArgs = true
	case callwright.UsageDelta:
		e.usageWritten = true
	}
	return dst
}
