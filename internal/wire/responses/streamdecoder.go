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

// streamDecoder decodes one streamed response. It emits the events of items one item after another. If a provider
// interleaves items, events of later items are queued, and batches have no bytes from then on, because bytes and events
// no longer correspond. The end event of an item overrides its deltas.
type streamDecoder struct {
	texts        jsonx.StringArena
	items        []*streamItem            // open items, in the order of their start
	seen         []*streamItem            // all items, in the order of their start
	byID         map[string][]*streamItem // items by id and by call_id
	next         int                      // the highest output_index so far, plus 1
	calls        int                      // number of calls so far
	heldBytes    int                      // bytes received while several items were open or batches were held back
	begun        bool                     // Begin was emitted
	over         bool                     // the response ended, or an error was returned
	eventsDiffer bool                     // events differ from the bytes: batches have no bytes
	unfinished   bool                     // the response ended after the name of a call
	refuses      bool                     // the current text is a refusal
	logprobs     bool                     // token log probabilities were received
	end          items.Outcome            // facts that determine the Finish
	late         []*streamItem            // calls that ended with incomplete arguments
	hold         kit.DelayedBatches       // batches after the end of such a call
	out          []callwright.Event       // the events of the current Feed
	notes        []callwright.Note        // the notes of the current Feed
	in           eventData                // the current event
}

// Limits of the memory of a streamDecoder: bytes held back, calls of a response, open items.
const (
	maxHeld  = 64 << 20
	maxCalls = 4096
	maxOpen  = 64
)

// eventData holds the JSON values of the members of one event, nil for a missing one.
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

// at returns the output_index, or 0 if it is missing or invalid.
func (f *eventData) at() int {
	n, _ := f.place()
	return n
}

// smallNumber returns the integer v, or 0 if v is missing or not an integer.
func smallNumber(v []byte) int {
	n, _ := strconv.Atoi(string(v))
	return n
}

// place returns the output_index. ok is false if it is missing or not an integer from 0.
func (f *eventData) place() (n int, ok bool) {
	n, err := strconv.Atoi(string(f.index))
	return max(n, 0), err == nil && n >= 0
}

// Feed decodes one server-sent event. After the end of the response it returns the bytes of the event and no events.
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

// batch returns the events of a Feed with their bytes. f is the decoded event, nil if there is none. After a call with
// incomplete arguments, batches are held back until its arguments are complete or the response ends.
func (d *streamDecoder) batch(raw []byte, f *eventData) callwright.Batch {
	b := callwright.Batch{Events: d.out, Notes: d.notes}
	if !d.eventsDiffer && len(raw) > 0 {
		if b.Wire, b.Raw = callwright.WireResponses, raw; f != nil {
			b.Hint = f
		}
	}
	return d.hold.Filter(b, d.over || d.hold.IsSettled(), d.eventsDiffer, callwright.WireResponses)
}

// eventError returns the error in an event of type error or response.failed, or nil for other events.
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

// streamReaders maps event types to their handlers. Events of other types are forwarded but not decoded.
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

// finish ends the response. Items that did not end are completed by the items of the final response object.
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
			d.noteDeviation("wire.late_item", "an item came only with the whole answer")
			b = d.start(&eventData{item: item}, d.next)
			d.endItem(b, item)
		case !b.ended:
			d.noteDeviation("wire.open_item", "an item was not ended")
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

// endsInName reports whether the response ends after the name of a call: without its input, its end or a repetition.
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

// Close returns an error of KindTruncated unless the end of the response was received.
func (d *streamDecoder) Close() (callwright.Batch, error) {
	if d.over {
		return callwright.Batch{}, nil
	}
	return d.hold.Release(""), &callwright.Error{Op: opDecode, Kind: callwright.KindTruncated,
		Message: "expected the stream to go on to response.completed, got its end"}
}

// noteDeviation adds a note about a deviation from the API and turns the bytes of batches off, so that clients get an
// encoding of the events. Only the first deviation gets a note.
func (d *streamDecoder) noteDeviation(rule, why string) {
	if !d.eventsDiffer {
		d.eventsDiffer = true
		d.notes = append(d.notes, callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Why: why}.Classify())
	}
}

// emit emits an event of the item b, or queues it while an earlier item is open.
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

// close marks an item as ended and emits the queued events of the items after it, up to the next open item.
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
