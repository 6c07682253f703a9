package openai

import (
	"bytes"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire"
)

// encoder writes one streamed answer for a client: the role in the first piece, calls one after another, one to a piece,
// their heads once, a finish reason, usage where it was asked for, and [DONE].
type encoder struct {
	usage   bool   // the client wants it
	model   string // asked for, until the answer names its own
	head    []byte // of each chunk, up to the choices
	skip    int    // events that the last frame has written already
	frames  bool   // frames may be written as they came
	role    bool
	finish  bool // a finish reason was written
	details bool // reasoning_details were written
	counted bool // usage was written
	done    bool
	total   callwright.Usage
	args    bool // the open call has arguments already
	call    callwright.CallBegin
	piece   writer
}

var _ wire.StreamEncoder = (*encoder)(nil)

func newEncoder(req *callwright.Request) *encoder {
	_, name := req.Model.Split()
	return &encoder{usage: req.Params.StreamUsage, model: name, frames: true, piece: newWriter(nil)}
}

// ContentType is that of server-sent events.
func (e *encoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends what the event comes to.
func (e *encoder) Encode(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Frame:
		return e.frame(dst, ev)
	case callwright.KeepAlive:
		return sse.AppendComment(dst, "keep-alive")
	case callwright.Flush, callwright.Noted:
		return dst
	}
	if e.skip > 0 {
		e.skip--
		e.pass(ev)
		return dst
	}
	if e.done {
		return dst
	}
	return e.write(dst, ev)
}

// frame writes a frame of this wire as it came, unless calls were written anew, whose numbers it may not have.
func (e *encoder) frame(dst []byte, f callwright.Frame) []byte {
	e.skip = 0
	if f.Wire != callwright.WireOpenAI || !e.frames || e.done && f.Events > 0 {
		return dst
	}
	if !e.finish && marks(f.Bytes, "finish_reason") {
		e.finish = true
	}
	if !e.finish && bytes.Contains(f.Bytes, []byte("[DONE]")) || f.Bytes == nil && !e.finish {
		return dst // the end is written with the reason that was missing
	}
	e.details = e.details || bytes.Contains(f.Bytes, []byte(`"reasoning_details"`))
	e.skip = f.Events
	return append(dst, f.Bytes...)
}

// marks reports whether a member called key with a string stands in a chunk. Inside a string its quotes would be escaped.
func marks(chunk []byte, key string) bool {
	_, after, ok := bytes.Cut(chunk, []byte(`"`+key+`"`))
	if !ok {
		return false
	}
	after = bytes.TrimLeft(after, " \t")
	return len(after) > 1 && after[0] == ':' && bytes.HasPrefix(bytes.TrimLeft(after[1:], " \t"), []byte(`"`))
}

// pass takes note of an event that a frame has written.
func (e *encoder) pass(ev callwright.Event) {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
		e.role = true
	case callwright.CallBegin:
		e.call, e.args = ev, false
	case callwright.CallDelta:
		e.args = true
	case callwright.UsageDelta:
		e.counted = true
	case callwright.End:
		e.done = true
	}
}

func (e *encoder) write(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
		return e.lead(dst)
	case callwright.TextDelta:
		return e.text(dst, "content", ev.Text)
	case callwright.ReasoningDelta:
		return e.text(dst, "reasoning_content", ev.Text)
	case callwright.ReasoningEnd:
		if d := ownMember(ev.Extra, "reasoning_details"); d != nil && !e.details {
			return e.delta(dst, func(w *writer) { w.Raw("reasoning_details", d) })
		}
	case callwright.OpaquePart:
		if ev.Extra.Wire == callwright.WireOpenAI {
			return e.opaque(dst, ev.Extra)
		}
	case callwright.CallBegin:
		e.frames = false
		e.call, e.args = ev, false
		return e.callHead(dst, ev, "")
	case callwright.CallDelta:
		e.frames = false
		e.args = true
		return e.arguments(dst, ev.Text)
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
func (e *encoder) begin(ev callwright.Begin) {
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
	if ownMember(ev.Extra, "created") == nil {
		w.Raw("created", strconv.AppendInt(nil, time.Now().Unix(), 10))
	}
	w.Text("model", model)
	w.Extra(ev.Extra)
	e.head = w.Buf
}

// chunk appends a chunk; write adds its choices and what follows.
func (e *encoder) chunk(dst []byte, write func(w *writer)) []byte {
	if e.head == nil {
		e.begin(callwright.Begin{})
	}
	e.piece.Buf = append(e.piece.Buf[:0], e.head...)
	write(&e.piece)
	e.piece.Close('}')
	return sse.Append(dst, "", e.piece.Buf)
}

// delta appends a chunk with one delta.
func (e *encoder) delta(dst []byte, write func(w *writer)) []byte {
	return e.chunk(dst, func(w *writer) {
		w.Buf = append(w.Buf, `,"choices":[{"index":0,"delta":{`...)
		if !e.role {
			e.role = true
			w.Text("role", "assistant")
		}
		write(w)
		w.Buf = append(w.Buf, `},"finish_reason":null}]`...)
		if e.usage {
			w.Raw("usage", []byte("null"))
		}
	})
}

// lead writes the role.
func (e *encoder) lead(dst []byte) []byte {
	if e.role {
		return dst
	}
	return e.delta(dst, func(w *writer) { w.Text("content", "") })
}

func (e *encoder) text(dst []byte, key, s string) []byte {
	if s == "" {
		return dst
	}
	return e.delta(dst, func(w *writer) { w.Text(key, s) })
}

// opaque writes a part that came over this wire: members of a delta, or an element of a content list.
func (e *encoder) opaque(dst []byte, x callwright.Extra) []byte {
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

// callHead writes the first piece of a call.
func (e *encoder) callHead(dst []byte, c callwright.CallBegin, arguments string) []byte {
	return e.piecesOf(dst, c.Index, func(w *writer) {
		w.Given("id", c.ID)
		kind, name := "function", "arguments"
		if c.Type == callwright.CustomTool {
			kind, name = "custom", "input"
		}
		w.Text("type", kind)
		w.Open(kind, '{')
		w.Text("name", c.Name)
		w.Text(name, arguments)
		w.Close('}')
		if c.Signature != "" && (c.Origin.Wire == callwright.WireOpenAI || c.Origin.Wire == "") {
			w.signature(c.Signature)
		}
	})
}

func (e *encoder) piecesOf(dst []byte, index int, write func(w *writer)) []byte {
	return e.delta(dst, func(w *writer) {
		w.Open("tool_calls", '[')
		w.Open("", '{')
		w.Count("index", index)
		write(w)
		w.Buf = append(w.Buf, "}]"...)
	})
}

func (e *encoder) arguments(dst []byte, s string) []byte {
	if s == "" {
		return dst
	}
	kind, name := "function", "arguments"
	if e.call.Type == callwright.CustomTool {
		kind, name = "custom", "input"
	}
	return e.piecesOf(dst, e.call.Index, func(w *writer) {
		w.Open(kind, '{')
		w.Text(name, s)
		w.Close('}')
	})
}

// callEnd writes what of a judged call was not written yet. A call without arguments has the empty object.
func (e *encoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	if e.args {
		return dst
	}
	e.frames, e.args = false, true
	switch {
	case ev.Call == nil && e.call.Type == callwright.CustomTool:
		return dst
	case ev.Call == nil:
		return e.arguments(dst, "{}")
	case ev.Call.Type == callwright.CustomTool:
		return e.arguments(dst, ev.Call.Input)
	case len(ev.Call.Arguments) == 0:
		return e.arguments(dst, "{}")
	}
	return e.arguments(dst, string(ev.Call.Arguments))
}

func (e *encoder) end(dst []byte, ev callwright.End) []byte {
	e.done = true
	if !e.finish {
		e.finish = true
		dst = e.lead(dst)
		dst = e.chunk(dst, func(w *writer) {
			w.Buf = append(w.Buf, `,"choices":[{"index":0,"delta":{},"finish_reason":`...)
			w.Buf = append(jsonx.AppendQuote(w.Buf, reasonOf(ev.Finish)), "}]"...)
			if e.usage {
				w.Raw("usage", []byte("null"))
			}
		})
	}
	if e.usage && !e.counted && e.total.Known {
		dst = e.chunk(dst, func(w *writer) {
			w.Raw("choices", []byte("[]"))
			w.usage("usage", e.total)
		})
	}
	return sse.Append(dst, "", []byte("[DONE]"))
}

// Fail appends the error as a chunk. There is no [DONE] after it.
func (e *encoder) Fail(dst []byte, err *callwright.Error) []byte {
	e.done = true
	return sse.Append(dst, "", encodeError(err, err.HTTPStatus()))
}
