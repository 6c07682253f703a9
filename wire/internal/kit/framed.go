package kit

import "github.com/callwright/callwright"

// Framed is the rule by which stream encoders keep the bytes of an answer of their own wire: a frame that fits is passed on as
// it came, and the events that it announces are followed in place of being written. A stream encoder embeds it. The zero
// Framed is ready for use.
type Framed struct {
	// Ended says that the end of the answer, or an error, was written or passed: nothing of an answer is written after it.
	Ended bool
	skip  int // events that the last frame covers
	left  Notes
}

// maxLeft is how many parts that were left out have a note of their own.
const maxLeft = 64

// LeftOut are notes on what came over another wire that has no place in the answer as it was written.
func (f *Framed) LeftOut() []callwright.Note { return f.left }

// leave notes what the end of an answer, or a part of it, has that only another wire knows.
func (f *Framed) leave(x callwright.Extra, own Own) {
	if Own(x.Wire) != own && len(f.left) < maxLeft && x.HasValues() {
		f.left.Add(callwright.Note{Rule: "response.opaque", Stage: callwright.StageEncode, Was: string(x.JSON), Why: "only its own wire knows this part"})
	}
}

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
		f.Ended = true
	case callwright.OpaquePart:
		f.leave(ev.Extra, own)
	}
	if f.skip > 0 {
		f.skip--
		return e.Follow(dst, ev)
	}
	return e.Write(dst, ev)
}
