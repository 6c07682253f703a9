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

// streamEncoder encodes one streamed response for a client. It writes the role in the first chunk, calls one after
// another, one delta of a call in a chunk, a finish reason, the usage if the client asked for it, and [DONE]. Call
// deltas that arrive together are one chunk with id and name, because some clients cannot read arguments without them.
type streamEncoder struct {
	kit.Encoder
	clientWantsUsage bool   // the client asked for usage at the end
	hidesUsage       bool   // the client did not ask for usage, but the provider sends it
	joinsCalls       bool   // each call is one chunk
	inCall           bool   // a call is open
	model            string // the requested model, until the response names its model
	head             []byte // the beginning of each chunk, up to "choices"
	renumbered       bool   // calls were encoded: bytes of batches may have other indices
	calls            int    // number of calls that the client received
	passed           int    // the highest index of a forwarded call, plus 1
	index            int    // the index of the open call for the client
	roleWritten      bool
	refuses          bool // the current text is a refusal
	finishWritten    bool
	detailsWritten   bool // reasoning_details were written
	usageWritten     bool
	total            callwright.Usage     // the usage received so far
	callHasArgs      bool                 // the open call has arguments
	call             callwright.CallBegin // the open or last call
	headWaits        bool                 // id and name of the call are not written yet
	args             []byte               // arguments of the call that are not written yet
	sources          citation.Gatherer    // citations from other APIs
	beside           []byte               // the choice of a whole response, with unknown members
	piece            writer               // reused buffer for one chunk
}

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newEncoder(req *callwright.Request) *streamEncoder {
	_, name := req.Model.Split()
	return &streamEncoder{clientWantsUsage: req.Params.StreamUsage, model: name, piece: newWriter(nil),
		sources: citation.Gatherer{Own: callwright.WireOpenAI}}
}

// ContentType returns the media type of server-sent events.
func (e *streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch: its bytes if they are of this API and continue the response, otherwise an encoding of its
// events.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// KeepAlive appends an SSE comment with the progress of the request. It appends nothing after the end.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	return kit.AppendProgress(e.Flush(dst), now)
}

// Flush appends the buffered part of the open call. If the client wants each call in one chunk, it appends nothing
// until the call ends.
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

// isInCall reports whether an event may occur between CallBegin and CallEnd of a call.
func isInCall(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallDelta, callwright.CallEnd, callwright.UsageDelta:
		return true
	}
	return false
}

// Write appends the encoding of an event, zero or more chunks.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	if e.sources.Event(ev); e.sources.HasPendingSources() {
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

// begin builds the members with which each chunk begins: id, object, created, model and unknown members.
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
		w.Extra(ev.Extra, "choices", "system_fingerprint") // null is valid in whole responses only
	} else {
		w.Extra(ev.Extra, "choices")
	}
	e.head = w.Buf
	e.beside = jsonx.First(own.Member(ev.Extra, "choices"))
}

// chunk appends a chunk as a server-sent event. write adds choices and the members after them.
func (e *streamEncoder) chunk(dst []byte, write func(w *writer)) []byte {
	if e.head == nil {
		e.begin(callwright.Begin{})
	}
	e.piece.Buf = append(e.piece.Buf[:0], e.head...)
	write(&e.piece)
	e.piece.Close('}')
	return sse.Append(dst, "", e.piece.Buf)
}

// delta appends a chunk with one delta, whose members write adds. The first delta of a response also has the role.
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

// lead appends a chunk with the role and empty content, unless the role was written.
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

// opaque appends a chunk with an opaque part of this API: an element of a content list if it has a type, otherwise
// members of a delta.
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

// open makes c the open call. Its index is the number of calls that the client has received so far, because SDKs keep
// calls in a list.
func (e *streamEncoder) open(c callwright.CallBegin) {
	e.call, e.callHasArgs, e.inCall = c, false, true
	e.index = e.calls
	e.calls++
}

// callHead appends the first chunk of the open call, with its id, type and name and the arguments args.
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

// arguments appends a chunk with further arguments of the open call.
func (e *streamEncoder) arguments(dst []byte, s string) []byte {
	kind, input := wireType(e.call.Type)
	return e.piecesOf(dst, func(w *writer) {
		w.Open(kind, '{')
		w.Text(input, s)
		w.Close('}')
	})
}

// callEnd appends the rest of the open call. If no arguments came, it takes those of ev.Call, or "{}" for a function.
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

// Fail appends a chunk with the error. No [DONE] follows.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	dst = e.Flush(dst) // with joinsCalls, an incomplete call is dropped
	e.Ended = true
	return sse.Append(dst, "", encodeError(err, err.HTTPStatus()))
}
