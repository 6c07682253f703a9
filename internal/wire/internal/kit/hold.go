package kit

import (
	"strings"

	"github.com/callwright/callwright"
)

// A Hold keeps batches of a stream back while a later delta may belong to a call that ended before them, and returns
// them as one batch. The zero Hold is empty and ready for use.
type Hold struct {
	raw    []byte
	events []callwright.Event
	pieces []heldPiece
	ended  map[int]*endedCall // by its number
	open   int                // how many of them may go on
	late   bool               // a piece of one came late
	holds  bool
}

// An endedCall is a call that ended with incomplete arguments, and the deltas that came after its end.
type endedCall struct {
	late    strings.Builder
	madeUp  bool // its arguments were made up, as none had come
	settled bool
}

// A heldPiece is a batch that was kept back: its hint, and where its bytes and events end.
type heldPiece struct {
	hint        any
	raw, events int
}

// A heldHint is the hint of a batch that was made of several.
type heldHint []heldPiece

// Keep returns the hint itself: it shares no memory with a decoder.
func (h heldHint) Keep() any { return h }

// Begin keeps back the batches that are added from now on.
func (h *Hold) Begin() { h.holds = true }

// IsHolding reports whether batches are kept back.
func (h *Hold) IsHolding() bool { return h.holds }

// Len returns the number of bytes that are kept.
func (h *Hold) Len() int { return len(h.raw) }

// Add keeps copies of the bytes, events and hint of a batch. Events without bytes belong to those before them.
func (h *Hold) Add(b callwright.Batch) {
	h.raw, h.events = append(h.raw, b.Raw...), append(h.events, b.Events...)
	if n := len(h.pieces); len(b.Raw) == 0 && n > 0 {
		h.pieces[n-1].events = len(h.events)
		return
	}
	if k, ok := b.Hint.(callwright.Keeper); ok {
		b.Hint = k.Keep()
	}
	h.pieces = append(h.pieces, heldPiece{b.Hint, len(h.raw), len(h.events)})
}

// EndCall keeps back the batches from the end of a call on whose arguments are no valid JSON: deltas of it may come
// until the stream ends. madeUp says that the last event before its end has arguments that did not come.
func (h *Hold) EndCall(call int, madeUp bool) {
	if h.holds = true; h.ended == nil {
		h.ended = map[int]*endedCall{}
	}
	if c := h.ended[call]; c == nil || c.settled {
		h.open++
	}
	h.ended[call] = &endedCall{madeUp: madeUp}
}

// AddLate adds a delta to a call that has ended. It reports false for a call that EndCall did not name, or that is
// settled.
func (h *Hold) AddLate(call int, piece string) bool {
	c := h.ended[call]
	if c == nil || c.settled {
		return false
	}
	c.late.WriteString(piece)
	h.late = true
	return true
}

// Settle says that the arguments of a call are complete.
func (h *Hold) Settle(call int) {
	if c := h.ended[call]; c != nil && !c.settled {
		c.settled = true
		h.open--
	}
}

// IsSettled reports whether every call that ended has complete arguments.
func (h *Hold) IsSettled() bool { return h.open == 0 }

// Filter returns a batch, or keeps it back after Begin or EndCall: then it returns the notes alone, and with over set
// all batches that were kept. They have no bytes where odd is set: their bytes and events disagree.
func (h *Hold) Filter(b callwright.Batch, over, odd bool, api callwright.WireName) callwright.Batch {
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

// Release returns the batches that were kept as one and keeps none back any more. It has their bytes where api is
// theirs, and none where api is "" or a piece of a call came late.
func (h *Hold) Release(api callwright.WireName) callwright.Batch {
	b := callwright.Batch{Events: h.insertLatePieces()}
	if api != "" && len(h.raw) > 0 && !h.late {
		b.Wire, b.Raw, b.Hint = api, h.raw, heldHint(h.pieces)
	}
	*h = Hold{}
	return b
}

// insertLatePieces returns the events with the pieces that came late before the ends of their calls.
func (h *Hold) insertLatePieces() []callwright.Event {
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
