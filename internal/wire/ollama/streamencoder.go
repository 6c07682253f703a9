package ollama

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// streamEncoder encodes one streamed response for a client: a line for each delta of text and of reasoning, one for
// each complete call, and a last line with "done":true, which clients require.
type streamEncoder struct {
	kit.Encoder
	model      string               // the requested model, until the response names its model
	renumbered bool                 // calls were encoded: bytes of batches may have other indices
	total      callwright.Usage     // the usage received so far
	call       callwright.CallBegin // the open call
	args       []byte               // arguments of the open call
	time       timing               // for the durations in the last line
	piece      writer               // reused buffer for one line
}

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newStreamEncoder(req *callwright.Request) *streamEncoder {
	_, name := req.Model.Split()
	return &streamEncoder{model: name, piece: newWriter(nil), time: timing{began: time.Now()}}
}

// ContentType returns the media type of lines of JSON.
func (e *streamEncoder) ContentType() string { return "application/x-ndjson" }

// Encode appends a batch: its bytes if they are of this API and continue the response, otherwise an encoding of its
// events.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// KeepAlive appends a line without text, because some clients reject empty lines. Its member callwright has the
// progress of the request.
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

// Pass appends the bytes of a batch unchanged. It returns false if calls were encoded before, because the call indices
// in the bytes may be wrong.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) ([]byte, bool) {
	if e.renumbered {
		return dst, false
	}
	return append(dst, b.Raw...), true
}

// Follow updates the encoder's state for an event whose bytes were forwarded. It appends nothing.
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

// Write appends the encoding of an event, zero or one line.
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

// line appends a line with model and created_at. write adds its other members.
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

// messageLine appends a line with "done":false and a message. beside adds members to the message and may be nil.
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

// openMessage begins the member message, with role and content.
func (w *writer) openMessage(content string) {
	w.Open("message", '{')
	w.Text("role", string(callwright.RoleAssistant))
	w.Text("content", content)
}

// opaque appends a line with unknown members of a line of this API.
func (e *streamEncoder) opaque(dst []byte, x callwright.Extra) []byte {
	return e.line(dst, func(w *writer) {
		w.openMessage("")
		w.Within(x, "message")
		w.Close('}')
		w.Extra(x, "message")
		w.Truth("done", false)
	})
}

// callEnd appends a line with a complete call: ev.Call if it is set, otherwise from its deltas.
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

// Fail appends a line with the error. No line with "done":true follows.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	e.Ended = true
	return append(append(dst, encodeError(err)...), '\n')
}
