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

// streamEncoder writes one streamed answer with every event that clients look at: the answer's beginning, items one
// after another with their parts and pieces, and the whole answer at the end.
//
// Batches of this API go out as they came while their item numbers are those this encoder would give and the texts that
// they repeat are those that were written. It keeps track of the items that they open and close, so that encoded and
// passed events can follow one another; from the first batch that does not fit, everything is encoded.
type streamEncoder struct {
	kit.Encoder
	req          *callwright.Request
	names        lazyNames
	begin        callwright.Begin
	created      int64
	usage        callwright.Usage
	started      bool
	seq          int    // of the next event
	shift        int    // added to the numbers of events that pass
	next         int    // output_index of the next item
	output       []byte // the items that ended, separated by commas
	modelRefused bool
	sources      citation.Gatherer
	beside       members   // of the next text
	compacts     bool      // the client asked for a compaction, which has not come
	summary      []byte    // the text of such an answer
	text         *partKind // of the text under way
	rewritten    bool      // batches no longer fit
	fromOwnWire  bool      // the answer came over this wire
	thought      []byte    // reasoning of such an answer that waits for its id
	held         []byte    // bytes that began a message, while nothing of its text has come
	item         openItem
	scratch      writer
	in           eventData // memory for the event at hand
}

// openItem is the item under way.
type openItem struct {
	kind         itemKind
	id           string
	head         []byte // as it came, nil for one of our own
	call         callwright.CallBegin
	form         *items.Form    // of the call, once it was needed
	part         *partKind      // the part under way
	textRepeated bool           // the part's text was repeated
	text         []byte         // of the part, or a call's input
	written      int            // of a call's input
	parts        []byte         // that ended, separated by commas
	n            int            // parts that ended
	beside       members        // of the part
	cited        citation.Cited // what came after the words of the part
	citedTo      int            // and belongs to so much of its text
}

// inPart is a piece of reasoning without the blank line that tells its parts apart, which further parts have no need
// of.
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

// partKind is a kind of part of an item, by the names of its events and members.
type partKind struct {
	name   string // the part's type
	text   string // events of its text
	delta  string // the event of a piece of it
	part   string // events of the part
	member string
	index  string
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

// ContentType is that of server-sent events.
func (e *streamEncoder) ContentType() string { return "text/event-stream; charset=utf-8" }

// Encode appends a batch.
func (e *streamEncoder) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// Flush writes the input of the open call that waits for more of it.
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

// Write appends the events of this API for the event.
func (e *streamEncoder) Write(dst []byte, ev callwright.Event) []byte {
	if e.compacts && e.summarize(ev) {
		return dst
	}
	e.sources.Event(ev)
	switch ev := ev.(type) {
	case callwright.Begin:
		if e.started { // a sign of life came before
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
		return e.words(dst, messageItem, e.text, ev.Text)
	case callwright.CallBegin:
		return e.callBegin(dst, ev)
	case callwright.CallEnd:
		return e.callEnd(dst, ev)
	case callwright.OpaquePart:
		return e.opaque(dst, ev)
	}
	return dst
}

// Room returns how many bytes a short stream takes: two events at its beginning and one at its end repeat the request.
func (e *streamEncoder) Room() int { return 3 * repeatSource(e.req, callwright.Extra{}).Room() }

// event appends an event; write adds its content. It is written in place, as events that repeat the request are long.
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

// response appends an event with the response object.
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

// start writes the beginning of the answer, once.
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

// about writes the item that an event is about.
func (e *streamEncoder) about(w *writer) {
	w.Text("item_id", e.item.id)
	w.Count("output_index", e.next)
}

// openItem writes the beginning of an item, after closing the one before; body writes the item.
func (e *streamEncoder) openItem(dst []byte, item openItem, body func(w *writer)) []byte {
	dst = e.close(e.start(dst), completed)
	e.item = item
	return e.event(dst, "response.output_item.added", func(w *writer) {
		w.Count("output_index", e.next)
		w.Key("item")
		body(w)
	})
}

// closeItem writes the end of the item; body writes the item as it is now.
func (e *streamEncoder) closeItem(dst []byte, body func(w *writer)) []byte {
	return e.event(dst, "response.output_item.done", func(w *writer) {
		w.Count("output_index", e.next)
		w.Key("item")
		at := len(w.Buf)
		body(w)
		e.keep(w.Buf[at:])
	})
}

// keep takes an item into the output and leaves none open.
func (e *streamEncoder) keep(item []byte) {
	if len(e.output) > 0 {
		e.output = append(e.output, ',')
	}
	e.output = append(e.output, item...)
	e.item = openItem{}
	e.next++
}

// textBegin registers the kind of the next text. A refusal is a part of its own, and so is a text with sources.
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

// textKind takes note of the kind of the next text.
func (e *streamEncoder) textKind(ev callwright.TextBegin) {
	if e.text = outputText; (callwright.Text{Extra: ev.Extra}).IsRefusal() {
		e.text, e.modelRefused = refusalText, true
	}
}

// words writes a piece of text into the open item of the kind, or one that it opens.
func (e *streamEncoder) words(dst []byte, kind itemKind, part *partKind, s string) []byte {
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

// openText opens an item for text, a new one without an id.
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

// message writes a message item with the parts.
func (e *streamEncoder) message(w *writer, id, status string, parts []byte) {
	head := own.ExtraOf(e.item.head, []string{"id", "type", "status", "role", "content"}).JSON
	w.messageHead(head, id, status)
	w.Open("content", '[')
	w.Buf = append(append(w.Buf, parts...), "]}"...)
}

// members are the members of a text beside its words, nil for empty lists.
type members struct{ annotations, logprobs []byte }

func (m members) none() bool { return m.annotations == nil && m.logprobs == nil }

// list writes a list.
func (w *writer) list(key string, v []byte) {
	if v == nil {
		v = []byte("[]")
	}
	w.Raw(key, v)
}

// bodyOf writes a part with the text and its other members.
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

// closePart writes the end of the part, if one is open.
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

// keepPart takes a part into the item and leaves none open.
func (e *streamEncoder) keepPart(part []byte) {
	i := &e.item
	if len(i.parts) > 0 {
		i.parts = append(i.parts, ',')
	}
	i.parts = append(i.parts, part...)
	i.n++
	i.part, i.textRepeated, i.text, i.beside, i.cited, i.citedTo = nil, false, nil, members{}, citation.Cited{}, 0
}

// close ends the open item, with the status where the item has one.
func (e *streamEncoder) close(dst []byte, status string) []byte {
	switch e.item.kind {
	case messageItem:
		dst = e.closePart(dst)
		return e.closeItem(dst, func(w *writer) { e.message(w, e.item.id, status, e.item.parts) })
	case reasoningItem: // nobody signed it
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
	if e.item.kind == otherItem && e.item.head != nil { // its beginning was passed
		return e.closeItem(dst, body)
	}
	return e.closeItem(e.openItem(dst, openItem{kind: otherItem, id: kit.TextAt(ev.Extra.JSON, "id")}, body), body)
}

// An answer is repeated at its end: by the end of its text, its part, its item, and as a whole. The room for a long one
// is made at once.
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

// items writes the items that ended.
func (e *streamEncoder) items(w *writer) { w.Buf = append(w.Buf, e.output...) }

// Fail appends the answer as one that failed. Nothing may follow it.
func (e *streamEncoder) Fail(dst []byte, err *callwright.Error) []byte {
	dst = e.Flush(dst)
	if e.Ended = true; !e.started {
		e.begin.ID = answerID(e.begin.ID)
	}
	return e.response(dst, "response.failed", object{status: "failed", output: e.items, usage: e.usage, err: err})
}
