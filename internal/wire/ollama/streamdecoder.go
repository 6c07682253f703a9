package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamDecoder decodes one streamed response: lines with deltas of text and reasoning, complete calls, and a last line
// with "done":true and the usage. Each line is a batch with its bytes. From the first line whose bytes and events
// disagree on, batches have events only, and the gateway encodes these for clients. The line with "done":true is held
// back until the end of the stream, because some servers send calls after it.
type streamDecoder struct {
	out       []callwright.Event // the events of the current Feed
	texts     jsonx.StringArena
	begun     bool               // Begin was emitted
	endGiven  bool               // End or an error was emitted
	done      bool               // nothing followed the last line with "done":true
	doneCame  bool               // a line with "done":true was received
	end       callwright.Extra   // members of the last line with "done":true
	reason    string             // done_reason of that line
	tail      kit.DelayedBatches // batches from that line on
	rewritten bool               // batches have no bytes
	broken    bool               // the previous line was invalid JSON that begins like an object
	thinking  bool               // reasoning is open
	calls     int                // number of calls so far
	found     kit.Findings       // deviations from the API
}

// lineKeys are the members of a line that are decoded or ignored, pieceKeys those of its message, and lastLineOut those
// of the last line.
var (
	lineKeys    = []string{"model", "created_at", "done", "message"}
	pieceKeys   = []string{"role", "content", "images", "thinking", "tool_calls"}
	lastLineOut = append([]string{"prompt_eval_count", "eval_count"}, lineKeys...)
)

// maxTail is the maximum number of bytes after a line with "done":true for which the decoder waits.
const maxTail = 1 << 20

// Feed decodes one line.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	d.out = d.out[:0]
	var err error
	switch v := jsonx.Trim(ev.Data); {
	case d.endGiven:
	case d.done && d.tail.Len() > maxTail:
		d.finish()
	case len(v) > 0:
		if err = d.read(v); err != nil {
			d.endGiven, d.rewritten = true, true
		}
	}
	return d.batch(ev.Raw), err
}

// batch returns the events of a line, with its bytes unless rewritten is set. From a line with "done":true on, batches
// are held back and returned together when the End is emitted or rewritten is set.
func (d *streamDecoder) batch(raw []byte) callwright.Batch {
	d.rewritten = d.rewritten || d.found.HasUnreported()
	b := callwright.Batch{Events: d.out, Notes: d.found.TakeNotes()}
	if !d.rewritten && len(raw) > 0 {
		b.Wire, b.Raw = callwright.WireOllama, raw
	}
	return d.tail.Filter(b, d.rewritten || d.endGiven, d.rewritten, callwright.WireOllama)
}

// Ending reports whether the last line had "done":true and the End is not emitted yet.
func (d *streamDecoder) Ending() bool { return d.done && !d.endGiven }

// read decodes a line. It skips a line that is not an object. An invalid object as the last line means that the stream
// was cut. If a line follows it, read returns an error.
func (d *streamDecoder) read(v []byte) error {
	switch {
	case d.done && (!jsonx.IsObject(v) || jsonx.Valid(v) != nil):
		d.found.Add(foundBadLine)
	case d.broken:
		return badAnswer("expected lines of JSON, got a broken one", v, nil)
	case !jsonx.IsObject(v):
		d.found.Add(foundBadLine)
	case jsonx.Valid(v) != nil:
		d.broken, d.rewritten = true, true
	default:
		return d.line(v)
	}
	return nil
}

// piece holds the JSON values of the members of a line, nil for a missing one.
type piece struct{ model, message, done, reason, failure []byte }

func (d *streamDecoder) line(v []byte) error {
	var p piece
	other := false
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("message"):
			p.message = m
		case k.Is("model"):
			p.model = m
		case k.Is("done"):
			p.done = m
		case k.Is("done_reason"):
			p.reason = m
		case k.Is("error"):
			p.failure = m
		default:
			other = other || !k.Is("created_at")
		}
	}
	if p.failure != nil && !jsonx.IsNull(p.failure) {
		return decodeError(0, v)
	}
	if !d.begun {
		d.begun = true
		d.out = append(d.out, callwright.Begin{Model: jsonx.TextOf(p.model)})
	}
	before, done := len(d.out), jsonx.IsTrue(p.done)
	d.message(p.message)
	if d.done && (done || len(d.out) > before) || !done && jsonx.IsText(p.reason) {
		d.found.Add(foundEarlyFinish)
	}
	if done && string(p.reason) == `""` {
		d.found.Add(foundEmptyFinish)
	}
	if !done {
		d.done = d.done && len(d.out) == before
		if other {
			d.opaque(own.ExtraOf(v, lineKeys))
		}
		return nil
	}
	d.closeThinking()
	if u := decodeUsage(v); u.Known {
		d.out = append(d.out, callwright.UsageDelta{Usage: u})
	}
	d.done, d.doneCame, d.reason, d.end = true, true, jsonx.TextOf(p.reason), own.ExtraOf(v, lastLineOut)
	d.tail.Begin()
	return nil
}

// finish emits the End.
func (d *streamDecoder) finish() {
	d.closeThinking()
	d.endGiven = true
	d.out = append(d.out, callwright.End{Finish: finishOf(d.reason, d.calls > 0), Extra: d.end})
}

// message decodes the message of a line: reasoning, text, images, unknown members and calls, in this order.
func (d *streamDecoder) message(v []byte) {
	var thinking, content, calls, images []byte
	other := false
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("thinking"):
			thinking = m
		case k.Is("content"):
			content = m
		case k.Is("tool_calls"):
			calls = m
		case k.Is("images"):
			images = m
		default:
			other = other || !k.Is("role")
		}
	}
	if jsonx.IsText(thinking) && len(thinking) > 2 {
		d.thinking = true
		d.out = append(d.out, callwright.ReasoningDelta{Text: d.texts.Of(thinking)})
	}
	if jsonx.IsText(content) && len(content) > 2 {
		d.closeThinking()
		d.out = append(d.out, callwright.TextDelta{Text: d.texts.Of(content)})
	}
	for i := range jsonx.Elements(images) {
		d.closeThinking()
		d.out = append(d.out, callwright.MediaPart{Part: decodeImage(jsonx.TextOf(i))})
	}
	if other {
		d.emitMessageExtra(own.ExtraOf(v, pieceKeys))
	}
	if jsonx.IsObject(calls) {
		d.found.Add(foundSingle)
		d.call(calls)
	}
	for c := range jsonx.Elements(calls) {
		d.call(c)
	}
}

// emitMessageExtra emits unknown members of a message.
func (d *streamDecoder) emitMessageExtra(x callwright.Extra) {
	d.opaque(own.Keep(callwright.Extra{}, "message", x.JSON))
}

func (d *streamDecoder) opaque(x callwright.Extra) {
	d.closeThinking()
	d.out = append(d.out, callwright.OpaquePart{Extra: x})
}

// call decodes a call and emits its events. Calls are never split over several lines.
func (d *streamDecoder) call(v []byte) {
	if !jsonx.IsObject(v) {
		return
	}
	d.closeThinking()
	checkCall(v, &d.found)
	c := decodeCall(v, d.calls)
	d.out = append(d.out, callwright.CallBegin{Index: d.calls, ID: c.ID, Name: c.Name,
		Signature: c.Signature, Origin: c.Origin, Extra: c.Extra})
	if len(c.Arguments) > 0 {
		d.out = append(d.out, callwright.CallDelta{Index: d.calls, Text: string(c.Arguments)})
	}
	d.out = append(d.out, callwright.CallEnd{Index: d.calls})
	d.calls++
}

func (d *streamDecoder) closeThinking() {
	if d.thinking {
		d.thinking = false
		d.out = append(d.out, callwright.ReasoningEnd{Origin: origin})
	}
}

// Close emits the End. The error is of KindTruncated if no line had "done":true.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.endGiven {
		return callwright.Batch{}, nil
	}
	d.out = d.out[:0]
	if d.doneCame {
		d.finish()
		return d.batch(nil), nil
	}
	d.endGiven = true
	return callwright.Batch{}, &callwright.Error{Op: opDecode, Kind: callwright.KindTruncated,
		Message: "expected a line that says done, got the end of the stream"}
}

var (
	_ wire.StreamDecoder = (*streamDecoder)(nil)
	_ wire.Ender         = (*streamDecoder)(nil)
)
