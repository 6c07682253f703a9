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

// NewStreamDecoder returns a decoder for one streamed response of a provider.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// streamDecoder decodes one streamed response. It emits the events of blocks one block after another. If a provider
// interleaves blocks, events of later blocks are queued, and batches have no bytes from then on, because bytes and
// events no longer correspond.
type streamDecoder struct {
	blocks    []*streamBlock       // open blocks, in the order of their start
	calls     int                  // number of calls so far
	heldBytes int                  // bytes received while several blocks were open or batches were held back
	usage     tally                // the usage received so far
	begun     bool                 // Begin was emitted
	stopped   bool                 // the response ended
	mixed     bool                 // events differ from the bytes: batches have no bytes
	cited     bool                 // the previous text had citations
	stop      []byte               // the stop_reason so far
	totals    bool                 // message_delta was received
	extra     extras               // of the End
	late      map[int]*streamBlock // calls that ended without valid input, by the index of their block
	hold      kit.DelayedBatches   // batches after the end of such a call
	found     kit.Findings         // deviations from the API
	out       []callwright.Event   // the events of the current Feed
	repeat    kit.Repeat           // the shape of the last delta event, see rememberShape
	last      callwright.Event     // the delta event that repeat stores
	hint      kit.Hint[batchHint]  // of the current event
	texts     jsonx.StringArena
}

// Limits of the memory of a streamDecoder: bytes held back, calls of a response.
const (
	maxHeld  = 64 << 20
	maxCalls = 4096
)

// streamBlock is an open content block.
type streamBlock struct {
	index  int                                                // the provider's index
	read   func(*streamDecoder, *streamBlock, string, []byte) // handles a delta of the type and JSON
	end    func(*streamDecoder, *streamBlock)                 // handles the end of the block
	call   int                                                // index of the call
	isCall bool                                               // the block is a tool_use block
	raw    []byte                                             // copy of the starting block, or of its input
	sum    []byte                                             // joined input or signature deltas
	beside []byte                                             // the last other delta of an opaque block
	deltas bool                                               // a delta was received
	input  jsonx.Checker                                      // checks the input deltas of a call
	think  callwright.Reasoning                               // of a thinking block
	queue  []callwright.Event                                 // events that wait for an earlier block
	cut    bool                                               // ended incomplete while an earlier block was open
	ended  bool                                               // its end was handled
}

// event is the type of a stream event.
type event uint8

const (
	eventOther event = iota // an unknown type, or a comment
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

// streamEvent holds the JSON values of the members of one event, nil for a missing one. kind is not quoted.
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

// Feed decodes one server-sent event. After the end of the response it returns the bytes of the event and no events.
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

// endsInName reports whether the response has no stop reason and its last block is a call that has a name but neither
// input nor an end.
func (d *streamDecoder) endsInName() bool {
	if len(d.blocks) == 0 || len(d.stop) > 0 {
		return false
	}
	b := d.blocks[len(d.blocks)-1]
	return !b.ended && !b.cut && !b.deltas && b.lacksValidInput()
}

// rememberShape stores an event that yielded exactly one delta, so that Feed can decode events that differ from it only
// in their text without parsing them.
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

// repeatedDelta returns the delta for an event that differs from the stored one only in its text. text is the JSON
// string.
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

// batch returns the events of a Feed with their bytes and notes. After a call with incomplete input, batches are held
// back until its input is complete or the response ends.
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

// messageDelta decodes message_delta: the stop reason and the usage. It ends all open blocks. Batches have no bytes
// from the second message_delta on.
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

// stopReason stores the stop_reason of a message_delta. The last one applies.
func (d *streamDecoder) stopReason(v []byte) {
	switch reason := jsonx.TextBytes(v); {
	case len(reason) == 0 && jsonx.IsText(v):
		d.found.Add(foundEmptyFinish)
	case len(reason) > 0:
		d.noteEarlyFinish()
		d.stop = slices.Clone(reason)
	}
}

// noteEarlyFinish adds a finding if a stop reason was already received, because the response continues after it.
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

// beginIfMissing emits Begin if message_start was not received.
func (d *streamDecoder) beginIfMissing() {
	if !d.begun {
		d.start(nil)
	}
}

// Close returns an error of KindTruncated unless message_stop was received.
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

// number returns the integer v, or 0 if v is missing or not an integer.
func number(v []byte) int {
	n, _ := strconv.Atoi(string(v))
	return n
}

// emit emits an event of the block b, or queues it while an earlier block is open.
func (d *streamDecoder) emit(b *streamBlock, ev callwright.Event) {
	d.beginIfMissing()
	if d.blocks[0] == b {
		d.out = append(d.out, ev)
		return
	}
	b.queue = append(b.queue, ev)
}

// blockStop ends a block and emits the queued events of the blocks after it. A call with incomplete input stays open
// while an earlier block is open.
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
