package ollama

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// streamEncoder writes one streamed answer for a client: a line for each piece of text and reasoning, a line for each
// call once it is whole, and always a last line that says done, which clients insist on.
type streamEncoder struct {
	kit.Encoder
	model      string // asked for, until the answer names its own
	renumbered bool   // calls were written anew
	total      callwright.Usage
	call       callwright.CallBegin
	args       []byte // of the open call
	time       timing
	piece      writer
}

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newStreamEncoder(req *callwright.Request) *streamEncoder {
	_, name := req.Model.Split()
	return &streamEncoder{model: name, piece: newWriter(nil), time: timing{began: time.Now()}}
}

// ContentType is that of lines of JSON.
func (e *streamEncoder) ContentType() string { return "application/x-ndjson" }

// Encode appends a batch.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// KeepAlive appends a line without content: blank lines are an error to some clients. A member of our own says how far
// the request is.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	return e.line(dst, func(w *writer) {
		w.openMessage("")
		w.Close('}')
		w.Truth("done", false)
		w.Progress(now)
	})
}

// Pass writes a batch as it came, unless calls were encoded, whose numbers it may not have.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) ([]byte, bool) {
	if e.renumbered {
		return dst, false
	}
	return append(dst, b.Raw...), true
}

// Follow keeps the state in step with an event whose bytes were passed.
func (e *streamEncoder) Follow(dst []byte, ev callwright.Event) []byte {
	if begin, ok := ev.(callwright.Begin); ok {
		e.begin(begin)
	}
	return dst
}

func (e *streamEncoder) begin(ev callwright.Begin) {
	if ev.Model != "" {
		e.model = ev.Model
	}
}

// Write appends the lines of an event.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
	case callwright.TextDelta:
		if ev.Text != "" {
			return e.messageLine(dst, ev.Text, nil)
		}
	case callwright.ReasoningDelta:
		if ev.Text != "" {
			return e.messageLine(dst, "", func(w *writer) { w.Text("thinking", ev.Text) })
		}
	case callwright.ReasoningEnd:
		if ev.Signature != "" || ev.Redacted != "" {
			carrier := wire.Pack(callwright.Reasoning{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Origin: ev.Origin, Extra: ev.Extra})
			return e.messageLine(dst, "", func(w *writer) { w.Text(carrierKey, carrier) })
		}
	case callwright.OpaquePart:
		if ev.Extra.Wire == callwright.WireOllama {
			return e.opaque(dst, ev.Extra)
		}
	case callwright.MediaPart:
		if i, _ := ev.Part.(callwright.Image); i.Data != "" {
			return e.messageLine(dst, "", func(w *writer) { w.images([]string{i.Data}) })
		}
	case callwright.CallBegin:
		e.renumbered = true
		e.call, e.args = ev, e.args[:0]
	case callwright.CallDelta:
		e.args = append(e.args, ev.Text...)
	case callwright.CallEnd:
		return e.callEnd(dst, ev)
	case callwright.UsageDelta:
		e.total = e.total.Merge(ev.Usage)
	case callwright.End:
		return e.end(dst, ev)
	}
	return dst
}

// line appends a line; write adds its message and the members after it.
func (e *streamEncoder) line(dst []byte, write func(w *writer)) []byte {
	e.time.line()
	w := &e.piece
	w.Buf = append(w.Buf[:0], '{')
	w.Text("model", e.model)
	w.now("created_at")
	write(w)
	w.Close('}')
	return append(append(dst, kit.OneLine(w.Buf)...), '\n')
}

// messageLine appends a line that is not the last: its message has a content, and the members that beside writes.
func (e *streamEncoder) messageLine(dst []byte, content string, beside func(w *writer)) []byte {
	return e.line(dst, func(w *writer) {
		w.openMessage(content)
		if beside != nil {
			beside(w)
		}
		w.Close('}')
		w.Truth("done", false)
	})
}

// openMessage opens the message of an answer. Its content is always there.
func (w *writer) openMessage(content string) {
	w.Open("message", '{')
	w.Text("role", string(callwright.RoleAssistant))
	w.Text("content", content)
}

// opaque writes members of a line that came over this wire.
func (e *streamEncoder) opaque(dst []byte, x callwright.Extra) []byte {
	return e.line(dst, func(w *writer) {
		w.openMessage("")
		w.Within(x, "message")
		w.Close('}')
		w.Extra(x, "message")
		w.Truth("done", false)
	})
}

// callEnd writes a call: as it was judged, or from the pieces that came.
func (e *streamEncoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	c := kit.EndedCall(e.call, e.args, ev)
	return e.messageLine(dst, "", func(w *writer) {
		w.Open("tool_calls", '[')
		w.call(c, e.call.Index, c.ID, true)
		w.Close(']')
	})
}

func (e *streamEncoder) end(dst []byte, ev callwright.End) []byte {
	reason := own.Member(ev.Extra, "done_reason")
	return e.line(dst, func(w *writer) {
		w.openMessage("")
		w.Within(ev.Extra, "message")
		w.Close('}')
		w.Truth("done", true)
		w.Text("done_reason", reasonOf(ev.Finish, jsonx.TextOf(reason)))
		w.usage(e.total)
		w.durations(&e.time, ev.Extra)
		w.Extra(ev.Extra, "message", "created_at", "done_reason")
	})
}

// Fail appends a line with the error. There is none that says done after it.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	e.Ended = true
	return append(append(dst, encodeError(err)...), '\n')
}
