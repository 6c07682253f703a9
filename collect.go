package callwright

import (
	"bytes"
	"iter"
	"strings"
)

// Batch returns the whole response as one batch: its events, the bytes of r.Raw and the notes of r.Report. Raw and
// Report may be nil.
func (r *Response) Batch() Batch {
	b := Batch{Events: r.Events()}
	if r.Raw != nil {
		b.Wire, b.Raw, b.Stable = r.Raw.Wire, r.Raw.Bytes, true
	}
	if r.Report != nil {
		b.Notes = r.Report.Notes
	}
	return b
}

// Events returns the response as the events of an equivalent stream, from Begin to End. A call becomes CallBegin,
// CallDelta and CallEnd.
func (r *Response) Events() []Event {
	out := make([]Event, 0, len(r.Parts)+8)
	out = append(out, Begin{ID: r.ID, Model: r.Model, Extra: r.Extra})
	calls, begun := 0, false // begun: the previous Text part was opened by a TextBegin
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
			out = append(out, CallBegin{Index: calls, ID: p.ID, Name: p.Name, Type: p.Type, Signature: p.Signature,
				Origin: p.Origin, Extra: p.Extra})
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
	return append(out, End{Finish: r.Finish, Extra: r.Extra})
}

// Collect reads a stream of events to its end and returns the complete response. It returns the first error of the
// stream.
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

// A Collector assembles a [Response] from the events of a stream. The zero Collector is ready for use. It is not safe
// for concurrent use.
type Collector struct {
	resp   Response
	text   strings.Builder
	extra  Extra // Extra of the text part that is being assembled
	think  strings.Builder
	call   *Call
	args   []byte
	piece  string // the first delta of the call's arguments; args has the later ones
	filled bool   // an event or a batch was added
}

// AddBatch adds the events of a batch. If it is the first batch added and has Raw, the response gets these bytes as
// Response.Raw. Any later event or batch removes them.
func (c *Collector) AddBatch(b Batch) {
	if len(b.Events) == 0 && b.Raw == nil {
		return
	}
	first := !c.filled
	for _, ev := range b.Events {
		c.Add(ev)
	}
	c.filled, c.resp.Raw = true, nil
	if first && b.Raw != nil {
		raw := b.Raw
		if !b.Stable {
			raw = bytes.Clone(raw)
		}
		c.resp.Raw = &Raw{Wire: b.Wire, Bytes: raw}
	}
}

// Add adds the next event of the stream.
func (c *Collector) Add(ev Event) {
	c.filled, c.resp.Raw = true, nil
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

// addArguments appends a delta to the arguments of the current call. The first delta is kept as a string without a
// copy, because it often has the complete arguments.
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

// Response returns the response assembled so far. Text or reasoning that is still open becomes a part of it. A call
// without CallEnd is omitted.
func (c *Collector) Response() *Response {
	c.endThink()
	c.endText()
	resp := c.resp
	return &resp
}
