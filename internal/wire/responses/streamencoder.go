package responses

import (
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
	"github.com/callwright/callwright/sse"
)

// streamEncoder encodes one streamed response for a client, with all events that client libraries use: the beginning of
// the response, its items one after another with their parts and deltas, and the complete response at the end.
//
// It forwards the bytes of batches of this API while their output_index is the one that the encoder would assign and
// the texts that they repeat equal the deltas written before. It tracks the items that forwarded events open and close.
// From the first batch that cannot be forwarded on, it encodes everything.
type streamEncoder struct {
	kit.Encoder
	req          *callwright.Request // the client's request
	names        lazyNames           // the client's names of tools
	begin        callwright.Begin
	created      int64 // Unix time in seconds
	usage        callwright.Usage
	started      bool              // response.created was written
	seq          int               // sequence_number of the next event
	shift        int               // added to the sequence_number of forwarded events
	next         int               // output_index of the next item
	output       []byte            // JSON of the items that ended, separated by commas
	modelRefused bool              // the response has a refusal
	sources      citation.Gatherer // citations from other APIs
	beside       members           // of the next text
	compacts     bool              // the client asked for a compaction, which was not received yet
	summary      []byte            // the text that becomes the compaction
	text         *partKind         // kind of the current text: text or refusal
	rewritten    bool              // batches can no longer be forwarded
	fromOwnWire  bool              // the response comes from a provider of this API
	thought      []byte            // buffered reasoning of such a response
	held         []byte            // buffered events that opened a message without text so far
	item         openItem          // the open item
	scratch      writer            // writes into the output buffer
	in           eventData         // memory for the current event
}

// openItem is the item that is being written. Its kind is noItem if there is none.
type openItem struct {
	kind         itemKind
	id           string
	head         []byte // the item in the provider's opening event, nil for an encoded item
	call         callwright.CallBegin
	form         *items.Form    // item type of the call, set at the first use
	part         *partKind      // kind of the open part, nil if none is open
	textRepeated bool           // the event that repeats the part's text was written
	text         []byte         // text of the part, or input of the call
	written      int            // number of bytes of a call's input that were written
	parts        []byte         // JSON of the parts that ended, separated by commas
	n            int            // number of parts that ended
	beside       members        // of the open part
	cited        citation.Cited // annotations that came after the text of the part
	citedTo      int            // number of bytes of text that cited covers
}

// inPart removes the empty line before a further reasoning part from the delta s, because this API has separate parts.
func (i *openItem) inPart(s string) string {
	if i.kind == reasoningItem && i.n > 0 && len(i.text) == 0 {
		return strings.TrimPrefix(s, "\n\n")
	}
	return s
}

type itemKind uint8

const (
	noItem itemKind = iota
	messageItem
	reasoningItem
	callItem
	otherItem
)

// partKind describes a type of content part: the names of its events and members.
type partKind struct {
	name   string // type of the part
	text   string // beginning of the types of events about its text
	delta  string // type of the event with a text delta
	part   string // beginning of the types of events about the part
	member string // member of the part that holds the text
	index  string // member of events with the position of the part
}

var partKinds = []partKind{
	{"output_text", "response.output_text", "response.output_text.delta", "response.content_part", "text", "content_index"},
	{"refusal", "response.refusal", "response.refusal.delta", "response.content_part", "refusal", "content_index"},
	{"summary_text", "response.reasoning_summary_text", "response.reasoning_summary_text.delta",
		"response.reasoning_summary_part", "text", "summary_index"},
	{"reasoning_text", "response.reasoning_text", "response.reasoning_text.delta", "response.content_part", "text", "content_index"},
}

var (
	outputText  = &partKinds[0]
	refusalText = &partKinds[1]
	summaryText = &partKinds[2]
)

var _ wire.StreamEncoder = (*streamEncoder)(nil)

func newEncoder(req *callwright.Request) *streamEncoder {
	return &streamEncoder{req: req, names: lazyNames{req: req}, compacts: compacts(req), text: outputText, scratch: newWriter(nil),
		sources: citation.Gatherer{Own: callwright.WireResponses}}
}

// ContentType returns the media type of server-sent events.
func (e *streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch: its bytes if they continue a response of this API, otherwise an encoding of its events.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// Flush appends the buffered input of the open call as one delta event.
func (e *streamEncoder) Flush(dst []byte) []byte {
	i := &e.item
	if i.kind != callItem || i.written == len(i.text) {
		return dst
	}
	piece := i.text[i.written:]
	i.written = len(i.text)
	name := e.form().InputEvents()
	if name == "" {
		return dst
	}
	return e.event(dst, name+".delta", func(w *writer) {
		e.about(w)
		w.Key("delta")
		w.Buf = jsonx.AppendQuote(w.Buf, piece)
	})
}

// Write appends the encoding of an event, zero or more events of this API.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	if e.compacts && e.summarize(ev) {
		return dst
	}
	e.sources.Event(ev)
	switch ev := ev.(type) {
	case callwright.Begin:
		if e.started { // KeepAlive wrote the beginning
			ev.ID = e.begin.ID
		}
		e.begin = ev
		return e.start(dst)
	case callwright.UsageDelta:
		e.usage = e.usage.Merge(ev.Usage)
		return dst
	case callwright.End:
		e.drop()
		return e.end(e.writeSummary(e.writeThought(dst, "")), ev)
	case callwright.TextBegin:
		return e.textBegin(dst, ev)
	}
	e.rewritten = true
	if t, ok := ev.(callwright.TextDelta); ok && t.Text != "" {
		dst = e.release(dst)
	} else {
		e.drop()
	}
	switch ev := ev.(type) {
	case callwright.ReasoningDelta:
		return e.think(dst, ev.Text)
	case callwright.ReasoningEnd:
		return e.reasoningEnd(e.writeThought(dst, ev.ID), ev)
	}
	dst = e.writeThought(dst, "")
	switch ev := ev.(type) {
	case callwright.CallDelta:
		e.callDelta(ev.Text)
		return dst
	case callwright.TextDelta:
		return e.appendTextDelta(dst, messageItem, e.text, ev.Text)
	case callwright.CallBegin:
		return e.callBegin(dst, ev)
	case callwright.CallEnd:
		return e.callEnd(dst, ev)
	case callwright.OpaquePart:
		return e.opaque(dst, ev)
	}
	return dst
}

// Room returns the approximate size of a short stream in bytes. Three of its events repeat the request parameters.
func (e *streamEncoder) Room() int { return 3 * repeatSource(e.req, callwright.Extra{}).Room() }

// event appends a server-sent event of the type name. write adds the members of its data, which are encoded in place.
func (e *streamEncoder) event(dst []byte, name string, write func(w *writer)) []byte {
	before, w := len(dst), &e.scratch
	w.Buf = append(append(append(dst, "event: "...), name...), "\ndata: {"...)
	at := len(w.Buf) - len("{")
	w.Text("type", name)
	write(w)
	w.Count("sequence_number", e.seq)
	w.Close('}')
	e.seq++
	dst, w.Buf = w.Buf, nil
	if line := kit.OneLine(dst[at:]); &line[0] != &dst[at] { // it had line ends
		return sse.Append(dst[:before], name, line)
	}
	return append(dst, "\n\n"...)
}

// response appends an event with the response object o.
func (e *streamEncoder) response(dst []byte, name string, o object) []byte {
	o.req, o.id, o.extra, o.created = e.req, e.begin.ID, e.begin.Extra, e.created
	if o.model = e.begin.Model; o.model == "" && e.req != nil {
		_, o.model = e.req.Model.Split()
	}
	return e.event(dst, name, func(w *writer) {
		w.Key("response")
		o.write(w)
	})
}

// start appends response.created and response.in_progress at the first call and nothing later.
func (e *streamEncoder) start(dst []byte) []byte {
	if e.started {
		return dst
	}
	e.started = true
	e.begin.ID = answerID(e.begin.ID)
	e.created = time.Now().Unix()
	dst = e.response(dst, "response.created", object{status: inProgress})
	return e.response(dst, "response.in_progress", object{status: inProgress})
}

// about writes the members item_id and output_index of the open item.
func (e *streamEncoder) about(w *writer) {
	w.Text("item_id", e.item.id)
	w.Count("output_index", e.next)
}

// openItem ends the open item, if any, and appends the event that opens a new one. body writes the item as JSON.
func (e *streamEncoder) openItem(dst []byte, item openItem, body func(w *writer)) []byte {
	dst = e.close(e.start(dst), completed)
	e.item = item
	return e.event(dst, "response.output_item.added", func(w *writer) {
		w.Count("output_index", e.next)
		w.Key("item")
		body(w)
	})
}

// closeItem appends the event that ends the open item. body writes the complete item as JSON.
func (e *streamEncoder) closeItem(dst []byte, body func(w *writer)) []byte {
	return e.event(dst, "response.output_item.done", func(w *writer) {
		w.Count("output_index", e.next)
		w.Key("item")
		at := len(w.Buf)
		body(w)
		e.keep(w.Buf[at:])
	})
}

// keep adds the JSON of an ended item to the output. No item is open afterwards.
func (e *streamEncoder) keep(item []byte) {
	if len(e.output) > 0 {
		e.output = append(e.output, ',')
	}
	e.output = append(e.output, item...)
	e.item = openItem{}
	e.next++
}

// textBegin prepares for the next text. A refusal, or a text with annotations or logprobs, becomes a separate part.
func (e *streamEncoder) textBegin(dst []byte, ev callwright.TextBegin) []byte {
	e.textKind(ev)
	i := &e.item
	e.beside = members{findList(ev.Extra, "annotations"), findList(ev.Extra, "logprobs")}
	switch {
	case i.kind != messageItem || i.part == nil, i.part == e.text && e.beside.none() && i.beside.none():
		return dst
	case i.part == e.text && len(i.text) == 0:
		i.beside, e.beside = e.beside, members{}
		return dst
	case len(e.held) > 0:
		e.drop()
		return dst
	}
	return e.closePart(dst)
}

// textKind stores whether the next text is a refusal.
func (e *streamEncoder) textKind(ev callwright.TextBegin) {
	if e.text = outputText; (callwright.Text{Extra: ev.Extra}).IsRefusal() {
		e.text, e.modelRefused = refusalText, true
	}
}

// appendTextDelta appends a text delta. It opens an item of the kind and a part if none is open.
func (e *streamEncoder) appendTextDelta(dst []byte, kind itemKind, part *partKind, s string) []byte {
	if s == "" {
		return dst
	}
	if e.item.kind != kind {
		dst = e.openText(dst, kind, "")
	}
	if e.item.part == nil || e.item.textRepeated {
		dst = e.openPart(e.closePart(dst), part)
	}
	if s = e.item.inPart(s); s == "" {
		return dst
	}
	e.item.text = append(e.item.text, s...)
	return e.event(dst, e.item.part.delta, func(w *writer) {
		e.about(w)
		w.Count(e.item.part.index, e.item.n)
		w.Text("delta", s)
		if e.item.part == outputText {
			w.Raw("logprobs", []byte("[]"))
		}
	})
}

// openText opens a message or reasoning item. If id is "", the item gets a new id. A message always gets a new one.
func (e *streamEncoder) openText(dst []byte, kind itemKind, id string) []byte {
	if kind == messageItem {
		item := openItem{kind: kind, id: newID("msg_")}
		return e.openItem(dst, item, func(w *writer) { e.message(w, item.id, inProgress, nil) })
	}
	if id == "" {
		id = newID("rs_")
	}
	item := openItem{kind: kind, id: id}
	return e.openItem(dst, item, func(w *writer) {
		items.OpenReasoning(&w.Writer, item.id, e.fromOwnWire, inProgress)
	})
}

// message writes a message item as JSON. parts holds its content parts, separated by commas.
func (e *streamEncoder) message(w *writer, id, status string, parts []byte) {
	head := own.ExtraOf(e.item.head, []string{"id", "type", "status", "role", "content"}).JSON
	w.messageHead(head, id, status)
	w.Open("content", '[')
	w.Buf = append(append(w.Buf, parts...), "]}"...)
}

// members holds the JSON lists annotations and logprobs of a text, nil for empty ones.
type members struct{ annotations, logprobs []byte }

func (m members) none() bool { return m.annotations == nil && m.logprobs == nil }

// list writes the JSON list v as the member key, [] for nil.
func (w *writer) list(key string, v []byte) {
	if v == nil {
		v = []byte("[]")
	}
	w.Raw(key, v)
}

// bodyOf writes a content part as JSON.
func (p *partKind) bodyOf(w *writer, text []byte, beside members) {
	w.Open("", '{')
	w.Text("type", p.name)
	w.Key(p.member)
	w.Buf = jsonx.AppendQuote(w.Buf, text)
	if p == outputText {
		w.list("annotations", beside.annotations)
		w.list("logprobs", beside.logprobs)
	}
	w.Close('}')
}

func (e *streamEncoder) openPart(dst []byte, part *partKind) []byte {
	e.item.part, e.item.beside, e.beside = part, e.beside, members{}
	return e.event(dst, part.part+".added", func(w *writer) {
		e.about(w)
		w.Count(part.index, e.item.n)
		w.Key("part")
		part.bodyOf(w, nil, members{})
	})
}

// closePart appends the events that end the open part, if there is one.
func (e *streamEncoder) closePart(dst []byte) []byte {
	i := &e.item
	if i.part == nil {
		return dst
	}
	dst, list := e.citations(dst)
	if !i.textRepeated {
		dst = e.event(dst, i.part.text+".done", func(w *writer) {
			e.about(w)
			w.Count(i.part.index, i.n)
			w.Key(i.part.member)
			w.Buf = jsonx.AppendQuote(w.Buf, i.text)
			if i.part == outputText {
				w.list("logprobs", i.beside.logprobs)
			}
		})
	}
	return e.event(dst, i.part.part+".done", func(w *writer) {
		e.about(w)
		w.Count(i.part.index, i.n)
		w.Key("part")
		at := len(w.Buf)
		i.part.bodyOf(w, i.text, members{list, i.beside.logprobs})
		e.keepPart(w.Buf[at:])
	})
}

// keepPart adds the JSON of an ended part to the open item. No part is open afterwards.
func (e *streamEncoder) keepPart(part []byte) {
	i := &e.item
	if len(i.parts) > 0 {
		i.parts = append(i.parts, ',')
	}
	i.parts = append(i.parts, part...)
	i.n++
	i.part, i.textRepeated, i.text, i.beside, i.cited, i.citedTo = nil, false, nil, members{}, citation.Cited{}, 0
}

// close ends the open item, if any. A message or call gets the status, such as "completed".
func (e *streamEncoder) close(dst []byte, status string) []byte {
	switch e.item.kind {
	case messageItem:
		dst = e.closePart(dst)
		return e.closeItem(dst, func(w *writer) { e.message(w, e.item.id, status, e.item.parts) })
	case reasoningItem: // without opaque state
		return e.endReasoning(dst, callwright.ReasoningEnd{})
	case callItem:
		return e.endCall(dst, nil, status)
	case otherItem:
		item := e.item.head
		return e.closeItem(dst, func(w *writer) { w.Buf = append(w.Buf, item...) })
	}
	return dst
}

func (e *streamEncoder) opaque(dst []byte, ev callwright.OpaquePart) []byte {
	if ev.Extra.Wire != callwright.WireResponses || kit.TextAt(ev.Extra.JSON, "type") == "" {
		e.cite(ev.Extra)
		return dst
	}
	body := func(w *writer) { w.Buf = append(w.Buf, ev.Extra.JSON...) }
	if e.item.kind == otherItem && e.item.head != nil { // its beginning was forwarded
		return e.closeItem(dst, body)
	}
	return e.closeItem(e.openItem(dst, openItem{kind: otherItem, id: kit.TextAt(ev.Extra.JSON, "id")}, body), body)
}

// The end of a stream repeats the text up to repeatedAtEnd times, in the events that end the text, the part, the item
// and the response. For a text of at least longAnswer bytes, the buffer is grown once to hold all of them.
const (
	longAnswer    = 64 << 10
	repeatedAtEnd = 5
)

func (e *streamEncoder) end(dst []byte, ev callwright.End) []byte {
	status, reason := items.StatusOf(ev.Finish, e.modelRefused)
	if n := len(e.item.text) + len(e.item.parts) + len(e.output); n >= longAnswer {
		dst = slices.Grow(dst, repeatedAtEnd*n)
	}
	if e.item.part != outputText {
		dst = e.lateSources(dst)
	}
	dst = e.close(e.start(dst), status)
	e.sources.Release()
	return e.response(dst, "response."+status, object{status: status, reason: reason, output: e.items, usage: e.usage})
}

// items writes the items that ended, separated by commas.
func (e *streamEncoder) items(w *writer) { w.Buf = append(w.Buf, e.output...) }

// Fail appends a response.failed event with the error. Nothing may follow it.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	dst = e.Flush(dst)
	if e.Ended = true; !e.started {
		e.begin.ID = answerID(e.begin.ID)
	}
	return e.response(dst, "response.failed", object{status: "failed", output: e.items, usage: e.usage, err: err})
}
