package kit

import (
	"bytes"

	"github.com/callwright/callwright"
)

// Framed is the rule by which stream encoders keep the bytes of an answer of their own wire: a frame that fits is passed on as
// it came, and the events that it announces are followed in place of being written. A stream encoder embeds it. The zero
// Framed is ready for use.
type Framed struct {
	// Ended says that the end of the answer, or an error, was written or passed: nothing of an answer is written after it.
	Ended bool
	skip  int  // events that the last frame covers
	anew  bool // a piece of text was written that no frame covers
	left  Notes
}

// Left adds a note on what was left out.
func (f *Framed) Left(n callwright.Note) { f.left.Add(n) }

// LeftOut are notes on what came over another wire that has no place in the answer as it was written.
func (f *Framed) LeftOut() []callwright.Note { return f.left }

// A FrameEncoder is what a stream encoder does with events and frames. Each method appends to dst.
type FrameEncoder interface {
	// Pass appends what a frame of the encoder's own wire comes to and keeps the state in step with it. It reports false for
	// a frame that does not fit what was written: its events are written then.
	Pass(dst []byte, f callwright.Frame) (out []byte, fits bool)
	// Follow keeps the state in step with an event that a frame covers.
	Follow(dst []byte, ev callwright.Event) []byte
	// Write appends what an event comes to; KeepAlive and Flush are events too, but no part of the answer.
	Write(dst []byte, ev callwright.Event) []byte
}

// Encode appends what the event comes to for the encoder e of the wire own.
func (f *Framed) Encode(dst []byte, ev callwright.Event, own Own, e FrameEncoder) []byte {
	switch ev := ev.(type) {
	case callwright.Frame:
		f.skip = 0
		if Own(ev.Wire) != own || f.Ended && ev.Events > 0 {
			return dst
		}
		dst, fits := e.Pass(dst, ev)
		if fits {
			f.skip = ev.Events
		}
		return dst
	case callwright.Noted:
		return dst
	case callwright.KeepAlive, callwright.Flush:
		if f.Ended {
			return dst
		}
		return e.Write(dst, ev)
	}
	if f.skip == 0 && f.Ended {
		return dst
	}
	switch ev := ev.(type) {
	case callwright.End:
		if f.Ended = true; f.anew {
			f.left.ofNotKept(ev.Extra, own)
		}
	case callwright.TextDelta:
		f.anew = f.anew || f.skip == 0
	}
	if f.skip > 0 { // the client gets all that came
		f.skip--
		return e.Follow(dst, ev)
	}
	f.left.OfEvent(ev, own)
	return e.Write(dst, ev)
}

// FrameData is the data of the first event among a frame's bytes that has any.
func FrameData(b []byte) []byte {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{'\n'})
		if i := bytes.IndexByte(line, '\r'); i >= 0 {
			line, rest = b[:i], b[i+1:]
		}
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			return data
		}
		b = rest
	}
	return nil
}
