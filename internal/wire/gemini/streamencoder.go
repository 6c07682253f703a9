package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamEncoder encodes one streamed response for a client: a chunk for each delta of text and of reasoning, one for
// each complete call, and a last one with the finish reason. Every chunk has usageMetadata, which clients require.
type streamEncoder struct {
	kit.Encoder
	array    bool   // write one JSON array in place of events
	opened   bool   // the "[" of the array was written
	model    string // the requested model, until the response names its model
	id       string
	thinking bool                 // reasoning is open
	total    callwright.Usage     // the usage received so far
	call     callwright.CallBegin // the open call
	args     []byte               // arguments of the open call
	data     []byte               // reused buffer for one chunk
	now      progress.Snapshot    // progress to be written in the current chunk
	sources  citation.Gatherer    // citations from other APIs
	named    []byte               // groundingMetadata of an earlier chunk
}

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newStreamEncoder(req *callwright.Request, array bool) *streamEncoder {
	_, name := req.Model.Split()
	return &streamEncoder{array: array, model: name, sources: citation.Gatherer{Own: callwright.WireGemini}}
}

// ContentType returns the media type of server-sent events, or that of JSON for an array.
func (e *streamEncoder) ContentType() string {
	if e.array {
		return "application/json; charset=utf-8"
	}
	return "text/event-stream; charset=utf-8"
}

// Encode appends a batch: its bytes if they are of this API, otherwise an encoding of its events.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// Pass appends the bytes of a batch, which are server-sent events, or their data as elements of the array. It always
// returns true.
func (e *streamEncoder) Pass(dst []byte, b *callwright.Batch) ([]byte, bool) {
	if !e.array {
		return append(dst, b.Raw...), true
	}
	in := sse.NewReader(bytes.NewReader(b.Raw), sse.MaxEvent(len(b.Raw)+1))
	for {
		ev, err := in.Next()
		if err != nil { // the end
			return dst, true
		}
		if data := bytes.TrimSpace(ev.Data); len(data) > 0 {
			dst = e.element(dst, data)
		}
	}
}

// Follow updates the encoder's state for an event whose bytes were forwarded. For an End it appends the "]" of the
// array.
func (e *streamEncoder) Follow(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
	case callwright.UsageDelta:
		e.total = e.total.Merge(ev.Usage)
	case callwright.End:
		return e.appendEnd(dst)
	}
	return dst
}

// element appends v as an element of the array.
func (e *streamEncoder) element(dst, v []byte) []byte {
	if e.opened {
		dst = append(dst, ",\r\n"...)
	} else {
		e.opened = true
		dst = append(dst, '[')
	}
	return append(dst, v...)
}

// appendEnd appends the "]" of the array. It appends nothing to a stream of events.
func (e *streamEncoder) appendEnd(dst []byte) []byte {
	if e.array {
		dst = append(dst, ']')
	}
	return dst
}

func (e *streamEncoder) begin(ev callwright.Begin) {
	if ev.Model != "" {
		e.model = ev.Model
	}
	if ev.ID != "" {
		e.id = ev.ID
	}
}

// KeepAlive appends a chunk without parts, because some clients cannot read SSE comments. Its member callwright has the
// progress of the request. In an array it appends a newline instead.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	if e.array {
		return append(dst, '\n')
	}
	e.now = now
	dst = e.piece(dst, nil, nil)
	e.now = progress.Snapshot{}
	return dst
}

// Write appends the encoding of an event, zero or more chunks.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	e.sources.Event(ev)
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
	case callwright.TextDelta:
		e.thinking = false
		if ev.Text != "" {
			return e.piece(dst, func(w *writer) { w.text(callwright.Text{Text: ev.Text}, "") }, nil)
		}
	case callwright.ReasoningDelta:
		if ev.Text != "" {
			e.thinking = true
			return e.piece(dst, func(w *writer) { w.writeThought(ev.Text, "", callwright.Extra{}) }, nil)
		}
	case callwright.ReasoningEnd:
		return e.reasoningEnd(dst, ev)
	case callwright.OpaquePart:
		return e.opaque(dst, ev.Extra)
	case callwright.MediaPart:
		e.thinking = false
		if f, ok := fileOf(ev.Part); ok {
			return e.piece(dst, func(w *writer) { w.file(f) }, nil)
		}
	case callwright.CallBegin:
		e.thinking = false
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

// piece appends a chunk. parts writes the parts of its content, candidate further members of its candidate. Both may be
// nil.
func (e *streamEncoder) piece(dst []byte, parts, candidate func(w *writer)) []byte {
	w := newWriter(append(e.data[:0], '{'))
	w.Open("candidates", '[')
	w.Open("", '{')
	w.Open("content", '{')
	w.Open("parts", '[')
	if parts != nil {
		parts(&w)
	}
	w.Close(']')
	w.Text("role", roleOf(callwright.RoleAssistant))
	w.Close('}')
	w.Count("index", 0)
	if candidate != nil {
		candidate(&w)
	}
	w.Buf = append(w.Buf, "}]"...)
	return e.last(dst, &w)
}

// last writes the members at the end of a chunk, such as usageMetadata, and appends the chunk.
func (e *streamEncoder) last(dst []byte, w *writer) []byte {
	w.usage(e.total)
	w.OptionalText(modelVersion.camel, e.model)
	w.OptionalText(responseID.camel, e.id)
	w.Progress(e.now)
	w.Close('}')
	e.data = w.Buf
	data := kit.OneLine(w.Buf)
	if e.array {
		return e.element(dst, data)
	}
	return sse.Append(dst, "", data)
}

// reasoningEnd appends a chunk with the opaque state of reasoning as the thoughtSignature of an empty text.
func (e *streamEncoder) reasoningEnd(dst []byte, ev callwright.ReasoningEnd) []byte {
	thinking := e.thinking
	e.thinking = false
	signature := encodeSignature(callwright.Reasoning{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID,
		Origin: ev.Origin, Extra: ev.Extra})
	if signature == "" {
		return dst
	}
	var extra callwright.Extra
	if thinking {
		extra = own.Keep(extra, "thought", []byte("true"))
	}
	return e.piece(dst, func(w *writer) { w.writeThought("", signature, extra) }, nil)
}

// opaque appends a chunk with an opaque part of this API, or with members of a candidate.
func (e *streamEncoder) opaque(dst []byte, x callwright.Extra) []byte {
	if x.Wire != callwright.WireGemini {
		return dst
	}
	e.thinking = false
	if in := own.Member(x, candidateKey); in != nil {
		if v := own.Member(own.Extra(in), groundingKey); v != nil {
			e.named = v
		}
		return e.piece(dst, nil, func(w *writer) { w.Within(x, candidateKey) })
	}
	return e.piece(dst, func(w *writer) { w.Raw("", x.JSON) }, nil)
}

// callEnd appends a chunk with a complete call: ev.Call if it is set, otherwise from its deltas.
func (e *streamEncoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	c := kit.EndedCall(e.call, e.args, ev)
	if cut(c) {
		e.NoteOmission(cutCall(c))
		return dst
	}
	return e.piece(dst, func(w *writer) { w.call(c, c.ID, callSignature(c)) }, nil)
}

func (e *streamEncoder) end(dst []byte, ev callwright.End) []byte {
	candidate := addGrounding(own.Extra(own.Member(ev.Extra, candidateKey)), &e.sources, e.named)
	e.sources.Release()
	w := newWriter(append(e.data[:0], '{'))
	w.Raw("candidates", []byte(`[{"content":{"parts":[{"text":""}],"role":"model"}`))
	w.Text(finishReason.camel, reasonOf(ev.Finish, finishReason.in(candidate.JSON)))
	w.Count("index", 0)
	w.Writer.Extra(candidate, spellings(finishReason)...)
	w.Buf = append(w.Buf, "}]"...)
	w.Writer.Extra(ev.Extra, candidateKey)
	return e.appendEnd(e.last(dst, &w))
}

// Fail appends the error as a chunk. No chunk with a finish reason follows.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	e.Ended = true
	data := encodeError(err)
	if e.array {
		return e.appendEnd(e.element(dst, data))
	}
	return sse.Append(dst, "", data)
}
