package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// streamDecoder reads one streamed answer: pieces that are answers of their own. Each is a batch with its bytes. From
// the first piece whose bytes and events disagree, clients get an encoding of the events. There is no end mark, so that
// a piece with a finish reason, and each after it, waits until it is known whether it is the last. A piece in which a
// call ends waits for the next one, too: that may say that the call could not be parsed. The pieces of one call are one
// batch.
type streamDecoder struct {
	out        []callwright.Event // of the piece at hand
	texts      jsonx.Texts
	held       callwright.Batch // the piece that waits
	holds      bool             // a piece waits
	begun      bool
	endGiven   bool // there was an error, or Close was called
	rewritten  bool // batches have no bytes any more
	finishCame bool // a finish reason came
	behind     bool // and neither words nor calls came after it
	said       bool // the piece at hand has words or a call
	thinking   bool
	broken     bool // the model's call could not be parsed, says a finish reason
	calls      int
	ended      int    // calls that end in the piece at hand
	waiting    int    // calls that end in the piece that waits
	passed     int    // calls that were handed on, or of which a part was
	id         string // of the answer
	partial    *partialCall
	late       []callwright.Event // what came while it was open, to follow it
	end        ending
	endExtra   callwright.Extra
	usage      tokenCounts
	bare       []byte // what came in place of events
	found      kit.Findings
	in         piece // the piece at hand
}

// tokenCounts are the tokens of an answer.
type tokenCounts struct {
	told callwright.Usage // in the last event
	last []byte           // as they came last
}

// maxBare bounds the kept bytes of a body that is no stream of events, and of data without events after a finish.
const maxBare = 32 << 20

// Feed reads one event.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	switch {
	case d.endGiven:
		return callwright.Batch{}, nil
	case ev.Data == nil && d.isBare(ev.Raw):
		d.bare, d.rewritten = append(d.bare, ev.Raw...), true
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

// isBare reports whether bytes without data are, or continue with, a JSON document that came in place of a stream of
// events.
func (d *streamDecoder) isBare(raw []byte) bool {
	if len(d.bare) > 0 {
		return len(d.bare)+len(raw) <= maxBare
	}
	first := bytes.TrimSpace(raw)
	return !d.begun && len(first) > 0 && (first[0] == '{' || first[0] == '[')
}

// piece is a piece of an answer by its members, and its candidate with the index 0 by its own.
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

// candidate is a candidate by its members. Other says that it has members that only clients read.
type candidate struct {
	raw, index, reason, message []byte
	parts                       [][]byte
	other                       bool
}

// read reads the candidate at a place and returns its end.
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

// readContent finds the parts of the content at a place, and returns its end.
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

// count keeps the counts, which are totals, and reports the first ones at once: some clients get them at the beginning.
func (d *streamDecoder) count(v []byte) {
	if v == nil {
		return
	}
	d.usage.last = append(d.usage.last[:0], v...)
	if !d.usage.told.Known {
		d.reportUsage()
	}
}

// reportUsage gives the counts as they stand, unless they were given so.
func (d *streamDecoder) reportUsage() {
	u := decodeUsage(bytes.Clone(d.usage.last))
	was := d.usage.told
	if !u.Known || was.Known && was.Input == u.Input && was.Output == u.Output && was.CacheRead == u.CacheRead &&
		was.Reasoning == u.Reasoning {
		return
	}
	d.usage.told = u
	d.out = append(d.out, callwright.UsageDelta{Usage: u})
}

// quietKeys are the members of a candidate that say nothing to anybody in the middle of an answer.
var quietKeys = append([]string{"safetyRatings", "avgLogprobs", "tokenCount"},
	append(candidateKeys, spellings(finishReason, finishMessage)...)...)

// candidate reads the members of a piece's candidate beside the content, and reports whether it is the end.
func (d *streamDecoder) candidate(v []byte, p *piece) {
	reason := jsonx.TextOf(p.reason)
	blocked := p.raw == nil && !jsonx.IsNull(blockReason.in(p.feedback))
	if reason == "" && !blocked {
		if p.other {
			d.besideEnd(p.raw)
		}
		return
	}
	d.besideEnd(own.Member(d.endExtra, candidateKey)) // of a piece before, which had a reason too
	d.finishCame, d.behind = true, true
	if d.end.reason != malformedCall { // that is the last word on its calls
		d.end.reason, d.end.blocked = reason, blocked
		d.end.message = jsonx.TextOf(p.message)
	}
	d.endExtra = own.ExtraOf(v, answerKeys)
	if x := own.ExtraOf(p.raw, candidateKeys); x.JSON != nil {
		d.endExtra = own.Keep(d.endExtra, candidateKey, x.JSON)
	}
}

// besideEnd returns the members of a candidate beside its content, of a piece that is not the last.
func (d *streamDecoder) besideEnd(candidate []byte) {
	if x := own.ExtraOf(candidate, quietKeys); x.JSON != nil {
		d.beside(callwright.OpaquePart{Extra: own.Keep(callwright.Extra{}, candidateKey, x.JSON)})
	}
}

// part reads a part: a piece of text or of a thought, a call, or a part of this API alone.
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

// besideText gives a part that has no text, which may be an image or a file.
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

// beside gives a part that is neither words nor a call.
func (d *streamDecoder) beside(ev callwright.Event) {
	d.closeThinking()
	d.give(ev)
}

// give gives an event that is no part of a call: after the call that comes in pieces, where one is open.
func (d *streamDecoder) give(ev callwright.Event) {
	if d.partial == nil {
		d.out = append(d.out, ev)
		return
	}
	d.found.Add(foundMixed)
	d.late = append(d.late, ev)
}

// call gives a call, which comes whole, or begins or continues with one that comes in pieces.
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
	if d.partial != nil && d.partial.goesOn(&c, partialArgs.in(call) != nil) {
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

// endCall gives the arguments of the open call and closes it.
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

// Close gives the piece that waited and the End. It fails with KindTruncated where no finish reason came, and with
// KindRefusedCall where the provider could not parse the model's call and says its text. It fails with KindBadAnswer
// where it could not and calls were handed on before: which of them is meant is not said.
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
	if err != nil || d.rewritten { // the answer goes on in another form
		b.Wire, b.Raw = "", nil
	}
	b.Events = append(b.Events, d.out...)
	return b, err
}

// closing ends an answer that has a finish reason.
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

// readBare reads a document that came in place of events: an error, an answer, or a list of pieces.
func (d *streamDecoder) readBare() error {
	v := jsonx.Trim(d.bare)
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
