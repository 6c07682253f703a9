package kit

import (
	"strings"

	"github.com/callwright/callwright"
)

// DelayedBatches delays batches of a stream while deltas may still arrive for a tool call that has already ended with
// incomplete arguments. It returns the delayed batches as one batch. The zero value is empty and ready for use.
type DelayedBatches struct {
	raw    []byte
	events []callwright.Event
	pieces []delayedBatch
	ended  map[int]*endedCall // by the index of the call
	open   int                // number of ended calls whose arguments are incomplete
	late   bool               // a delta arrived after the end of its call
	holds  bool               // batches are delayed
}

// An endedCall is a tool call that ended with incomplete arguments.
type endedCall struct {
	late    strings.Builder // deltas that arrived after the end
	madeUp  bool            // the decoder added empty arguments because none had arrived
	settled bool            // the arguments are complete
}

// A delayedBatch is one delayed batch: its hint, and the end offsets of its bytes and events in DelayedBatches.raw and
// DelayedBatches.events.
type delayedBatch struct {
	hint        any
	raw, events int
}

// A heldHint is the Hint of a batch that joins several batches. It has one element for each of them.
type heldHint []delayedBatch

// Keep returns h itself, because it shares no memory with a decoder.
func (h heldHint) Keep() any { return h }

// Begin starts to delay the batches that Filter receives.
func (h *DelayedBatches) Begin() { h.holds = true }

// IsHolding reports whether batches are delayed.
func (h *DelayedBatches) IsHolding() bool { return h.holds }

// Len returns the number of raw bytes in the delayed batches of the stream.
func (h *DelayedBatches) Len() int { return len(h.raw) }

// Add appends copies of the bytes, events and hint of a batch. A batch without bytes is joined to the batch before it.
func (h *DelayedBatches) Add(b callwright.Batch) {
	h.raw, h.events = append(h.raw, b.Raw...), append(h.events, b.Events...)
	if n := len(h.pieces); len(b.Raw) == 0 && n > 0 {
		h.pieces[n-1].events = len(h.events)
		return
	}
	if k, ok := b.Hint.(callwright.Keeper); ok {
		b.Hint = k.Keep()
	}
	h.pieces = append(h.pieces, delayedBatch{b.Hint, len(h.raw), len(h.events)})
}

// EndCall starts to delay batches at the end of a tool call whose arguments are not valid JSON, because more deltas of
// them may arrive. call is the index of the call. madeUp states that the last event before the end is a CallDelta that
// the decoder made up.
func (h *DelayedBatches) EndCall(call int, madeUp bool) {
	if h.holds = true; h.ended == nil {
		h.ended = map[int]*endedCall{}
	}
	if c := h.ended[call]; c == nil || c.settled {
		h.open++
	}
	h.ended[call] = &endedCall{madeUp: madeUp}
}

// AddLate appends an arguments delta to a tool call that has ended. It returns false if EndCall was not called for the
// call, or Settle was.
func (h *DelayedBatches) AddLate(call int, piece string) bool {
	c := h.ended[call]
	if c == nil || c.settled {
		return false
	}
	c.late.WriteString(piece)
	h.late = true
	return true
}

// Settle records that the arguments of a tool call, which ended before, are now complete.
func (h *DelayedBatches) Settle(call int) {
	if c := h.ended[call]; c != nil && !c.settled {
		c.settled = true
		h.open--
	}
}

// IsSettled reports whether the arguments of all tool calls that were passed to EndCall are complete.
func (h *DelayedBatches) IsSettled() bool { return h.open == 0 }

// Filter returns b unchanged if batches are not delayed. Otherwise it delays b and returns only the notes of b. If over
// is set, the delay ends: it returns all delayed batches as one, with the notes of b. odd states that their bytes and
// events disagree: the result then has no raw bytes. api is the API of the stream.
func (h *DelayedBatches) Filter(b callwright.Batch, over, odd bool, api callwright.WireName) callwright.Batch {
	if !h.holds {
		return b
	}
	h.Add(b)
	if !over {
		return callwright.Batch{Notes: b.Notes}
	}
	if odd {
		api = ""
	}
	all := h.Release(api)
	all.Notes = b.Notes
	return all
}

// Release returns the delayed batches as one and resets h. The batch has raw bytes if api, the API of the stream, is
// not empty and no delta arrived after the end of its call.
func (h *DelayedBatches) Release(api callwright.WireName) callwright.Batch {
	b := callwright.Batch{Events: h.insertLatePieces()}
	if api != "" && len(h.raw) > 0 && !h.late {
		b.Wire, b.Raw, b.Hint = api, h.raw, heldHint(h.pieces)
	}
	*h = DelayedBatches{}
	return b
}

// insertLatePieces returns the events, with the late deltas of each call inserted before its CallEnd.
func (h *DelayedBatches) insertLatePieces() []callwright.Event {
	if !h.late {
		return h.events
	}
	out := make([]callwright.Event, 0, len(h.events)+len(h.ended))
	for _, ev := range h.events {
		if end, ok := ev.(callwright.CallEnd); ok {
			if c := h.ended[end.Index]; c != nil && c.late.Len() > 0 {
				if c.madeUp {
					out = out[:len(out)-1]
				}
				out = append(out, callwright.CallDelta{Index: end.Index, Text: c.late.String()})
			}
		}
		out = append(out, ev)
	}
	return out
}
