package anthropic

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// NewStreamDecoder makes a decoder for one stream.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// streamDecoder reads the events of one answer. Blocks come one after another; should a provider mix them, those after
// the first open one wait in its queue, and batches have no bytes any more, since bytes and events no longer go
// together.
type streamDecoder struct {
	blocks    []*streamBlock // open, in the order of their start
	calls     int            // started
	heldBytes int            // bytes that came while several were open, or while hold kept batches back
	usage     tally
	begun     bool
	stopped   bool
	mixed     bool
	cited     bool                 // the text before named sources
	stop      []byte               // stop_reason
	totals    bool                 // message_delta came
	extra     extras               // of End
	late      map[int]*streamBlock // calls that ended without valid input, by the index of their block
	hold      kit.Hold             // batches behind the end of such a call
	found     kit.Findings
	out       []callwright.Event
	repeat    kit.Repeat
	last      callwright.Event // the piece of text that repeat knows
	hint      kit.Hint[batchHint]
	texts     jsonx.Texts
}

// Bounds of a decoder's memory.
const (
	maxHeld  = 64 << 20
	maxCalls = 4096
)

// streamBlock is an open block.
type streamBlock struct {
	index  int
	read   func(*streamDecoder, *streamBlock, string, []byte) // a delta by its type
	end    func(*streamDecoder, *streamBlock)
	call   int
	isCall bool
	raw    []byte // the block as it started, where it is needed at the end
	sum    []byte // of the deltas that make one event at the end: input that ends in raw, a signature
	beside []byte // the delta that brought members of a block that only this API knows, such as the content of a compaction
	deltas bool
	input  jsonx.Checker // of the deltas of a call
	think  callwright.Reasoning
	queue  []callwright.Event // of a block after another
	cut    bool               // it was stopped with incomplete input while a block before it was open
	ended  bool
}

// event is the type of a stream's event.
type event uint8

const (
	eventOther event = iota // comments too
	eventPing
	eventMessage
	eventStart
	eventDelta
	eventStop
	eventTotals
	eventEnd
	eventError
)

func eventKind(name []byte) event {
	switch string(name) {
	case "content_block_delta":
		return eventDelta
	case "content_block_start":
		return eventStart
	case "content_block_stop":
		return eventStop
	case "message_start":
		return eventMessage
	case "message_delta":
		return eventTotals
	case "message_stop":
		return eventEnd
	case "ping":
		return eventPing
	case "error":
		return eventError
	}
	return eventOther
}

// streamEvent is the data of one event, by its members.
type streamEvent struct{ kind, index, delta, block, message, usage, failure []byte }

func (f *streamEvent) read(data []byte) {
	object(data, jsonx.Space(data, 0), func(name []byte, at int) int {
		end := jsonx.Skip(data, at)
		v := data[at:end:end]
		switch string(name) {
		case "type":
			f.kind = jsonx.TextBytes(v)
		case "index":
			f.index = v
		case "delta":
			f.delta = v
		case "content_block":
			f.block = v
		case "message":
			f.message = v
		case "usage":
			f.usage = v
		case "error":
			f.failure = v
		}
		return end
	})
}

// Feed returns the bytes and the events of one event of the API.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	d.out = d.out[:0]
	d.hint.Value = batchHint{}
	if len(ev.Data) == 0 || d.stopped {
		return d.batch(ev.Raw), nil
	}
	if len(d.blocks) > 1 || d.hold.IsHolding() {
		d.heldBytes += len(ev.Data)
	}
	if d.heldBytes > maxHeld || d.calls > maxCalls {
		return d.hold.Release(""), badAnswer("expected at most "+strconv.Itoa(maxCalls)+" calls, and blocks one after another", nil, nil)
	}
	if text := d.repeat.Text(ev.Name, ev.Data); text != nil {
		d.out = append(d.out, d.repeatedDelta(text))
		d.hint.Value = batchHint{kind: eventDelta, index: d.blocks[0].index, repeat: true}
		return d.batch(ev.Raw), nil
	}
	d.repeat.Forget()
	var f streamEvent
	err := jsonx.Valid(ev.Data)
	if err == nil && jsonx.KindOf(ev.Data) == jsonx.Object {
		f.read(ev.Data)
	}
	if f.kind == nil {
		f.kind = []byte(ev.Name)
	}
	kind := eventKind(f.kind)
	switch {
	case kind == eventError || f.failure != nil:
		return d.hold.Release(""), decodeError(0, nil, slices.Clone(ev.Data))
	case kind == eventPing:
		d.hint.Value.kind = eventPing
		return d.batch(ev.Raw), nil
	case err != nil:
		return d.hold.Release(""), badAnswer("an event of the stream is not JSON", slices.Clone(ev.Data), err)
	}
	d.hint.Value.kind, d.hint.Value.index = kind, number(f.index)
	switch kind {
	case eventMessage:
		d.start(f.message)
	case eventStart:
		d.blockStart(&f)
	case eventDelta:
		d.blockDelta(&f)
		d.rememberShape(ev, &f)
	case eventStop:
		if b := d.openBlock(number(f.index)); b != nil {
			d.blockStop(b)
		}
	case eventTotals:
		d.messageDelta(&f)
	case eventEnd:
		if d.endsInName() {
			d.stopped = true
			return d.hold.Release(""), kit.CutCall(opDecode)
		}
		d.finish()
	}
	return d.batch(ev.Raw), nil
}

// endsInName reports whether the answer has no stop reason, and nothing came of its last block but the name of a call:
// not even the end of the block.
func (d *streamDecoder) endsInName() bool {
	if len(d.blocks) == 0 || len(d.stop) > 0 {
		return false
	}
	b := d.blocks[len(d.blocks)-1]
	return !b.ended && !b.cut && !b.deltas && b.lacksValidInput()
}

// rememberShape keeps the text around the delta of an event that brought one delta and nothing else, so that the next
// event of the same shape is read without a parse.
func (d *streamDecoder) rememberShape(ev sse.Event, f *streamEvent) {
	if len(d.out) != 1 || d.mixed || len(d.blocks) != 1 {
		return
	}
	d.last = d.out[0]
	switch d.last.(type) {
	case callwright.TextDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "text"))
	case callwright.ReasoningDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "thinking"))
	case callwright.CallDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "partial_json"))
	}
}

// repeatedDelta returns the delta of an event that differs from the event before in its text alone.
func (d *streamDecoder) repeatedDelta(text []byte) callwright.Event {
	s := d.texts.Of(text)
	switch last := d.last.(type) {
	case callwright.ReasoningDelta:
		return callwright.ReasoningDelta{Text: s}
	case callwright.CallDelta:
		_ = d.blocks[0].input.FeedString(s)
		return callwright.CallDelta{Index: last.Index, Text: s}
	}
	return callwright.TextDelta{Text: s}
}

// batch returns the events of a Feed with their bytes and the notes on them. Batches behind a call with incomplete
// input wait until the input is complete, or for the end.
func (d *streamDecoder) batch(raw []byte) callwright.Batch {
	d.mixed = d.mixed || d.found.HasUnreported()
	b := callwright.Batch{Events: d.out, Notes: d.found.TakeNotes()}
	if !d.mixed && len(raw) > 0 {
		b.Wire, b.Raw, b.Hint = callwright.WireAnthropic, raw, &d.hint
	}
	return d.hold.Filter(b, d.stopped || d.hold.IsSettled(), d.mixed, callwright.WireAnthropic)
}

func (d *streamDecoder) start(message []byte) {
	if d.begun {
		return
	}
	d.begun = true
	var b callwright.Begin
	var rest extras
	for k, v := range jsonx.Members(message) {
		switch name := k.String(); name {
		case "id":
			b.ID = jsonx.TextOf(v)
		case "model":
			b.Model, _ = jsonx.String(v)
		case "type", "role", "content", "stop_reason", "stop_sequence":
		case "usage":
			d.usage.read(slices.Clone(v))
		default:
			rest.add([]byte(name), v)
		}
	}
	b.Extra = rest.extra()
	d.out = append(d.out, b)
	if d.usage.known {
		d.out = append(d.out, callwright.UsageDelta{Usage: d.usage.usage()})
	}
}

// messageDelta keeps the stop reason and gives the totals. It comes after all blocks: one still open has ended. The
// bytes of a further one are not passed on.
func (d *streamDecoder) messageDelta(f *streamEvent) {
	d.closeAll()
	d.mixed, d.totals = d.mixed || d.totals, true
	d.extra = nil
	for k, v := range jsonx.Members(f.delta) {
		if k.Is("stop_reason") {
			d.stopReason(v)
		}
		d.extra.add([]byte(k.String()), v)
	}
	if f.usage != nil {
		d.usage.read(f.usage)
		d.beginIfMissing()
		d.out = append(d.out, callwright.UsageDelta{Usage: d.usage.usage()})
	}
}

// stopReason takes the reason of a message_delta. The last one counts.
func (d *streamDecoder) stopReason(v []byte) {
	switch reason := jsonx.TextBytes(v); {
	case len(reason) == 0 && jsonx.IsText(v):
		d.found.Add(foundEmptyFinish)
	case len(reason) > 0:
		d.noteEarlyFinish()
		d.stop = slices.Clone(reason)
	}
}

// noteEarlyFinish notes that the answer goes on behind its stop reason.
func (d *streamDecoder) noteEarlyFinish() {
	if len(d.stop) > 0 {
		d.found.Add(foundEarlyFinish)
	}
}

func (d *streamDecoder) finish() {
	d.closeAll()
	d.beginIfMissing()
	d.out = append(d.out, callwright.End{Finish: finishOf(string(d.stop)), Extra: d.extra.extra()})
	d.stopped = true
}

func (d *streamDecoder) closeAll() {
	for len(d.blocks) > 0 {
		d.blockStop(d.blocks[0])
	}
}

// beginIfMissing opens an answer whose message_start did not come.
func (d *streamDecoder) beginIfMissing() {
	if !d.begun {
		d.start(nil)
	}
}

// Close fails with KindTruncated unless message_stop came.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.stopped {
		return callwright.Batch{}, nil
	}
	return d.hold.Release(""), &callwright.Error{
		Op: opDecode, Kind: callwright.KindTruncated, Message: "expected the stream to go on to message_stop, got its end",
	}
}

func (d *streamDecoder) openBlock(index int) *streamBlock {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if b := d.blocks[i]; b.index == index && !b.ended {
			return b
		}
	}
	return nil
}

// number is the small number v, 0 where there is none.
func number(v []byte) int {
	n, _ := strconv.Atoi(string(v))
	return n
}

// emit gives out an event of a block, or keeps it while another block is open before it.
func (d *streamDecoder) emit(b *streamBlock, ev callwright.Event) {
	d.beginIfMissing()
	if d.blocks[0] == b {
		d.out = append(d.out, ev)
		return
	}
	b.queue = append(b.queue, ev)
}

// blockStop ends a block. A call with incomplete input stays open while another block is open before it.
func (d *streamDecoder) blockStop(b *streamBlock) {
	if b.cut = b.lacksValidInput() && b != d.blocks[0]; b.cut {
		return
	}
	b.end(d, b)
	b.ended = true
	for len(d.blocks) > 0 && d.blocks[0].ended {
		if d.blocks = d.blocks[1:]; len(d.blocks) == 0 {
			return
		}
		next := d.blocks[0]
		d.out = append(d.out, next.queue...)
		if next.queue = nil; next.cut {
			next.end(d, next)
			next.ended = true
		}
	}
}
