package responses

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
	"github.com/callwright/callwright/sse"
)

// streamDecoder reads the events of one answer. Items come one after another. Where a provider mixes them, events of
// later items wait in its queue, and batches have no bytes, since bytes and events no longer correspond. The end of an
// item is final: it completes the pieces.
type streamDecoder struct {
	texts      jsonx.Texts
	items      []*streamItem // open, in the order of their start
	seen       []*streamItem // all, in the order of their start
	byID       map[string][]*streamItem
	next       int // output_index after the highest seen
	calls      int // started
	heldBytes  int // bytes that came while several were open
	begun      bool
	over       bool
	mixed      bool
	unfinished bool // the answer ended behind the name of a call
	refuses    bool // the text under way is a refusal
	logprobs   bool // probabilities of tokens came
	end        items.Outcome
	late       []*streamItem // calls that ended with incomplete arguments
	hold       kit.Hold      // batches behind the end of such a call
	out        []callwright.Event
	notes      []callwright.Note
	in         eventData // the event at hand
}

// Bounds of a decoder's memory.
const (
	maxHeld  = 64 << 20
	maxCalls = 4096
	maxOpen  = 64
)

// eventData is the data of one event, by its members.
type eventData struct {
	kind, index, itemID, item, delta, part, response, failure, text, number, logprobs []byte
}

func (f *eventData) read(data []byte) {
	jsonx.WalkMembers(data, jsonx.Space(data, 0), func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(data, at)
		v := data[at:end:end]
		switch string(key.Text()) {
		case "type":
			f.kind = v
		case "output_index":
			f.index = v
		case "item_id":
			f.itemID = v
		case "item":
			f.item = v
		case "delta":
			f.delta = v
		case "part":
			f.part = v
		case "response":
			f.response = v
		case "error":
			f.failure = v
		case "text", "refusal", "arguments", "input":
			f.text = v
		case "sequence_number":
			f.number = v
		case "logprobs":
			f.logprobs = v
		}
		return end
	})
}

// at is the output_index, 0 without one.
func (f *eventData) at() int {
	n, _ := f.place()
	return n
}

// smallNumber is a number, 0 where there is none.
func smallNumber(v []byte) int {
	n, _ := strconv.Atoi(string(v))
	return n
}

// place is the output_index; it is not ok without a usable one.
func (f *eventData) place() (n int, ok bool) {
	n, err := strconv.Atoi(string(f.index))
	return max(n, 0), err == nil && n >= 0
}

// Feed returns the bytes and the events of one event of the API.
func (d *streamDecoder) Feed(ev sse.Event) (callwright.Batch, error) {
	d.out, d.notes = d.out[:0], nil
	data := jsonx.Trim(ev.Data)
	if len(data) == 0 || d.over || string(data) == "[DONE]" {
		return d.batch(ev.Raw, nil), nil
	}
	if err := jsonx.Valid(data); err != nil || !jsonx.IsObject(data) {
		d.over = true
		return d.hold.Release(""), badAnswer("expected a JSON object in the stream", slices.Clone(data), err)
	}
	f := &d.in
	*f = eventData{}
	f.read(data)
	kind := jsonx.TextBytes(f.kind)
	if len(kind) == 0 {
		kind = []byte(ev.Name)
	}
	if e := eventError(kind, f, data); e != nil {
		d.over = true
		return d.hold.Release(""), e
	}
	if len(d.items) > 1 || d.hold.IsHolding() {
		d.heldBytes += len(data)
	}
	if d.heldBytes > maxHeld || d.calls > maxCalls {
		d.over = true
		return d.hold.Release(""), badAnswer("expected at most "+strconv.Itoa(maxCalls)+" calls, and items one after another", nil, nil)
	}
	if read := streamReaders[string(kind)]; read != nil {
		read(d, f)
	}
	if d.unfinished {
		return d.hold.Release(""), kit.CutCall(opDecode)
	}
	return d.batch(ev.Raw, f), nil
}

// batch returns the events of a Feed with their bytes, and f where they are an event of the API. Batches behind a call
// with incomplete arguments wait until they are complete, or for the end.
func (d *streamDecoder) batch(raw []byte, f *eventData) callwright.Batch {
	b := callwright.Batch{Events: d.out, Notes: d.notes}
	if !d.mixed && len(raw) > 0 {
		if b.Wire, b.Raw = callwright.WireResponses, raw; f != nil {
			b.Hint = f
		}
	}
	return d.hold.Filter(b, d.over || d.hold.IsSettled(), d.mixed, callwright.WireResponses)
}

// eventError is the error that an event tells of, nil for other events.
func eventError(kind []byte, f *eventData, data []byte) *callwright.Error {
	switch {
	case string(kind) == "response.failed":
		response := jsonx.FieldsOf(f.response)
		if e := failureWithin(&response); e != nil {
			return e
		}
		return failure([]byte(`{"message":"the provider says that the answer failed"}`), slices.Clone(data))
	case jsonx.IsObject(f.failure):
		return failure(f.failure, slices.Clone(data))
	case string(kind) == "error":
		return failure(data, slices.Clone(data))
	}
	return nil
}

// streamReaders are the readers of events, by their type. All other events hold nothing.
var streamReaders = map[string]func(*streamDecoder, *eventData){
	"response.created":                       (*streamDecoder).begin,
	"response.queued":                        (*streamDecoder).begin,
	"response.in_progress":                   (*streamDecoder).begin,
	"response.output_item.added":             (*streamDecoder).handleItemAdded,
	"response.output_item.done":              (*streamDecoder).handleItemDone,
	"response.content_part.added":            (*streamDecoder).partAdded,
	"response.reasoning_summary_part.added":  (*streamDecoder).partAdded,
	"response.output_text.delta":             (*streamDecoder).textDelta,
	"response.refusal.delta":                 (*streamDecoder).refusalDelta,
	"response.reasoning_summary_text.delta":  (*streamDecoder).thoughtDelta,
	"response.reasoning_text.delta":          (*streamDecoder).thoughtDelta,
	"response.function_call_arguments.delta": (*streamDecoder).callDelta,
	"response.custom_tool_call_input.delta":  (*streamDecoder).callDelta,
	"response.function_call_arguments.done":  (*streamDecoder).callWhole,
	"response.custom_tool_call_input.done":   (*streamDecoder).callWhole,
	"response.completed":                     (*streamDecoder).finish,
	"response.incomplete":                    (*streamDecoder).finish,
	"response.cancelled":                     (*streamDecoder).finish,
	"response.done":                          (*streamDecoder).finish,
}

func (d *streamDecoder) begin(f *eventData) {
	if d.begun {
		return
	}
	d.begun = true
	b := callwright.Begin{ID: kit.TextAt(f.response, "id"), Model: kit.TextAt(f.response, "model")}
	b.Extra = own.ExtraOf(f.response, responseKeys)
	d.out = append(d.out, b)
}

// finish ends the open items, by the items that the whole answer repeats where their own ends did not come, and the
// answer.
func (d *streamDecoder) finish(f *eventData) {
	d.begin(f)
	n := 0
	response := jsonx.FieldsOf(f.response)
	for item := range jsonx.Elements(response.Get("output")) {
		b := d.findRepeat(item, n)
		switch {
		case b != nil && b.incomplete:
			d.completeLate(b, items.ReadCallInput(item, b.class.Call))
		case b == nil:
			d.odd("wire.late_item", "an item came only with the whole answer")
			b = d.start(&eventData{item: item}, d.next)
			d.endItem(b, item)
		case !b.ended:
			d.odd("wire.open_item", "an item was not ended")
			d.endItem(b, item)
		}
		b.repeated = true
		n++
	}
	d.end.Read(&response)
	d.unfinished = d.endsInName()
	d.closeAll()
	if u := items.Usage(response.Get("usage")); u.Known {
		d.out = append(d.out, callwright.UsageDelta{Usage: u})
	}
	d.out = append(d.out, callwright.End{Finish: d.end.Finish(), Extra: own.NotKept(callwright.Extra{}, d.logprobs)})
	d.over = true
}

// endsInName reports whether nothing came of an item but the name of a call: neither its end, nor does the whole answer
// have it.
func (d *streamDecoder) endsInName() bool {
	f := d.end.Finish()
	return (f == callwright.FinishCalls || f == callwright.FinishStop) && slices.ContainsFunc(d.items, func(b *streamItem) bool {
		return b.class.Call != nil && !b.ended && !b.doneEarly && !b.incomplete && !b.repeated && b.sum.Len() == 0
	})
}

func (d *streamDecoder) closeAll() {
	for len(d.items) > 0 {
		d.endItem(d.items[0], nil)
	}
}

// Close fails with KindTruncated unless the end of the answer came.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.over {
		return callwright.Batch{}, nil
	}
	return d.hold.Release(""), &callwright.Error{Op: opDecode, Kind: callwright.KindTruncated,
		Message: "expected the stream to go on to response.completed, got its end"}
}

// odd notes that an answer came otherwise than the API describes, once: clients get an encoding of its events.
func (d *streamDecoder) odd(rule, why string) {
	if !d.mixed {
		d.mixed = true
		d.notes = append(d.notes, callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Why: why}.Classify())
	}
}

// emit gives out an event of an item, or keeps it while another item is open before it.
func (d *streamDecoder) emit(b *streamItem, ev callwright.Event) {
	if !d.begun {
		d.begin(&eventData{})
	}
	if d.items[0] == b {
		d.out = append(d.out, ev)
		return
	}
	b.queue = append(b.queue, ev)
}

// close ends an item, and lets those after it go on.
func (d *streamDecoder) close(b *streamItem) {
	b.ended = true
	for len(d.items) > 0 && d.items[0].ended {
		if d.items = d.items[1:]; len(d.items) == 0 {
			return
		}
		next := d.items[0]
		d.out = append(d.out, next.queue...)
		if next.queue = nil; next.cut {
			d.endItem(next, nil)
		}
	}
}
