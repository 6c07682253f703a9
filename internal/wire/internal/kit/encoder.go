package kit

import (
	"github.com/callwright/callwright"
)

// An Encoder decides which bytes of a response a stream encoder forwards. The raw bytes of a batch are forwarded
// unchanged if they are of the encoder's API and can follow the bytes written so far. Otherwise the batch's events are
// encoded. A stream encoder embeds an Encoder. The zero Encoder is ready for use.
type Encoder struct {
	// Ended is set once the end of the response or an error was written. Events after it are ignored.
	Ended   bool
	encoded bool             // a text delta was encoded, not forwarded
	left    Notes            // notes on omitted parts
	batch   callwright.Batch // the argument of Pass, here to save an allocation
}

// NoteOmission adds a note on a part of the response that was omitted.
func (e *Encoder) NoteOmission(n callwright.Note) { e.left.Add(n) }

// LeftOut returns the notes on parts of the response that the client's API cannot express.
func (e *Encoder) LeftOut() []callwright.Note { return e.left }

// A BatchEncoder has the API-specific methods of a stream encoder. Each method appends to dst.
type BatchEncoder interface {
	// Pass appends the raw bytes of a batch of the encoder's API. passed is false if they cannot follow the bytes written
	// so far: the events of the batch are then encoded by Write.
	Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool)
	// Follow updates the state for an event whose raw bytes Pass appended.
	Follow(dst []byte, ev callwright.Event) []byte
	// Write appends the encoding of an event.
	Write(dst []byte, ev callwright.Event) []byte
}

// A Flusher is a BatchEncoder that buffers output. Flush appends the buffered bytes. It is called after each batch
// unless the batch announces that more follow at once.
type Flusher interface {
	Flush(dst []byte) []byte
}

// Encode appends the batch b to dst, forwarded or encoded by w. own is the API of w.
func (e *Encoder) Encode(dst []byte, b callwright.Batch, own API, w BatchEncoder) []byte {
	if held, ok := b.Hint.(heldHint); ok {
		return e.encodeHeld(dst, b, held, own, w)
	}
	passed := false
	if b.Raw != nil && API(b.Wire) == own && !(e.Ended && len(b.Events) > 0) {
		e.batch = b
		dst, passed = w.Pass(dst, &e.batch)
		e.batch = callwright.Batch{}
	}
	for _, ev := range b.Events {
		dst = e.event(dst, ev, passed, own, w)
	}
	if f, ok := w.(Flusher); ok && !b.More && !e.Ended {
		dst = f.Flush(dst)
	}
	return dst
}

// encodeHeld appends a batch that joins several batches, one at a time. pieces describes them. If a later stage changed
// the number of events or bytes of b, the raw bytes are not used.
func (e *Encoder) encodeHeld(dst []byte, b callwright.Batch, pieces heldHint, own API, w BatchEncoder) []byte {
	if last := pieces[len(pieces)-1]; last.raw != len(b.Raw) || last.events != len(b.Events) {
		b.Wire, b.Raw, b.Hint = "", nil, nil
		return e.Encode(dst, b, own, w)
	}
	at := delayedBatch{}
	for i, p := range pieces {
		one := callwright.Batch{Wire: b.Wire, Events: b.Events[at.events:p.events], Hint: p.hint, More: b.More || i+1 < len(pieces)}
		if p.raw > at.raw {
			one.Raw = b.Raw[at.raw:p.raw]
		}
		dst = e.Encode(dst, one, own, w)
		at = p
	}
	return dst
}

// event passes an event to w.Follow if its raw bytes were forwarded, to w.Write otherwise.
func (e *Encoder) event(dst []byte, ev callwright.Event, passed bool, own API, w BatchEncoder) []byte {
	if e.Ended && !passed {
		return dst
	}
	switch ev := ev.(type) {
	case callwright.End:
		if e.Ended = true; e.encoded {
			e.left.ofNotKept(ev.Extra, own)
		}
	case callwright.TextDelta:
		e.encoded = e.encoded || !passed
	}
	if passed { // the forwarded bytes have everything, so that no note is needed
		return w.Follow(dst, ev)
	}
	e.left.OfEvent(ev, own)
	return w.Write(dst, ev)
}
