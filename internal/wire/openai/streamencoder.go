package openai

import (
	"bytes"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamEncoder writes one streamed answer for a client: the role in the first piece, calls one after another, one to a
// piece, their heads once, a finish reason, usage where it was asked for, and [DONE]. A call that is known as a whole
// is one piece: some clients take no arguments without id and name.
type streamEncoder struct {
	kit.Encoder
	clientWantsUsage bool
	hidesUsage       bool   // the client did not ask for it, and the provider was
	joinsCalls       bool   // each call is one piece
	inCall           bool   // a call is open
	model            string // asked for, until the answer names its own
	head             []byte // of each chunk, up to the choices
	renumbered       bool   // calls were encoded: batches may have other numbers
	calls            int    // that the client has seen
	passed           int    // the index after that of the last call that was passed
	index            int    // of the open call for the client
	roleWritten      bool
	refuses          bool // the text under way is a refusal
	finishWritten    bool
	detailsWritten   bool // of reasoning
	usageWritten     bool
	total            callwright.Usage
	callHasArgs      bool // the open call has arguments already
	call             callwright.CallBegin
	headWaits        bool   // its head was not written yet
	args             []byte // of it that were not written yet
	sources          citation.Gatherer
	beside           []byte // members that a whole answer had in its choice
	piece            writer
}

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newEncoder(req *callwright.Request) *streamEncoder {
	_, name := req.Model.Split()
	return &streamEncoder{clientWantsUsage: req.Params.StreamUsage, model: name, piece: newWriter(nil),
		sources: citation.Gatherer{Own: callwright.WireOpenAI}}
}

// ContentType is that of server-sent events.
func (e *streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// KeepAlive appends a comment.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	return kit.AppendProgress(e.Flush(dst), now)
}

// Flush writes the part of the open call that waits for more of it. A client that wants each call in one piece has no
// part of it.
func (e *streamEncoder) Flush(dst []byte) []byte {
	if e.joinsCalls && e.inCall {
		return dst
	}
	args := e.args
	switch e.args = args[:0]; {
	case e.headWaits:
		e.headWaits = false
		return e.callHead(dst, string(args))
	case len(args) > 0:
		return e.arguments(dst, string(args))
	}
	return dst
}

// isInCall reports whether an event may stand between the beginning and the end of a call.
func isInCall(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallDelta, callwright.CallEnd, callwright.UsageDelta:
		return true
	}
	return false
}

// Write appends the chunks of the event.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	if e.sources.Event(ev); e.sources.Waits() {
		dst = e.cite(dst, ev)
	}
	if !isInCall(ev) {
		e.inCall = false
		dst = e.Flush(dst)
	}
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
		return e.lead(dst)
	case callwright.TextBegin:
		e.refuses = (callwright.Text{Extra: ev.Extra}).IsRefusal()
	case callwright.TextDelta:
		if e.refuses {
			return e.text(dst, "refusal", ev.Text)
		}
		return e.text(dst, "content", ev.Text)
	case callwright.ReasoningDelta:
		return e.text(dst, "reasoning_content", ev.Text)
	case callwright.ReasoningEnd:
		if d := own.Member(ev.Extra, "reasoning_details"); d != nil && !e.detailsWritten {
			return e.delta(dst, func(w *writer) { w.Raw("reasoning_details", d) })
		}
	case callwright.OpaquePart:
		if ev.Extra.Wire == callwright.WireOpenAI {
			return e.opaque(dst, ev.Extra)
		}
	case callwright.CallBegin:
		e.renumbered, e.headWaits = true, true
		e.open(ev)
	case callwright.CallDelta:
		e.renumbered = true
		e.callHasArgs = e.callHasArgs || ev.Text != ""
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

// begin makes the head of the chunks.
func (e *streamEncoder) begin(ev callwright.Begin) {
	id, model := ev.ID, ev.Model
	if id == "" {
		id = "chatcmpl-" + rand.Text()
	}
	if model == "" {
		model = e.model
	}
	w := newWriter([]byte("{"))
	w.Text("id", id)
	w.Text("object", "chat.completion.chunk")
	if own.Member(ev.Extra, "created") == nil {
		w.Raw("created", strconv.AppendInt(nil, time.Now().Unix(), 10))
	}
	w.Text("model", model)
	if fingerprint := own.Member(ev.Extra, "system_fingerprint"); fingerprint != nil && jsonx.IsNull(fingerprint) {
		w.Extra(ev.Extra, "choices", "system_fingerprint") // whole answers have null, chunks a text or none
	} else {
		w.Extra(ev.Extra, "choices")
	}
	e.head = w.Buf
	e.beside = jsonx.First(own.Member(ev.Extra, "choices"))
}

// chunk appends a chunk; write adds its choices and the members after them.
func (e *streamEncoder) chunk(dst []byte, write func(w *writer)) []byte {
	if e.head == nil {
		e.begin(callwright.Begin{})
	}
	e.piece.Buf = append(e.piece.Buf[:0], e.head...)
	write(&e.piece)
	e.piece.Close('}')
	return sse.Append(dst, "", e.piece.Buf)
}

// delta appends a chunk with one delta.
func (e *streamEncoder) delta(dst []byte, write func(w *writer)) []byte {
	return e.chunk(dst, func(w *writer) {
		w.Buf = append(w.Buf, `,"choices":[{"index":0,"delta":{`...)
		if !e.roleWritten {
			e.roleWritten = true
			w.Text("role", "assistant")
		}
		write(w)
		w.Buf = append(w.Buf, `},"finish_reason":null}]`...)
		if e.clientWantsUsage {
			w.Raw("usage", []byte("null"))
		}
	})
}

// lead writes the role.
func (e *streamEncoder) lead(dst []byte) []byte {
	if e.roleWritten {
		return dst
	}
	return e.delta(dst, func(w *writer) { w.Text("content", "") })
}

func (e *streamEncoder) text(dst []byte, key, s string) []byte {
	if s == "" {
		return dst
	}
	return e.delta(dst, func(w *writer) { w.Text(key, s) })
}

// opaque writes a part that came over this wire: members of a delta, or an element of a content list.
func (e *streamEncoder) opaque(dst []byte, x callwright.Extra) []byte {
	return e.delta(dst, func(w *writer) {
		if kind, _ := jsonx.Find(x.JSON, "type"); jsonx.IsText(kind) {
			w.Open("content", '[')
			w.Raw("", x.JSON)
			w.Close(']')
			return
		}
		w.Extra(x)
	})
}

// open registers a call that begins. Its index counts the calls that the client has received: SDKs keep calls in a
// list.
func (e *streamEncoder) open(c callwright.CallBegin) {
	e.call, e.callHasArgs, e.inCall = c, false, true
	e.index = e.calls
	e.calls++
}

// callHead writes the first piece of the open call.
func (e *streamEncoder) callHead(dst []byte, args string) []byte {
	c := &e.call
	return e.piecesOf(dst, func(w *writer) {
		w.OptionalText("id", c.ID)
		kind, input := wireType(c.Type)
		w.Text("type", kind)
		w.Open(kind, '{')
		w.Text("name", c.Name)
		w.Text(input, args)
		w.Within(c.Extra, kind)
		w.Close('}')
		w.callRest(c.Extra, c.Signature, c.Origin.Wire == callwright.WireOpenAI || c.Origin.Wire == "", streamedKeys)
	})
}

func (e *streamEncoder) piecesOf(dst []byte, write func(w *writer)) []byte {
	return e.delta(dst, func(w *writer) {
		w.Open("tool_calls", '[')
		w.Open("", '{')
		w.Count("index", e.index)
		write(w)
		w.Buf = append(w.Buf, "}]"...)
	})
}

// arguments writes a further piece of the open call.
func (e *streamEncoder) arguments(dst []byte, s string) []byte {
	kind, input := wireType(e.call.Type)
	return e.piecesOf(dst, func(w *writer) {
		w.Open(kind, '{')
		w.Text(input, s)
		w.Close('}')
	})
}

// callEnd writes the rest of a call. One without arguments has the empty object.
func (e *streamEncoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	e.inCall = false
	if e.callHasArgs {
		return e.Flush(dst)
	}
	e.renumbered, e.callHasArgs = true, true
	switch c := ev.Call; {
	case c == nil && e.call.Type == callwright.CustomTool:
	case c != nil && c.Type == callwright.CustomTool:
		e.args = append(e.args, c.Input...)
	case c != nil && len(c.Arguments) > 0:
		e.args = append(e.args, c.Arguments...)
	default:
		e.args = append(e.args, "{}"...)
	}
	return e.Flush(dst)
}

func (e *streamEncoder) end(dst []byte, ev callwright.End) []byte {
	if !e.finishWritten {
		e.finishWritten = true
		dst = e.lead(dst)
		inChoice := own.Extra(e.beside)
		if own.Member(inChoice, "message") != nil {
			dst = e.delta(dst, func(w *writer) { w.Within(inChoice, "message") })
		}
		dst = e.chunk(dst, func(w *writer) {
			w.Buf = append(w.Buf, `,"choices":[{"index":0,"delta":{},"finish_reason":`...)
			w.Buf = jsonx.AppendQuote(w.Buf, reasonOf(ev.Finish))
			w.Extra(inChoice, "message", "delta", "finish_reason", "index")
			w.Buf = append(w.Buf, "}]"...)
			for _, key := range citation.ListKeys {
				if !bytes.Contains(e.head, []byte(`"`+key+`":`)) {
					w.GivenRaw(key, own.Member(ev.Extra, key))
				}
			}
			if e.clientWantsUsage {
				w.Raw("usage", []byte("null"))
			}
		})
	}
	if e.clientWantsUsage && !e.usageWritten && e.total.Known {
		dst = e.chunk(dst, func(w *writer) {
			w.Raw("choices", []byte("[]"))
			w.usage("usage", e.total)
		})
	}
	e.sources.Release()
	return sse.Append(dst, "", []byte("[DONE]"))
}

// Fail appends the error as a chunk. There is no [DONE] after it.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	dst = e.Flush(dst) // nothing of an open call for clients that want it whole
	e.Ended = true
	return sse.Append(dst, "", encodeError(err, err.HTTPStatus()))
}
