package kit

import (
	"github.com/callwright/callwright"
)

// Encoder is the rule by which stream encoders keep the bytes of an answer of their own API: the bytes of a batch are
// written as they came while they continue the written ones, else its events are encoded. A stream encoder embeds it.
// The zero Encoder is ready for use.
type Encoder struct {
	// Ended reports that the end of the answer, or an error, was written: nothing of an answer is written after it.
	Ended   bool
	encoded bool // a piece of text was encoded
	left    Notes
	batch   callwright.Batch // the one that Pass has at hand
}

// NoteOmission adds a note on a part that was left out.
func (e *Encoder) NoteOmission(n callwright.Note) { e.left.Add(n) }

// LeftOut returns the notes on parts of another API that have no place in the answer.
func (e *Encoder) LeftOut() []callwright.Note { return e.left }

// A BatchEncoder is the part of a stream encoder that differs between APIs. Each method appends to dst.
type BatchEncoder interface {
	// Pass appends the bytes of a batch of the encoder's own API. It reports false for a batch that cannot follow what
	// was written: its events are encoded then.
	Pass(dst []byte, b *callwright.Batch) (out []byte, passed bool)
	// Follow keeps the state in step with an event whose bytes were passed.
	Follow(dst []byte, ev callwright.Event) []byte
	// Write appends the encoding of an event.
	Write(dst []byte, ev callwright.Event) []byte
}

// A Flusher is a BatchEncoder that delays bytes until the answer pauses.
type Flusher interface {
	Flush(dst []byte) []byte
}

// Encode appends a batch for the encoder w of the API own.
func (e *Encoder) Encode(dst []byte, b callwright.Batch, own Own, w BatchEncoder) []byte {
	if held, ok := b.Hint.(heldHint); ok {
		return e.encodeHeld(dst, b, held, own, w)
	}
	passed := false
	if b.Raw != nil && Own(b.Wire) == own && !(e.Ended && len(b.Events) > 0) {
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

// encodeHeld appends the batches that one was made of. Where a stage changed the number of events, the bytes are not
// written.
func (e *Encoder) encodeHeld(dst []byte, b callwright.Batch, pieces heldHint, own Own, w BatchEncoder) []byte {
	if last := pieces[len(pieces)-1]; last.raw != len(b.Raw) || last.events != len(b.Events) {
		b.Wire, b.Raw, b.Hint = "", nil, nil
		return e.Encode(dst, b, own, w)
	}
	at := heldPiece{}
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

// event follows an event whose bytes were passed, or encodes it.
func (e *Encoder) event(dst []byte, ev callwright.Event, passed bool, own Own, w BatchEncoder) []byte {
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
	if passed { // the client gets everything that came
		return w.Follow(dst, ev)
	}
	e.left.OfEvent(ev, own)
	return w.Write(dst, ev)
}
