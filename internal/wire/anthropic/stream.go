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

// streamDecoder reads the events of one answer. Blocks come one after another; should a provider mix them, those after the
// first open one wait in its queue, and no more Frames are given, since bytes and events no longer go together.
type streamDecoder struct {
	blocks    []*streamBlock // open, in the order of their start
	calls     int            // started
	heldBytes int            // bytes that came while several were open
	usage     tally
	begun     bool
	stopped   bool
	mixed     bool
	cited     bool   // the text before named sources
	stop      []byte // stop_reason
	extra     extras // of End
	out       []callwright.Event
	repeat    kit.Repeat
	last      callwright.Event // the piece of text that repeat knows
}

// Bounds of what a decoder keeps.
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
	raw    []byte // the block as it started, where it is needed at the end
	sum    []byte // of the deltas that make one event at the end: input that ends in raw, a signature
	late   []byte // the delta that brought members of a block that only this API knows, such as the content of a compaction
	deltas bool
	think  callwright.Reasoning
	queue  []callwright.Event // of a block after another
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

// streamFrame is the data of one event, by its members.
type streamFrame struct{ kind, index, delta, block, message, usage, failure []byte }

func (f *streamFrame) read(data []byte) {
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

// Feed gives a Frame with the event's bytes and what the event holds.
func (d *streamDecoder) Feed(ev sse.Event, out []callwright.Event) ([]callwright.Event, error) {
	if len(ev.Data) == 0 || d.stopped {
		return d.emptyFrame(ev, out), nil
	}
	if len(d.blocks) > 1 {
		d.heldBytes += len(ev.Data)
	}
	if d.heldBytes > maxHeld || d.calls > maxCalls {
		return out, badAnswer("expected at most "+strconv.Itoa(maxCalls)+" calls, and blocks one after another", nil, nil)
	}
	if text := d.repeat.Text(ev.Name, ev.Data); text != nil {
		at := len(out)
		d.out = append(out, nil, d.more(text))
		return d.withFrame(at, ev.Raw, true), nil
	}
	d.repeat.Forget()
	var f streamFrame
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
		return out, decodeError(0, nil, slices.Clone(ev.Data))
	case kind == eventPing:
		return d.emptyFrame(ev, out), nil
	case err != nil:
		return out, badAnswer("an event of the stream is not JSON", slices.Clone(ev.Data), err)
	}
	at := len(out)
	d.out = append(out, nil)
	switch kind {
	case eventMessage:
		d.start(f.message)
	case eventStart:
		d.blockStart(&f)
	case eventDelta:
		d.blockDelta(&f)
		d.learn(ev, &f, at)
	case eventStop:
		if b := d.open(number(f.index)); b != nil {
			d.blockStop(b)
		}
	case eventTotals:
		d.messageDelta(&f)
	case eventEnd:
		d.finish()
	}
	return d.withFrame(at, ev.Raw, false), nil
}

// learn remembers an event of which came nothing but a piece of text, of reasoning or of a call's input.
func (d *streamDecoder) learn(ev sse.Event, f *streamFrame, at int) {
	if len(d.out) != at+2 || d.mixed || len(d.blocks) != 1 {
		return
	}
	d.last = d.out[at+1]
	switch d.last.(type) {
	case callwright.TextDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "text"))
	case callwright.ReasoningDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "thinking"))
	case callwright.CallDelta:
		d.repeat.Learn(ev.Name, ev.Data, deltaText(f.delta, "partial_json"))
	}
}

// more is the event that an event brings which differs from the one before in its text alone.
func (d *streamDecoder) more(text []byte) callwright.Event {
	s, _ := jsonx.String(text)
	switch last := d.last.(type) {
	case callwright.ReasoningDelta:
		return callwright.ReasoningDelta{Text: s}
	case callwright.CallDelta:
		return callwright.CallDelta{Index: last.Index, Text: s}
	}
	return callwright.TextDelta{Text: s}
}

// withFrame sets the Frame for the events since at.
func (d *streamDecoder) withFrame(at int, raw []byte, piece bool) []callwright.Event {
	out := d.out
	d.out = nil
	if d.mixed {
		return slices.Delete(out, at, at+1)
	}
	out[at] = callwright.Frame{Wire: callwright.WireAnthropic, Bytes: raw, Events: len(out) - at - 1, Piece: piece}
	return out
}

// emptyFrame passes on what holds no events: comments, pings, what comes after the end.
func (d *streamDecoder) emptyFrame(ev sse.Event, out []callwright.Event) []callwright.Event {
	if d.mixed || len(ev.Raw) == 0 {
		return out
	}
	return append(out, callwright.Frame{Wire: callwright.WireAnthropic, Bytes: ev.Raw})
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

// messageDelta keeps the stop reason and gives the totals. It comes after all blocks: one still open has ended.
func (d *streamDecoder) messageDelta(f *streamFrame) {
	d.closeAll()
	d.extra = nil
	for k, v := range jsonx.Members(f.delta) {
		if k.Is("stop_reason") {
			d.stop = slices.Clone(jsonx.TextBytes(v))
		}
		d.extra.add([]byte(k.String()), v)
	}
	if f.usage != nil {
		d.usage.read(f.usage)
		d.implied()
		d.out = append(d.out, callwright.UsageDelta{Usage: d.usage.usage()})
	}
}

func (d *streamDecoder) finish() {
	d.closeAll()
	d.implied()
	d.out = append(d.out, callwright.End{Finish: finishOf(string(d.stop)), Extra: d.extra.extra()})
	d.stopped = true
}

func (d *streamDecoder) closeAll() {
	for len(d.blocks) > 0 {
		d.blockStop(d.blocks[0])
	}
}

// implied opens an answer whose message_start did not come.
func (d *streamDecoder) implied() {
	if !d.begun {
		d.start(nil)
	}
}

// Close fails with KindTruncated unless message_stop came.
func (d *streamDecoder) Close(out []callwright.Event) ([]callwright.Event, error) {
	if d.stopped {
		return out, nil
	}
	return out, &callwright.Error{
		Op: opDecode, Kind: callwright.KindTruncated, Message: "expected the stream to go on to message_stop, got its end",
	}
}

func (d *streamDecoder) open(index int) *streamBlock {
	for _, b := range d.blocks {
		if b.index == index && !b.ended {
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
	d.implied()
	if d.blocks[0] == b {
		d.out = append(d.out, ev)
		return
	}
	b.queue = append(b.queue, ev)
}

func (d *streamDecoder) blockStop(b *streamBlock) {
	b.end(d, b)
	b.ended = true
	for len(d.blocks) > 0 && d.blocks[0].ended {
		d.blocks = d.blocks[1:]
		if len(d.blocks) > 0 {
			d.out = append(d.out, d.blocks[0].queue...)
			d.blocks[0].queue = nil
		}
	}
}
