package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// NewStreamEncoder returns an encoder for the streamed response to req, which may be nil.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	name := ""
	if req != nil {
		_, name = req.Model.Split()
	}
	return &streamEncoder{model: name, openBlock: -1, thinks: asksThinking(req), sources: citation.Gatherer{Own: callwright.WireAnthropic}}
}

// streamEncoder encodes one streamed response for a client: message_start, content blocks one after another with
// ascending indices, message_delta with the usage, message_stop.
//
// It forwards the bytes of batches of this API while their block indices are those that the encoder would assign. It
// tracks the blocks that forwarded events open and close, so that an encoded delta can be added to a forwarded block.
type streamEncoder struct {
	kit.Encoder
	model            string            // the requested model
	early            bool              // KeepAlive wrote message_start without usage
	signs            int               // number of KeepAlive calls since the last event of the response
	begin            *callwright.Begin // not written yet, because message_start needs the usage
	usage            callwright.Usage  // the usage received so far
	thinks           bool              // the client accepts thinking blocks without text
	started          bool              // message_start was written
	openBlock        int               // index of the open block, -1 if none is open
	openKind         kind              // type of the open block
	hasWords         bool              // the open block has text
	next             int               // index of the next block
	textExtra        callwright.Extra  // of the next text
	argumentsWritten bool              // the open call has arguments
	arguments        []byte            // arguments of the open call that are not written yet
	openedByBatch    bool              // the start of the open block was forwarded
	renumbered       bool              // the indices differ from the provider's: batches can no longer be forwarded
	flows            bool              // the last batch was a forwarded delta
	data             []byte            // reused buffer for the data of one event
	sources          citation.Gatherer // citations from other APIs

	// held is the buffered start of a forwarded text block that has no text so far. heldStop is its buffered end.
	held, heldStop []byte
	// totals is the provider's message_delta. It is buffered until the end, because a stage may change the stop reason.
	totals []byte
}

// kind is the type of a content block.
type kind uint8

const (
	kindOther kind = iota
	kindText
	kindThinking
	kindSigned // a thinking block that has its signature
	kindCall
)

func blockKind(name []byte) kind {
	switch string(name) {
	case "text":
		return kindText
	case "thinking":
		return kindThinking
	case "tool_use":
		return kindCall
	}
	return kindOther
}

// ContentType returns the media type of server-sent events.
func (*streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch: its bytes if they are of this API and continue the response, otherwise an encoding of its
// events.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	if len(b.Events) > 0 {
		e.signs = 0
	}
	return e.Encoder.Encode(dst, b, own, e)
}

// Flush appends message_start, if it waits for the usage, and the buffered arguments of the open call.
func (e *streamEncoder) Flush(dst []byte) []byte {
	e.flows = e.flows && e.begin == nil
	return e.writeArguments(e.message(dst))
}

// writeArguments appends the buffered arguments of the open call as one delta.
func (e *streamEncoder) writeArguments(dst []byte) []byte {
	if len(e.arguments) == 0 {
		return dst
	}
	text := string(e.arguments)
	e.arguments = e.arguments[:0]
	return e.delta(dst, "input_json_delta", "partial_json", text)
}

// keepAlivesPerDelta is the interval of KeepAlive calls at which an empty delta is sent in place of a ping. Claude Code
// since 2.1.196 ends a stream and repeats the request if it receives nothing but pings for 5 minutes. A lower
// CLAUDE_STREAM_IDLE_TIMEOUT_MS has no effect.
const keepAlivesPerDelta = 12

// KeepAlive appends an SSE comment with the progress of the request and a ping, the first time after message_start.
// Each keepAlivesPerDelta-th call in a row appends an empty delta in place of the ping.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	dst = e.Flush(dst)
	if !e.started {
		e.early = true
		dst = e.ensure(dst)
	}
	if !now.IsZero() {
		dst = kit.AppendProgress(dst, now)
	}
	if e.signs++; e.signs%keepAlivesPerDelta == 0 {
		return e.emptyDelta(dst)
	}
	return append(dst, ping...)
}

const ping = "event: ping\ndata: {\"type\":\"ping\"}\n\n"

// emptyDelta appends an empty delta of the open block, or a message_delta without a stop reason if no block is open.
// The API allows several of these: https://docs.anthropic.com/en/api/messages-streaming.
func (e *streamEncoder) emptyDelta(dst []byte) []byte {
	switch {
	case e.openBlock < 0 || e.held != nil:
		return append(dst, "event: message_delta\n"+
			`data: {"type":"message_delta","delta":{"stop_reason":null,"stop_sequence":null},"usage":{"output_tokens":0}}`+"\n\n"...)
	case e.openKind == kindText:
		return e.delta(dst, "text_delta", "text", "")
	case e.openKind == kindThinking:
		return e.delta(dst, "thinking_delta", "thinking", "")
	case e.openKind == kindCall:
		return e.delta(dst, "input_json_delta", "partial_json", "")
	}
	return append(dst, ping...)
}

// Write appends the encoding of an event, zero or more events of this API.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	e.flows = false
	e.sources.Event(ev)
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin = &ev
	case callwright.UsageDelta:
		e.usage = e.usage.Merge(ev.Usage)
	case callwright.TextBegin:
		return e.textBegin(dst, ev)
	case callwright.TextDelta:
		return e.text(dst, ev.Text)
	case callwright.ReasoningDelta:
		return e.reasoning(dst, ev.Text)
	case callwright.ReasoningEnd:
		return e.reasoningEnd(dst, ev)
	case callwright.CallBegin:
		return e.callBegin(dst, ev)
	case callwright.CallDelta:
		e.callDelta(ev.Text)
	case callwright.CallEnd:
		return e.callEnd(dst, ev)
	case callwright.OpaquePart:
		if cited := own.Member(ev.Extra, citationsDelta); cited != nil {
			return e.cite(dst, cited, citation.IsEarlyCitation(ev.Extra))
		}
		return e.opaque(dst, own.JSON(ev.Extra))
	case callwright.End:
		return e.end(dst, ev)
	}
	return dst
}

// Fail appends an error event. Nothing may follow it.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	dst = e.writeArguments(dst)
	e.Ended = true
	return e.event(dst, "error", appendError(e.data[:0], err, err.HTTPStatus()))
}

func (e *streamEncoder) event(dst []byte, name string, data []byte) []byte {
	e.data = data
	return sse.Append(dst, name, kit.OneLine(data))
}

// message appends message_start if Begin was received and message_start was not written.
func (e *streamEncoder) message(dst []byte) []byte {
	if e.started || e.begin == nil {
		return dst
	}
	return e.ensure(dst)
}

func (e *streamEncoder) ensure(dst []byte) []byte {
	if e.started {
		return dst
	}
	e.started = true
	b := callwright.Begin{Model: e.model}
	if e.begin != nil {
		b = *e.begin
	}
	e.begin = nil
	o := open(e.data[:0])
	o.Text("type", "message_start")
	o.Open("message", '{')
	o.Text("id", messageID(b.ID))
	o.Text("type", "message")
	o.Text("role", "assistant")
	o.Text("model", b.Model)
	o.Raw("content", []byte("[]"))
	o.Raw("stop_reason", []byte("null"))
	o.Raw("stop_sequence", []byte("null"))
	o.Extra(b.Extra, "id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage")
	o.Key("usage")
	o.Buf = appendUsage(o.Buf, e.usage)
	o.Close('}')
	return e.event(dst, "message_start", o.close())
}

// start closes the open block, if any, and opens a block. block is the JSON of the empty block.
func (e *streamEncoder) start(dst []byte, k kind, block []byte) []byte {
	dst = e.close(e.ensure(dst))
	e.openBlock, e.openKind, e.argumentsWritten, e.openedByBatch, e.hasWords = e.next, k, false, false, false
	e.next++
	o := open(e.data[:0])
	o.Text("type", "content_block_start")
	o.Count("index", e.openBlock)
	o.Raw("content_block", block)
	return e.event(dst, "content_block_start", o.close())
}

// delta appends a delta of the open block: kind is its type, member the name of the member with the text.
func (e *streamEncoder) delta(dst []byte, kind, member, text string) []byte {
	o := open(e.data[:0])
	o.Text("type", "content_block_delta")
	o.Count("index", e.openBlock)
	o.Open("delta", '{')
	o.Text("type", kind)
	o.Text(member, text)
	o.Close('}')
	return e.event(dst, "content_block_delta", o.close())
}

// close ends the open block, if any. A thinking block without a signature gets one that packs an empty Reasoning.
func (e *streamEncoder) close(dst []byte) []byte {
	e.drop()
	if e.openBlock < 0 {
		return dst
	}
	dst = e.writeArguments(dst)
	if e.openKind == kindText && e.sources.HasPendingSources() {
		dst = e.citeOthers(dst)
	}
	if e.openKind == kindThinking {
		dst = e.delta(dst, "signature_delta", "signature", wire.Pack(callwright.Reasoning{}))
	}
	o := open(e.data[:0])
	o.Text("type", "content_block_stop")
	o.Count("index", e.openBlock)
	e.openBlock = -1
	return e.event(dst, "content_block_stop", o.close())
}

func (e *streamEncoder) text(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	if e.held != nil {
		dst = e.reopen(dst)
	}
	if e.openBlock < 0 || e.openKind != kindText {
		dst = e.start(dst, kindText, appendBlock(nil, callwright.Text{Extra: e.textExtra}))
		e.textExtra = callwright.Extra{}
	}
	e.hasWords = true
	return e.delta(dst, "text_delta", "text", text)
}

// textBegin ends the open text block, because the next text has its own Extra.
func (e *streamEncoder) textBegin(dst []byte, ev callwright.TextBegin) []byte {
	e.textExtra = ev.Extra
	if e.openBlock >= 0 && e.openKind == kindText && e.held == nil {
		return e.close(dst)
	}
	return dst
}

func (e *streamEncoder) reasoning(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	if e.openBlock < 0 || e.openKind != kindThinking {
		dst = e.start(dst, kindThinking, []byte(`{"type":"thinking","thinking":"","signature":""}`))
	}
	return e.delta(dst, "thinking_delta", "thinking", text)
}

func (e *streamEncoder) reasoningEnd(dst []byte, ev callwright.ReasoningEnd) []byte {
	if e.openBlock >= 0 && (e.openKind == kindSigned || e.openKind == kindOther && e.openedByBatch) {
		return e.close(dst) // the signature, or the redacted block, was forwarded
	}
	open := e.openBlock >= 0 && e.openKind == kindThinking
	r := callwright.Reasoning{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Origin: ev.Origin, Extra: ev.Extra}
	if !open && r.Signature+r.Redacted == "" {
		return dst
	}
	if open && foreign(r.Origin) {
		r = callwright.Reasoning{Signature: wire.Pack(r)}
	} else {
		r = packReasoning(r)
	}
	if !open && !e.thinks && foreign(ev.Origin) {
		e.NoteOmission(stateKept) // the signature store keeps it
		return dst
	}
	if !open {
		return e.close(e.openSignedThinking(dst, r))
	}
	if r.Signature != "" {
		dst = e.delta(dst, "signature_delta", "signature", r.Signature)
	}
	e.openKind = kindSigned
	return e.close(dst)
}

// openSignedThinking opens a block with reasoning that has no text. A signature follows as a delta.
func (e *streamEncoder) openSignedThinking(dst []byte, r callwright.Reasoning) []byte {
	if r.Redacted != "" {
		return e.start(dst, kindOther, appendBlock(nil, r))
	}
	dst = e.start(dst, kindSigned, []byte(`{"type":"thinking","thinking":"","signature":""}`))
	return e.delta(dst, "signature_delta", "signature", r.Signature)
}

// opaque appends a complete block of this API. If its start was forwarded, it appends only the end.
func (e *streamEncoder) opaque(dst, raw []byte) []byte {
	switch {
	case raw == nil:
		return dst
	case e.openBlock >= 0 && e.openKind == kindOther && e.openedByBatch:
		return e.close(dst)
	}
	begun, input := withoutInput(raw)
	dst = e.start(dst, kindOther, begun)
	if input != nil {
		dst = e.delta(dst, "input_json_delta", "partial_json", string(input))
	}
	return e.close(dst)
}

// withoutInput returns a server_tool_use block with an empty input and its input, which is streamed as a delta. For
// other blocks it returns raw and nil.
func withoutInput(raw []byte) (begun, input []byte) {
	if kit.TextAt(raw, "type") != "server_tool_use" {
		return raw, nil
	}
	list, _ := jsonx.ParseObject(raw)
	input, ok := list.Get("input")
	if !ok {
		return raw, nil
	}
	list.Set("input", []byte("{}"))
	return list.Append(nil), input
}

func (e *streamEncoder) callBegin(dst []byte, ev callwright.CallBegin) []byte {
	c := callwright.Call{ID: callID(ev.ID), Name: ev.Name, Signature: ev.Signature, Origin: ev.Origin, Extra: ev.Extra}
	switch r, ok := signature(c); {
	case ok && e.thinks:
		dst = e.close(e.openSignedThinking(dst, r))
	case ok:
		e.NoteOmission(stateKept)
	}
	return e.start(dst, kindCall, appendCall(nil, c))
}

// callDelta buffers a delta of the open call. Flush writes the buffered deltas together.
func (e *streamEncoder) callDelta(text string) {
	if text != "" && e.openKind == kindCall && e.openBlock >= 0 {
		e.argumentsWritten = true
		e.arguments = append(e.arguments, text...)
	}
}

func (e *streamEncoder) callEnd(dst []byte, ev callwright.CallEnd) []byte {
	if e.openKind != kindCall || e.openBlock < 0 {
		return dst
	}
	if ev.Call != nil && !e.argumentsWritten {
		e.callDelta(string(input(*ev.Call)))
	}
	return e.close(dst)
}

func (e *streamEncoder) end(dst []byte, ev callwright.End) []byte {
	e.totals = nil
	dst = e.close(e.lateSources(e.ensure(dst)))
	e.sources.Release()
	extra := own.JSON(ev.Extra)
	o := open(e.data[:0])
	o.Text("type", "message_delta")
	o.Open("delta", '{')
	o.Text("stop_reason", stopReason(ev.Finish, extra))
	if _, ok := jsonx.Find(extra, "stop_sequence"); !ok {
		o.Raw("stop_sequence", []byte("null"))
	}
	o.Extra(ev.Extra, "stop_reason")
	o.Close('}')
	o.Key("usage")
	o.Buf = appendUsage(o.Buf, e.usage)
	dst = e.event(dst, "message_delta", o.close())
	return append(dst, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"...)
}
