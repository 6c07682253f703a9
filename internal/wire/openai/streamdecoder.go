package openai

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamDecoder decodes one streamed response. Batches include the provider's bytes as long as the bytes mean exactly
// the events. From the first deviation on, batches have events only, and the gateway encodes these for clients.
type streamDecoder struct {
	out          []callwright.Event // the events of the current Feed
	begun        bool               // Begin was emitted
	endGiven     bool               // End or an error was emitted
	rewritten    bool               // events differ from the bytes: further batches have no bytes
	finishCame   bool               // a finish reason was received
	finishIsLast bool               // neither text nor calls followed the finish reason
	said         bool               // the current chunk has text, reasoning or a fragment of a call
	refuses      bool               // the current text is a refusal
	logprobs     bool               // token log probabilities were received
	end          outcome            // facts that determine the Finish
	usage        callwright.Usage   // the last usage received
	thoughts     thoughts           // the open reasoning
	calls        assembly           // assembles the calls
	heldEvents   []callwright.Event // events received inside an open call, to be emitted after it
	tail         kit.DelayedBatches // the chunks from the finish reason on, which make one batch with the End
	idle         int                // number of bytes received after the finish reason
	texts        jsonx.StringArena
	hint         kit.Hint[chunkHint] // of the current chunk
	found        kit.Findings        // deviations from the API
	heldBytes    int                 // number of bytes received while a call was open
	lists        citation.Lists      // citations outside the choices
	repeat       kit.Repeat          // the shape of the last delta, see rememberShape
	piece        piece               // the text of the last chunk
}

// piece is the text or argument delta of the last chunk.
type piece struct {
	text     []byte   // its JSON string in the chunk, nil if there is none
	inCall   bool     // it is a delta of a call's arguments
	fragment fragment // the fragment with these arguments
	repeats  bool     // the chunk differs from the previous one only in this text
}

// Limits of the memory of a streamDecoder.
const (
	maxTail  = 1 << 20   // bytes without content after the finish reason
	maxHeld  = 256 << 20 // bytes of chunks received while a call was open
	maxCalls = 4096      // calls of a response
)

// Feed decodes one server-sent event. After the end of the response it returns the bytes of the event and no events.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	d.out, d.hint.Value = d.out[:0], chunkHint{}
	d.piece.repeats = false
	var err error
	switch {
	case d.endGiven:
	case d.idle > maxTail: // a finish reason is an end mark too
		err = d.finish()
	case ev.Data != nil:
		err = d.event(ev)
	}
	if d.finishIsLast {
		d.idle += len(ev.Raw)
	}
	return d.batch(ev.Raw), err
}

// batch returns the events of a Feed with their bytes and notes. The chunk with the finish reason and all later chunks
// are held back and returned as one batch together with the End, because a stage that changes the End has to replace
// all of these bytes. If content follows the finish reason, that batch has events only.
func (d *streamDecoder) batch(raw []byte) callwright.Batch {
	if d.found.HasUnreported() || d.tail.Len() > 2*maxTail {
		d.rewritten = true
	}
	b := callwright.Batch{Events: d.out, Notes: d.found.TakeNotes()}
	if !d.rewritten && len(raw) > 0 {
		d.hint.Value.repeats = d.piece.repeats
		b.Wire, b.Raw, b.Hint = callwright.WireOpenAI, raw, &d.hint
	}
	return d.tail.Filter(b, d.rewritten || d.endGiven, d.rewritten, callwright.WireOpenAI)
}

func (d *streamDecoder) event(ev sse.Event) error {
	data := jsonx.Trim(ev.Data)
	if string(data) == "[DONE]" {
		return d.finish()
	}
	if text := d.repeat.Text(ev.Name, data); text != nil && d.heldBytes+len(data) <= maxHeld {
		d.repeatedDelta(text, len(data))
		return nil
	}
	d.repeat.Forget()
	if jsonx.Valid(data) != nil || !jsonx.IsObject(data) {
		return d.badLine(ev, data)
	}
	d.piece = piece{}
	from := len(d.out)
	if err := d.chunk(data, ev.Name == "error"); err != nil {
		d.endGiven, d.rewritten = true, true
		return err
	}
	d.rememberShape(ev.Name, data, from)
	return nil
}

// rememberShape stores a chunk that yielded exactly one event, a text or argument delta, so that repeatedDelta can
// decode chunks that differ from it only in this text. from is the length of d.out before the chunk.
func (d *streamDecoder) rememberShape(name string, data []byte, from int) {
	p := &d.piece
	if p.text == nil || len(d.out) != from+1 || len(d.heldEvents) > 0 || d.rewritten || d.finishCame {
		return
	}
	_, text := d.out[from].(callwright.TextDelta)
	if _, call := d.out[from].(callwright.CallDelta); call != p.inCall || text == p.inCall {
		return
	}
	d.repeat.Learn(name, data, p.text)
	p.text, p.fragment.written = nil, nil
}

// repeatedDelta decodes a chunk that differs from the previous one only in its text. text is the JSON string, size the
// length of the chunk in bytes.
func (d *streamDecoder) repeatedDelta(text []byte, size int) {
	d.piece.repeats = true
	if d.piece.inCall {
		f := d.piece.fragment
		f.args = d.texts.Of(text)
		d.fragment(f)
	} else {
		d.emitText(d.texts.Of(text))
	}
	if d.calls.busy() {
		d.heldBytes += size
	}
}

// badLine handles an event whose data is not a JSON object: it skips the event or returns an error. It skips data
// without quotes and braces while no call is open, and after the finish reason. It skips other data only after the
// finish reason, if the arguments of all open calls are complete. It never skips an event named error.
func (d *streamDecoder) badLine(ev sse.Event, data []byte) error {
	remark := !bytes.ContainsAny(data, `"{}`)
	if ev.Name == "error" || d.calls.busy() && !(d.finishIsLast && (remark || d.calls.whole())) || !remark && !d.finishIsLast {
		d.endGiven, d.rewritten = true, true
		return badAnswer("expected a JSON object in the stream", data, jsonx.Valid(data))
	}
	if len(data) > 0 {
		d.found.Add(foundBadLine)
	}
	return nil
}

// chunk decodes a chunk. If failed is true or the chunk has a member error, it returns the provider's error.
func (d *streamDecoder) chunk(v []byte, failed bool) error {
	var id, model, choices, usage, groq []byte
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("choices"):
			choices = m
		case k.Is("id"):
			id = m
		case k.Is("model"):
			model = m
		case k.Is("usage"):
			usage = m
		case k.Is("x_groq"):
			groq, _ = jsonx.Find(m, "usage")
		case k.Is("error"):
			failed = failed || !jsonx.IsNull(m)
		default:
			d.lists.Take(k, m, d.begun)
		}
	}
	if failed {
		var r report
		r.read(slices.Clone(v))
		return r.err(v)
	}
	c, chosen := firstChoice(choices)
	if !d.begun && (len(jsonx.TextBytes(id)) > 0 || chosen || jsonx.IsObject(usage)) {
		d.begin(jsonx.TextOf(id), jsonx.TextOf(model), own.ExtraOf(v, chunkKeys))
	}
	if chosen {
		d.choice(c)
	}
	if d.calls.busy() {
		d.heldBytes += len(v)
	}
	if d.heldBytes > maxHeld || len(d.calls.calls) > maxCalls {
		return badAnswer("expected at most "+strconv.Itoa(maxCalls)+" calls of a bounded size, got more", nil, nil)
	}
	d.hint.Value.usageOnly = jsonx.IsObject(usage) && jsonx.First(choices) == nil
	for _, u := range [...][]byte{groq, c.usage, usage} {
		if jsonx.IsObject(u) {
			d.count(u)
		}
	}
	return nil
}

// chunkKeys are the members of a chunk that are decoded or ignored. Others are kept as the Extra of Begin.
var chunkKeys = []string{"id", "model", "choices", "usage", "object", "x_groq", "obfuscation"}

// choice holds the JSON values of the members of a choice, nil for a missing one.
type choice struct{ index, delta, reason, usage, logprobs []byte }

// firstChoice returns the first choice whose index is 0 or is not a number. ok is false if there is none.
func firstChoice(choices []byte) (c choice, ok bool) {
	for v := range jsonx.Elements(choices) {
		c = choice{}
		for k, m := range jsonx.Members(v) {
			switch {
			case k.Is("index"):
				c.index = m
			case k.Is("delta"), k.Is("message") && c.delta == nil:
				c.delta = m
			case k.Is("finish_reason"):
				c.reason = m
			case k.Is("usage"):
				c.usage = m
			case k.Is("logprobs"):
				c.logprobs = m
			}
		}
		if jsonx.IsObject(v) && (jsonx.KindOf(c.index) != jsonx.Number || string(c.index) == "0") {
			return c, true
		}
	}
	return choice{}, false
}

func (d *streamDecoder) begin(id, model string, extra callwright.Extra) {
	d.begun = true
	d.out = append(d.out, callwright.Begin{ID: id, Model: model, Extra: extra})
}

// count decodes a usage object and emits a UsageDelta if a count changed. Usage objects hold totals, and servers may
// send the same one twice.
func (d *streamDecoder) count(v []byte) {
	u := decodeUsage(v)
	if !u.Known || string(u.Extra.JSON) == string(d.usage.Extra.JSON) {
		return
	}
	was := d.usage
	d.usage = u
	if u.Input != was.Input || u.Output != was.Output || u.CacheRead != was.CacheRead || u.CacheWrite != was.CacheWrite ||
		u.Reasoning != was.Reasoning || !was.Known {
		d.out = append(d.out, callwright.UsageDelta{Usage: u})
	}
}

// choice decodes the choice with the index 0.
func (d *streamDecoder) choice(c choice) {
	if jsonx.KindOf(c.index) != jsonx.Number {
		d.found.Add(foundIndex)
	}
	if d.said = false; jsonx.IsObject(c.delta) {
		d.delta(c.delta)
	}
	d.logprobs = d.logprobs || !kit.IsEmptyValue(c.logprobs)
	reason := jsonx.TextBytes(c.reason)
	if d.finishIsLast && (d.said || len(reason) > 0) {
		d.found.Add(foundEarlyFinish)
	}
	d.finishIsLast = d.finishIsLast && !d.said
	switch {
	case len(reason) > 0:
		d.finishCame, d.finishIsLast, d.hint.Value.finish = true, true, true
		d.end.reason = string(reason)
		d.tail.Begin()
	case jsonx.IsText(c.reason):
		d.found.Add(foundEmptyFinish)
	}
	if d.said {
		d.idle = 0
	}
}

// delta decodes a delta: reasoning first, then text, then calls, regardless of their order in the JSON.
func (d *streamDecoder) delta(v []byte) {
	var content, refusal, calls, legacy, details []byte
	var thoughts [2][]byte // in the order of reasoningKeys
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("content"):
			content = m
		case k.Is("tool_calls"):
			calls = m
		case jsonx.IsNull(m), k.Is("role"), k.Is("channel"):
		case k.Is(reasoningKeys[0]):
			thoughts[0] = m
		case k.Is(reasoningKeys[1]):
			thoughts[1] = m
		case k.Is("reasoning_details"):
			details, d.hint.Value.details = m, true
		case k.Is("refusal"):
			refusal = m
		case k.Is("function_call"):
			legacy = m
		default:
			w := newWriter(nil)
			w.Add(k, m)
			d.emit(callwright.OpaquePart{Extra: w.CloseExtra()})
		}
	}
	d.thoughts.read(d, thoughts[:], details)
	d.content(content)
	if jsonx.IsText(refusal) && len(refusal) > 2 {
		if !d.refuses {
			d.emit(callwright.TextBegin{Extra: own.Extra([]byte(refusalPart))})
		}
		d.refuses, d.end.modelRefused, d.said = true, true, true
		d.emit(callwright.TextDelta{Text: jsonx.TextOf(refusal)})
	}
	d.fragments(calls)
	if jsonx.IsObject(legacy) && (namesFunction(legacy) || d.calls.busy()) {
		f := fragmentOf(nil, legacy)
		if f.index, f.typed = 0, true; f.name+f.args != "" { // some servers send an empty one
			d.found.Add(foundLegacy)
			d.fragment(f)
		}
	}
}

// content decodes the member content of a delta: a string, or a list of parts as in Mistral's API.
func (d *streamDecoder) content(v []byte) {
	if jsonx.IsText(v) {
		if len(v) > 2 {
			d.piece = piece{text: v}
			d.emitText(d.texts.Of(v))
		}
		return
	}
	for v := range jsonx.Elements(v) {
		switch p := decodePart(v).(type) {
		case callwright.Text:
			if p.Text != "" {
				d.emitText(p.Text)
			}
		case callwright.Reasoning:
			d.thoughts.think(d, p.Text)
			d.thoughts.signature += p.Signature
		default:
			d.emit(callwright.OpaquePart{Extra: own.Extra(slices.Clone(v))})
		}
	}
}

func (d *streamDecoder) emitText(s string) {
	d.end.hasText, d.said = true, true
	if d.refuses {
		d.refuses = false
		d.emit(callwright.TextBegin{})
	}
	d.emit(callwright.TextDelta{Text: s})
}

// emit emits an event that does not belong to a call. Unless it is a ReasoningDelta, it ends the open reasoning first.
func (d *streamDecoder) emit(ev callwright.Event) {
	if _, is := ev.(callwright.ReasoningDelta); !is {
		d.thoughts.close(d)
	}
	d.pass(ev)
}

// pass emits an event that does not belong to a call. If a call is open and complete, pass ends the call first. If the
// call is incomplete, the event is held back until the call ends.
func (d *streamDecoder) pass(ev callwright.Event) {
	if d.calls.open() && !d.calls.endHead(d) {
		if d.heldEvents = append(d.heldEvents, ev); d.calls.lastCanBeComplete() {
			d.tail.Begin()
		} else {
			d.found.Add(foundMixed)
		}
		return
	}
	d.out = append(d.out, ev)
}

// finalize ends the open reasoning and all open calls, and emits the events that were held back.
func (d *streamDecoder) finalize() {
	d.thoughts.close(d)
	d.calls.flush(d)
	d.out = append(d.out, d.heldEvents...)
	d.heldEvents = nil
	d.thoughts.close(d)
}

// finish emits the End. It returns an error if calls were emitted and the finish reason reports that the provider could
// not parse them, and if the stream stops right after the name of a call.
func (d *streamDecoder) finish() error {
	if d.endGiven {
		return nil
	}
	if !d.begun {
		d.begin("", "", callwright.Extra{})
	}
	if d.endGiven = true; !d.finishCame && d.calls.endsInName() {
		d.rewritten = true
		return kit.CutCall(opDecode)
	}
	d.finalize()
	if d.end.hasCalls && d.end.isParseFailure() {
		d.rewritten = true
		return badAnswer("the model's call could not be parsed, and calls were handed on before that was said", nil, nil)
	}
	if !d.finishCame || !d.end.isReliable() {
		d.found.Add(d.end.reasonFinding())
	}
	end := callwright.End{Finish: d.end.finish()}
	if d.end.reason != "" && !d.end.isReliable() {
		w := newWriter(nil)
		w.Buf = append(w.Buf, `{"choices":[{`...)
		w.Text("finish_reason", d.end.reason)
		end.Extra = own.Extra(append(w.Buf, "}]}"...))
	}
	end.Extra = own.NotKept(end.Extra, d.logprobs)
	for key, list := range d.lists.Late() {
		end.Extra = own.Keep(end.Extra, key, list)
	}
	d.out = append(d.out, end)
	return nil
}

// Close ends the response. It succeeds after a finish reason, because not every server sends [DONE]. Without a finish
// reason it returns an error of KindTruncated.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.endGiven {
		return callwright.Batch{}, nil
	}
	if !d.finishCame {
		d.endGiven = true
		return callwright.Batch{}, &callwright.Error{Op: opDecode, Kind: callwright.KindTruncated,
			Message: "expected a finish reason or [DONE], got the end of the stream"}
	}
	d.out, d.hint.Value = d.out[:0], chunkHint{}
	err := d.finish()
	return d.batch(nil), err
}
