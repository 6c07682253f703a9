package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamDecoder decodes one streamed response. Each chunk of the stream is a response object and becomes a batch with
// its bytes. From the first chunk whose bytes and events disagree on, batches have events only, and the gateway encodes
// these for clients.
//
// There is no end mark. A chunk with a finish reason, and each later one, is therefore held back until the next chunk
// or the end of the stream. A chunk in which a call ends is held back too, because the next one may report that the
// call could not be parsed. All chunks of one call are one batch.
type streamDecoder struct {
	out        []callwright.Event // the events of the current chunk
	texts      jsonx.StringArena
	held       callwright.Batch   // the chunk that is held back
	holds      bool               // a chunk is held back
	begun      bool               // Begin was emitted
	endGiven   bool               // an error was returned, or Close was called
	rewritten  bool               // batches have no bytes
	finishCame bool               // a finish reason was received
	behind     bool               // a finish reason was received, and neither text nor calls after it
	said       bool               // the current chunk has text or a call
	thinking   bool               // reasoning is open
	broken     bool               // the finish reason is malformedCall
	calls      int                // number of complete calls so far
	ended      int                // number of calls that end in the current chunk
	waiting    int                // number of calls that end in the held chunk
	passed     int                // number of calls that were returned, at least in part
	id         string             // of the response
	partial    *partialCall       // the open call whose arguments are streamed, nil if there is none
	late       []callwright.Event // events received inside a partial call, to be emitted after it
	end        ending             // facts that determine the Finish
	endExtra   callwright.Extra   // the Extra of the End
	usage      tokenCounts        // token counts so far
	jsonBody   []byte             // the body, if it is not a stream of events
	found      kit.Findings       // deviations from the API
	in         piece              // the current chunk
}

// tokenCounts holds the usage of a response.
type tokenCounts struct {
	lastReported callwright.Usage // in the last UsageDelta
	last         []byte           // the last usageMetadata
}

// maxBare is the maximum size in bytes of a stored body that is not a stream of events, and of data that is added to
// the held chunk.
const maxBare = 32 << 20

// Feed decodes one server-sent event. It may return the batch of an earlier chunk that was held back.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	switch {
	case d.endGiven:
		return callwright.Batch{}, nil
	case ev.Data == nil && d.isBare(ev.Raw):
		d.jsonBody, d.rewritten = append(d.jsonBody, ev.Raw...), true
		return callwright.Batch{}, nil
	case ev.Data == nil && d.holds && !d.rewritten:
		if len(d.held.Raw)+len(ev.Raw) <= maxBare {
			d.held.Raw = append(d.held.Raw, ev.Raw...)
		}
		return callwright.Batch{}, nil
	}
	d.out, d.ended = d.out[:0], 0
	inside := d.partial != nil
	var err error
	if v := jsonx.Trim(ev.Data); len(v) > 0 {
		err = d.read(v)
	}
	if d.broken && (d.waiting > 0 || d.partial != nil) {
		d.withdraw()
	}
	d.endGiven = err != nil
	d.rewritten = d.rewritten || d.endGiven || d.found.HasUnreported()
	now := callwright.Batch{Events: d.out, Notes: d.found.TakeNotes()}
	if !d.rewritten && len(ev.Raw) > 0 {
		now.Wire, now.Raw = callwright.WireGemini, ev.Raw
	}
	if inside && err == nil {
		d.extend(now)
		return callwright.Batch{Notes: now.Notes}, nil
	}
	held := d.release()
	if d.rewritten {
		held.Wire, held.Raw = "", nil
	}
	if d.waits() && err == nil {
		d.hold(now)
		return held, nil
	}
	d.passed = d.begunCalls()
	return join(held, now), err
}

// isBare reports whether raw, which has no event data, belongs to a JSON document that the provider sent in place of a
// stream of events.
func (d *streamDecoder) isBare(raw []byte) bool {
	if len(d.jsonBody) > 0 {
		return len(d.jsonBody)+len(raw) <= maxBare
	}
	first := bytes.TrimSpace(raw)
	return !d.begun && len(first) > 0 && (first[0] == '{' || first[0] == '[')
}

// piece holds the JSON values of the members of a chunk, and its candidate with the index 0.
type piece struct {
	candidate
	feedback, usage, model, id, failure []byte
}

func (p *piece) read(v []byte) {
	*p = piece{candidate: candidate{parts: p.parts[:0]}}
	jsonx.WalkMembers(v, 0, func(k jsonx.Key, at int) int {
		if k.Is("candidates") {
			return p.readCandidates(v, at)
		}
		end := jsonx.SkipValue(v, at)
		m := v[at:end:end]
		switch {
		case usageMetadata.is(k):
			p.usage = m
		case modelVersion.is(k):
			p.model = m
		case responseID.is(k):
			p.id = m
		case promptFeedback.is(k):
			p.feedback = m
		case k.Is("error"):
			p.failure = m
		}
		return end
	})
}

func (p *piece) readCandidates(v []byte, at int) int {
	p.candidate = candidate{parts: p.parts[:0]}
	if v[at] != '[' {
		return jsonx.SkipValue(v, at)
	}
	return jsonx.WalkElements(v, at, func(_, at int) int {
		if p.raw != nil {
			return jsonx.SkipValue(v, at)
		}
		c := candidate{parts: p.parts[:0]}
		end := c.read(v, at)
		if c.index == nil || string(c.index) == "0" {
			c.raw = v[at:end:end]
			p.candidate = c
		}
		return end
	})
}

// candidate holds the JSON values of the members of a candidate. other reports that it has members that are not
// decoded.
type candidate struct {
	raw, index, reason, message []byte
	parts                       [][]byte
	other                       bool
}

// read reads the candidate that begins at v[at] and returns the offset of its end.
func (c *candidate) read(v []byte, at int) int {
	if v[at] != '{' {
		return jsonx.SkipValue(v, at)
	}
	return jsonx.WalkMembers(v, at, func(k jsonx.Key, at int) int {
		if k.Is("content") {
			return c.readContent(v, at)
		}
		end := jsonx.SkipValue(v, at)
		in := v[at:end:end]
		switch {
		case k.Is("index") && c.index == nil:
			c.index = in
		case finishReason.is(k):
			c.reason = in
		case finishMessage.is(k):
			c.message = in
		default:
			c.other = c.other || !kit.OneOf(k, quietKeys)
		}
		return end
	})
}

// readContent reads the parts of the content that begins at v[at] and returns the offset of its end.
func (c *candidate) readContent(v []byte, at int) int {
	c.parts = c.parts[:0]
	if v[at] != '{' {
		return jsonx.SkipValue(v, at)
	}
	came := false
	return jsonx.WalkMembers(v, at, func(k jsonx.Key, at int) int {
		if came || !k.Is("parts") || v[at] != '[' {
			came = came || k.Is("parts")
			return jsonx.SkipValue(v, at)
		}
		came = true
		return jsonx.WalkElements(v, at, func(_, at int) int {
			end := jsonx.SkipValue(v, at)
			c.parts = append(c.parts, v[at:end:end])
			return end
		})
	})
}

func (d *streamDecoder) read(v []byte) error {
	if !jsonx.IsObject(v) || jsonx.Valid(v) != nil {
		return badAnswer("expected pieces of JSON, got a broken one", v, nil)
	}
	p := &d.in
	p.read(v)
	if p.failure != nil && !jsonx.IsNull(p.failure) {
		return decodeError(0, v)
	}
	if !d.begun {
		d.begun = true
		d.id = jsonx.TextOf(p.id)
		d.out = append(d.out, callwright.Begin{ID: d.id, Model: jsonx.TextOf(p.model)})
	}
	d.broken = d.broken || jsonx.TextOf(p.reason) == malformedCall
	d.said = false
	for _, part := range p.parts {
		d.part(part)
	}
	if d.behind && (d.said || len(jsonx.TextBytes(p.reason)) > 0) {
		d.found.Add(foundEarlyFinish)
	}
	if d.begunCalls() > 0 && !d.broken && reasons[string(jsonx.TextBytes(p.reason))] == callwright.FinishMalformedCall {
		d.found.Add(foundOverruled)
	}
	if jsonx.IsText(p.reason) && len(jsonx.TextBytes(p.reason)) == 0 {
		d.found.Add(foundEmptyFinish)
	}
	d.behind = d.behind && !d.said
	d.count(p.usage)
	d.candidate(v, p)
	return nil
}

// count stores usageMetadata, whose counts are totals. It emits the first one at once, because some clients need counts
// at the beginning of a stream.
func (d *streamDecoder) count(v []byte) {
	if v == nil {
		return
	}
	d.usage.last = append(d.usage.last[:0], v...)
	if !d.usage.lastReported.Known {
		d.reportUsage()
	}
}

// reportUsage emits the stored usage as a UsageDelta if it differs from the last one.
func (d *streamDecoder) reportUsage() {
	u := decodeUsage(bytes.Clone(d.usage.last))
	was := d.usage.lastReported
	if !u.Known || was.Known && was.Input == u.Input && was.Output == u.Output && was.CacheRead == u.CacheRead &&
		was.Reasoning == u.Reasoning {
		return
	}
	d.usage.lastReported = u
	d.out = append(d.out, callwright.UsageDelta{Usage: u})
}

// quietKeys are the members of a candidate that are ignored before the end of the response.
var quietKeys = append([]string{"safetyRatings", "avgLogprobs", "tokenCount"},
	append(candidateKeys, spellings(finishReason, finishMessage)...)...)

// candidate decodes the members of a chunk's candidate beside its content. It stores the finish reason, if there is
// one.
func (d *streamDecoder) candidate(v []byte, p *piece) {
	reason := jsonx.TextOf(p.reason)
	blocked := p.raw == nil && !jsonx.IsNull(blockReason.in(p.feedback))
	if reason == "" && !blocked {
		if p.other {
			d.besideEnd(p.raw)
		}
		return
	}
	d.besideEnd(own.Member(d.endExtra, candidateKey)) // from an earlier chunk with a reason
	d.finishCame, d.behind = true, true
	if d.end.reason != malformedCall { // malformedCall is not overwritten
		d.end.reason, d.end.blocked = reason, blocked
		d.end.message = jsonx.TextOf(p.message)
	}
	d.endExtra = own.ExtraOf(v, answerKeys)
	if x := own.ExtraOf(p.raw, candidateKeys); x.JSON != nil {
		d.endExtra = own.Keep(d.endExtra, candidateKey, x.JSON)
	}
}

// besideEnd emits unknown members of a candidate as an OpaquePart, for a chunk that is not the last one.
func (d *streamDecoder) besideEnd(candidate []byte) {
	if x := own.ExtraOf(candidate, quietKeys); x.JSON != nil {
		d.beside(callwright.OpaquePart{Extra: own.Keep(callwright.Extra{}, candidateKey, x.JSON)})
	}
}

// part decodes a part and emits its events.
func (d *streamDecoder) part(v []byte) {
	m := membersOf(v)
	if m.call != nil {
		d.call(v, m)
		return
	}
	media := m.response == nil && (m.inline != nil || m.file != nil)
	if media || m.text == nil {
		d.besideText(bytes.Clone(v), media)
		return
	}
	words := d.texts.Of(m.text)
	switch thought := jsonx.IsTrue(m.thought); {
	case thought && words != "":
		d.thinking, d.said = true, true
		d.give(callwright.ReasoningDelta{Text: words})
	case !thought && words != "":
		d.closeThinking()
		d.end.hasText, d.said = true, true
		d.give(callwright.TextDelta{Text: words})
	}
	if !jsonx.IsNull(m.signature) {
		d.thinking = false
		r := decodeSignature(callwright.Reasoning{}, bytes.Clone(m.signature))
		d.give(callwright.ReasoningEnd{Signature: r.Signature, Redacted: r.Redacted, ID: r.ID, Origin: r.Origin, Extra: r.Extra})
	}
}

// besideText emits a part without text: a MediaPart if media is true and the part has data or a URL, otherwise an
// OpaquePart.
func (d *streamDecoder) besideText(v []byte, media bool) {
	if media {
		p := decodeMedia(v)
		if _, ok := fileOf(p); ok {
			d.beside(callwright.MediaPart{Part: p})
			return
		}
	}
	d.beside(callwright.OpaquePart{Extra: own.Extra(v)})
}

// beside ends the open reasoning and emits ev.
func (d *streamDecoder) beside(ev callwright.Event) {
	d.closeThinking()
	d.give(ev)
}

// give emits an event that does not belong to a call. If a partial call is open, the event is held back until it ends.
func (d *streamDecoder) give(ev callwright.Event) {
	if d.partial == nil {
		d.out = append(d.out, ev)
		return
	}
	d.found.Add(foundMixed)
	d.late = append(d.late, ev)
}

// call decodes a functionCall: a complete call, or a part of one whose arguments are streamed.
func (d *streamDecoder) call(v []byte, m partMembers) {
	d.said = true
	d.closeThinking()
	if d.broken {
		d.found.Add(kit.FoundBroken)
		return
	}
	call := bytes.Clone(m.call)
	p := parts{answer: true}
	p.call(v, partMembers{call: call, signature: bytes.Clone(m.signature), other: m.other})
	c := p.list[0].(callwright.Call)
	goesOn := jsonx.IsTrue(willContinue.in(call))
	if d.partial != nil && d.partial.isContinuedBy(&c, partialArgs.in(call) != nil) {
		d.partial.add(partialArgs.in(call))
		if !goesOn {
			d.endPartial()
		}
		return
	}
	d.closePartial()
	whole := !goesOn && partialArgs.in(call) == nil
	if !whole {
		c.Arguments = nil
	}
	id := c.ID
	if c.ID == "" {
		c.ID = answerID(d.id, d.calls, c)
	}
	d.out = append(d.out, callwright.CallBegin{Index: d.calls, ID: c.ID, Name: c.Name, Signature: c.Signature, Origin: c.Origin,
		Extra: c.Extra})
	if whole {
		checkCall(call, &d.found)
		d.endCall(string(c.Arguments))
		return
	}
	d.partial = &partialCall{name: c.Name, id: id}
	d.partial.add(partialArgs.in(call))
	if !goesOn {
		d.endPartial()
	}
}

// endCall emits the arguments of the open call and its end.
func (d *streamDecoder) endCall(args string) {
	d.out = append(d.out, callwright.CallDelta{Index: d.calls, Text: args}, callwright.CallEnd{Index: d.calls})
	d.calls++
	d.ended++
	d.out = append(d.out, d.late...)
	d.late = nil
}

func (d *streamDecoder) closeThinking() {
	if d.thinking {
		d.thinking = false
		d.give(callwright.ReasoningEnd{Origin: origin})
	}
}

// Close returns the held chunk and the End. The error is of KindTruncated if there was no finish reason, and of
// KindRefusedCall if the provider could not parse the model's call and sent its text. It is of KindBadAnswer if the
// provider could not parse a call and other calls were already returned, because the provider does not say which call
// it means.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.endGiven {
		return callwright.Batch{}, nil
	}
	d.out = d.out[:0]
	err := d.readBare()
	if d.endGiven = true; err != nil {
		return callwright.Batch{Events: d.out}, err
	}
	if d.finishCame {
		err = d.closing()
	} else {
		err = &callwright.Error{Op: opDecode, Kind: callwright.KindTruncated, Message: "expected a finish reason, got the end of the stream"}
	}
	b := d.release()
	if err != nil || d.rewritten { // the client gets an encoding
		b.Wire, b.Raw = "", nil
	}
	b.Events = append(b.Events, d.out...)
	return b, err
}

// closing ends a response that has a finish reason.
func (d *streamDecoder) closing() error {
	if d.broken && d.passed > 0 {
		return badAnswer("the model's call could not be parsed, and calls were handed on before that was said", nil, nil)
	}
	d.closeThinking()
	d.closePartial()
	d.end.hasCalls = d.calls > 0
	if err := d.end.malformedCallError("", nil); err != nil {
		if d.end.hasText {
			err.Recovered = "\n" + err.Recovered
		}
		return err
	}
	d.reportUsage()
	d.out = append(d.out, callwright.End{Finish: d.end.finish(), Extra: d.endExtra})
	return nil
}

// readBare decodes the JSON document that the provider sent in place of events: an error, a response, or a list of
// chunks.
func (d *streamDecoder) readBare() error {
	v := jsonx.Trim(d.jsonBody)
	switch {
	case len(v) == 0:
		return nil
	case jsonx.Valid(v) != nil:
		return badAnswer("expected events or a JSON document", v, nil)
	case jsonx.IsObject(v):
		return d.read(v)
	}
	for e := range jsonx.Elements(v) {
		if err := d.read(e); err != nil {
			return err
		}
	}
	return nil
}

var _ wire.StreamDecoder = (*streamDecoder)(nil)
