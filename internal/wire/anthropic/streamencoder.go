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

// NewStreamEncoder makes an encoder for one stream.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	name := ""
	if req != nil {
		_, name = req.Model.Split()
	}
	return &streamEncoder{model: name, openBlock: -1, thinks: asksThinking(req), sources: citation.Gatherer{Own: callwright.WireAnthropic}}
}

// streamEncoder writes one answer: message_start, blocks one after another under a running index, message_delta with
// the totals, message_stop.
//
// Batches of this API go out as they came while their block numbers are those this encoder would give. It keeps track
// of the blocks that they open and close, so that encoded and passed events can follow one another: text that a stage
// held back is written into the block whose start was passed.
type streamEncoder struct {
	kit.Encoder
	model            string            // asked for
	early            bool              // a sign of life began the message: its usage comes at the end
	signs            int               // of life since the last event of the answer
	begin            *callwright.Begin // kept until the usage after it is known
	usage            callwright.Usage
	thinks           bool // the client asked for thinking
	started          bool
	openBlock        int              // index of the open block, -1 without
	openKind         kind             // its type
	hasWords         bool             // it has words
	next             int              // index of the next block
	textExtra        callwright.Extra // of the text that comes next
	argumentsWritten bool             // the open call has arguments
	arguments        []byte           // of it that were not written yet
	openedByBatch    bool             // the start of the open block was passed
	renumbered       bool             // a block of another number was written: batches no longer fit
	flows            bool             // the last batch was passed, and was of the open block
	data             []byte           // of the event being written
	sources          citation.Gatherer

	// held is the start of a text block that was passed, while nothing of its text has come; heldStop is its end, where
	// that has come too.
	held, heldStop []byte
	// totals is message_delta as it came. It waits for the end, since a stage may yet change the finish.
	totals []byte
}

// kind is the type of the open block.
type kind uint8

const (
	kindOther kind = iota
	kindText
	kindThinking
	kindSigned // thinking that has its signature
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

// ContentType is that of server-sent events.
func (*streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	if len(b.Events) > 0 {
		e.signs = 0
	}
	return e.Encoder.Encode(dst, b, own, e)
}

// Flush writes message_start, which waits for the usage, and the arguments that wait for more of them.
func (e *streamEncoder) Flush(dst []byte) []byte {
	e.flows = e.flows && e.begin == nil
	return e.writeArguments(e.message(dst))
}

// writeArguments writes the arguments of the open call that were not written yet.
func (e *streamEncoder) writeArguments(dst []byte) []byte {
	if len(e.arguments) == 0 {
		return dst
	}
	text := string(e.arguments)
	e.arguments = e.arguments[:0]
	return e.delta(dst, "input_json_delta", "partial_json", text)
}

// signsToDelta is how many signs of life in a row have a message_delta among them. Versions of Claude Code since
// 2.1.196 end a stream of which the last event but pings is 5 minutes old, whatever CLAUDE_STREAM_IDLE_TIMEOUT_MS says
// below that, and ask for the whole answer again.
const signsToDelta = 12

// KeepAlive appends a comment and a ping, after the beginning of the message. Each signsToDelta-th time in a row it
// appends an event that says nothing in place of the ping.
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
	if e.signs++; e.signs%signsToDelta == 0 {
		return e.emptyDelta(dst)
	}
	return append(dst, ping...)
}

const ping = "event: ping\ndata: {\"type\":\"ping\"}\n\n"

// emptyDelta appends a delta that says nothing: of the open block, or of the message, of which the API has "one or
// more", see https://docs.anthropic.com/en/api/messages-streaming.
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

// Write appends the events of the API that an event comes to.
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
			return e.cite(dst, cited, citation.IsAhead(ev.Extra))
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

// message writes message_start, once. Clients insist on its usage.
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

// start opens a block with its skeleton, after closing the one before.
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

// delta writes a piece of the open block.
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

// close closes the open block. Reasoning that nobody signed gets the carrier of unknown reasoning.
func (e *streamEncoder) close(dst []byte) []byte {
	e.drop()
	if e.openBlock < 0 {
		return dst
	}
	dst = e.writeArguments(dst)
	if e.openKind == kindText && e.sources.Waits() {
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

// textBegin ends the text so far: the next is a block of its own, which has its sources from the start.
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
		return e.close(dst) // the signature, or the redacted block, was passed
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
		e.NoteOmission(stateKept) // in the signature store
		return dst
	}
	if !open {
		return e.close(e.whole(dst, r))
	}
	if r.Signature != "" {
		dst = e.delta(dst, "signature_delta", "signature", r.Signature)
	}
	e.openKind = kindSigned
	return e.close(dst)
}

// whole writes reasoning without text: redacted in one, signed as a delta like the API itself.
func (e *streamEncoder) whole(dst []byte, r callwright.Reasoning) []byte {
	if r.Redacted != "" {
		return e.start(dst, kindOther, appendBlock(nil, r))
	}
	dst = e.start(dst, kindSigned, []byte(`{"type":"thinking","thinking":"","signature":""}`))
	return e.delta(dst, "signature_delta", "signature", r.Signature)
}

// opaque writes a block of this wire, or only its end where the block was passed.
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

// withoutInput returns a block as it begins in a stream. The input of a call follows in pieces; input is nil for other
// blocks.
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
		dst = e.close(e.whole(dst, r))
	case ok:
		e.NoteOmission(stateKept)
	}
	return e.start(dst, kindCall, appendCall(nil, c))
}

// callDelta takes a piece of the open call. It is written with those that come with it.
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
