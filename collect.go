package callwright

import (
	"bytes"
	"iter"
	"strings"
)

// Events is the answer as events. An answer with Raw is led by a Frame of it; the notes of its Report follow the End.
func (r *Response) Events() []Event {
	out := make([]Event, 0, len(r.Parts)+8)
	if r.Raw != nil {
		out = append(out, Frame{})
	}
	out = append(out, Begin{ID: r.ID, Model: r.Model, Extra: r.Extra})
	calls, begun := 0, false // begun: the text before was, by an event
	for _, p := range r.Parts {
		switch p := p.(type) {
		case Text:
			if own := len(p.Extra.JSON) > 0; own || begun {
				out = append(out, TextBegin{Extra: p.Extra})
				begun = own
			}
			out = append(out, TextDelta{Text: p.Text})
		case Reasoning:
			if p.Text != "" {
				out = append(out, ReasoningDelta{Text: p.Text})
			}
			out = append(out, ReasoningEnd{Signature: p.Signature, Redacted: p.Redacted, ID: p.ID, Origin: p.Origin, Extra: p.Extra})
		case Call:
			text := string(p.Arguments)
			if p.Type == CustomTool {
				text = p.Input
			}
			out = append(out, CallBegin{Index: calls, ID: p.ID, Name: p.Name, Type: p.Type, Signature: p.Signature, Origin: p.Origin, Extra: p.Extra})
			if text != "" {
				out = append(out, CallDelta{Index: calls, Text: text})
			}
			out = append(out, CallEnd{Index: calls})
			calls++
		case Opaque:
			out = append(out, OpaquePart(p))
		case Image, File:
			out = append(out, MediaPart{Part: p})
		}
	}
	if r.Usage.Known {
		out = append(out, UsageDelta{Usage: r.Usage})
	}
	out = append(out, End{Finish: r.Finish, Extra: r.Extra})
	if r.Raw != nil {
		out[0] = Frame{Wire: r.Raw.Wire, Bytes: r.Raw.Bytes, Events: len(out) - 1, Stays: true}
	}
	if r.Report != nil {
		for _, n := range r.Report.Notes {
			out = append(out, Noted{Note: n})
		}
	}
	return out
}

// Collect reads the events of a stream into a whole answer. The first error ends it.
func Collect(seq iter.Seq2[Event, error]) (*Response, error) {
	var c Collector
	for ev, err := range seq {
		if err != nil {
			return nil, err
		}
		c.Add(ev)
	}
	return c.Response(), nil
}

// A Collector builds a whole answer of events. The zero Collector is ready for use; not safe for concurrent use.
type Collector struct {
	resp   Response
	text   strings.Builder
	extra  Extra // of the text
	think  strings.Builder
	call   *Call
	args   []byte
	piece  string // the first of the arguments, before args
	raw    int    // events that the frame still announces
	framed bool   // a frame came
}

// Add takes the next event.
func (c *Collector) Add(ev Event) {
	if f, ok := ev.(Frame); ok {
		c.resp.Raw = nil
		if !c.framed && len(c.resp.Parts) == 0 && c.text.Len()+c.think.Len() == 0 && c.call == nil {
			if !f.Stays {
				f.Bytes = bytes.Clone(f.Bytes)
			}
			c.resp.Raw, c.raw = &Raw{Wire: f.Wire, Bytes: f.Bytes}, f.Events
		}
		c.framed = true
		return
	}
	c.checkRaw()
	switch ev := ev.(type) {
	case Begin:
		c.resp.ID, c.resp.Model, c.resp.Extra = ev.ID, ev.Model, ev.Extra
	case TextBegin:
		c.endThink()
		c.endText()
		c.extra = ev.Extra
	case TextDelta:
		c.endThink()
		c.text.WriteString(ev.Text)
	case ReasoningDelta:
		c.endText()
		c.think.WriteString(ev.Text)
	case ReasoningEnd:
		c.endText()
		c.resp.Parts = append(c.resp.Parts, Reasoning{
			Text: c.think.String(), Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Origin: ev.Origin, Extra: ev.Extra,
		})
		c.think.Reset()
	case CallBegin:
		c.endThink()
		c.endText()
		c.call = &Call{ID: ev.ID, Name: ev.Name, Type: ev.Type, Signature: ev.Signature, Origin: ev.Origin, Extra: ev.Extra}
		c.args, c.piece = nil, ""
	case CallDelta:
		c.addArguments(ev.Text)
	case CallEnd:
		c.endCall(ev)
	case OpaquePart:
		c.endThink()
		c.endText()
		c.resp.Parts = append(c.resp.Parts, Opaque(ev))
	case MediaPart:
		c.endThink()
		c.endText()
		c.resp.Parts = append(c.resp.Parts, ev.Part)
	case UsageDelta:
		c.resp.Usage = c.resp.Usage.Merge(ev.Usage)
	case End:
		c.resp.Finish, c.resp.Extra = ev.Finish, c.resp.Extra.With(ev.Extra)
	case Done:
		c.resp.Report, c.resp.NeedsMoreWork, c.resp.Confidence = ev.Report, ev.NeedsMoreWork, ev.Report.Confidence
	}
}

// checkRaw drops the raw bytes when an event comes that they do not hold.
func (c *Collector) checkRaw() {
	if c.raw--; c.raw < 0 {
		c.resp.Raw = nil
	}
}

func (c *Collector) endCall(ev CallEnd) {
	switch {
	case ev.Call != nil:
		c.resp.Parts = append(c.resp.Parts, *ev.Call)
	case c.call != nil && c.call.Type == CustomTool:
		c.call.Input = c.piece + string(c.args)
		c.resp.Parts = append(c.resp.Parts, *c.call)
	case c.call != nil:
		if c.piece != "" {
			c.call.Arguments = append([]byte(c.piece), c.args...)
		}
		c.resp.Parts = append(c.resp.Parts, *c.call)
	}
	c.call, c.args, c.piece = nil, nil, ""
}

// addArguments adds a piece of a call's arguments. The first is not copied: it is often all of them, and what the End of the call brings takes its place.
func (c *Collector) addArguments(piece string) {
	if c.piece == "" {
		c.piece = piece
		return
	}
	c.args = append(c.args, piece...)
}

func (c *Collector) endText() {
	if c.text.Len() > 0 {
		c.resp.Parts = append(c.resp.Parts, Text{Text: c.text.String(), Extra: c.extra})
		c.text.Reset()
	}
	c.extra = Extra{}
}

func (c *Collector) endThink() {
	if c.think.Len() > 0 {
		c.resp.Parts = append(c.resp.Parts, Reasoning{Text: c.think.String()})
		c.think.Reset()
	}
}

// Response is the answer so far.
func (c *Collector) Response() *Response {
	c.endThink()
	c.endText()
	resp := c.resp
	return &resp
}
