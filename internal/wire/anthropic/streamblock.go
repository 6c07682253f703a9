package anthropic

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// streamBlocks maps block types to their handlers. Blocks of other types are opaque.
var streamBlocks = map[string]streamBlockType{
	"text":              {start: startText, read: (*streamDecoder).textDelta, end: endNothing},
	"thinking":          {start: startThinking, read: (*streamDecoder).thinkingDelta, end: (*streamDecoder).endThinking},
	"redacted_thinking": {start: startThinking, read: readNothing, end: (*streamDecoder).endThinking},
	"tool_use":          {start: startCall, read: (*streamDecoder).inputDelta, end: (*streamDecoder).endCall},
}

type streamBlockType struct {
	start func(*streamDecoder, *streamBlock, []byte)
	read  func(*streamDecoder, *streamBlock, string, []byte)
	end   func(*streamDecoder, *streamBlock)
}

var opaqueBlock = streamBlockType{start: startOpaque, read: (*streamDecoder).opaqueDelta, end: (*streamDecoder).endOpaque}

// maxOpen is the maximum number of blocks that may be open at the same time.
const maxOpen = 64

func (d *streamDecoder) blockStart(f *streamEvent) {
	index := number(f.index)
	if b := d.openBlock(index); b != nil {
		d.blockStop(b) // the server did not end it
	}
	if len(d.blocks) == maxOpen {
		d.closeAll()
	}
	kind, _ := jsonx.Find(f.block, "type")
	d.hint.Value.block = blockKind(jsonx.TextBytes(kind))
	if d.hint.Value.block == kindText {
		text, _ := jsonx.Find(f.block, "text")
		d.hint.Value.empty = len(jsonx.TextBytes(text)) == 0
	}
	d.begin(index, string(jsonx.TextBytes(kind)), f.block)
}

func (d *streamDecoder) begin(index int, kind string, raw []byte) *streamBlock {
	d.noteEarlyFinish()
	row, ok := streamBlocks[kind]
	if !ok {
		row = opaqueBlock
	}
	b := &streamBlock{index: index, read: row.read, end: row.end}
	d.blocks = append(d.blocks, b)
	d.mixed = d.mixed || len(d.blocks) > 1
	row.start(d, b, raw)
	return b
}

// blockDelta decodes a delta. A text or thinking delta for a block that was never started starts the block.
func (d *streamDecoder) blockDelta(f *streamEvent) {
	var kind string
	for k, v := range jsonx.Members(f.delta) {
		if k.Is("type") {
			kind = deltaName(jsonx.TextBytes(v))
		}
	}
	d.hint.Value.signs = kind == "signature_delta"
	index := number(f.index)
	b := d.openBlock(index)
	if b == nil {
		implied, ok := impliedBlocks[kind]
		if !ok {
			d.lateDelta(index, kind, f.delta)
			return
		}
		b = d.begin(index, implied, nil)
	}
	b.read(d, b, kind, f.delta)
}

// lateDelta decodes an input delta for a call that has ended.
func (d *streamDecoder) lateDelta(index int, kind string, delta []byte) {
	s := d.texts.Of(deltaText(delta, "partial_json"))
	if kind != "input_json_delta" || s == "" {
		return
	}
	if b := d.late[index]; b != nil && d.hold.AddLate(b.call, s) {
		d.found.Add(foundLatePiece)
		if _ = b.input.FeedString(s); b.input.Complete() {
			d.hold.Settle(b.call)
		}
		return
	}
	if strings.TrimSpace(s) != "" {
		d.found.Add(foundStray)
	}
}

var impliedBlocks = map[string]string{"text_delta": "text", "thinking_delta": "thinking"}

// deltaName returns the name as a string. It does not allocate for the common types of deltas.
func deltaName(name []byte) string {
	switch string(name) {
	case "text_delta":
		return "text_delta"
	case "input_json_delta":
		return "input_json_delta"
	case "thinking_delta":
		return "thinking_delta"
	case "signature_delta":
		return "signature_delta"
	}
	return string(name)
}

// piece returns a copy of the string member of a delta, because events outlive the bytes of the stream event.
func piece(delta []byte, member string) string {
	s, _ := jsonx.String(deltaText(delta, member))
	return s
}

// deltaText returns the JSON value of a member of a delta, nil if it is missing.
func deltaText(delta []byte, member string) []byte {
	v, _ := jsonx.Find(delta, member)
	return v
}

// startText begins a text. If it, or the text before it, has citations, it is separated from that by a TextBegin. raw
// is the starting block, whose citations and text are emitted.
func startText(d *streamDecoder, b *streamBlock, raw []byte) {
	list, _ := jsonx.Find(raw, citations)
	if d.cited || jsonx.IsArray(list) {
		d.cited = false
		d.emit(b, callwright.TextBegin{Extra: own.Extra([]byte(`{"citations":[]}`))})
	}
	for v := range jsonx.Elements(list) {
		d.cite(b, slices.Concat([]byte(`{"type":"citations_delta","citation":`), v, []byte{'}'}))
	}
	if s := piece(raw, "text"); s != "" {
		b.deltas = true
		d.emit(b, callwright.TextDelta{Text: s})
	}
}

// cite emits a citation of the block. delta is the citations_delta as JSON.
func (d *streamDecoder) cite(b *streamBlock, delta []byte) {
	x := own.Keep(callwright.Extra{}, citationsDelta, delta)
	if !b.deltas {
		x = own.Keep(x, citation.AheadKey, []byte("true"))
	}
	d.cited = true
	d.emit(b, callwright.OpaquePart{Extra: x})
}

func (d *streamDecoder) textDelta(b *streamBlock, kind string, delta []byte) {
	switch s := d.texts.Of(deltaText(delta, "text")); {
	case kind == "text_delta" && s != "":
		b.deltas = true
		d.emit(b, callwright.TextDelta{Text: s})
	case kind == citationsDelta:
		d.cite(b, slices.Clone(delta))
	}
}

// citationsDelta is the type of a delta with a citation. In the Extra of a part it is the member that holds that delta.
const citationsDelta = "citations_delta"

func endNothing(*streamDecoder, *streamBlock) {}

func readNothing(*streamDecoder, *streamBlock, string, []byte) {}

func startThinking(d *streamDecoder, b *streamBlock, raw []byte) {
	b.think = callwright.Reasoning{Signature: piece(raw, "signature"), Redacted: piece(raw, "data")}
	if s := piece(raw, "thinking"); s != "" {
		b.deltas = true
		d.emit(b, callwright.ReasoningDelta{Text: s})
	}
	b.think.Extra = others(slices.Clone(raw), []string{"thinking", "signature", "data"}).extra()
}

func (d *streamDecoder) thinkingDelta(b *streamBlock, kind string, delta []byte) {
	switch kind {
	case "thinking_delta":
		if s := d.texts.Of(deltaText(delta, "thinking")); s != "" {
			b.deltas = true
			d.emit(b, callwright.ReasoningDelta{Text: s})
		}
	case "signature_delta":
		b.sum = append(b.sum, piece(delta, "signature")...)
	}
}

func (d *streamDecoder) endThinking(b *streamBlock) {
	r := b.think
	if r.Signature += string(b.sum); b.deltas || r.Signature+r.Redacted != "" {
		d.emit(b, callwright.ReasoningEnd{Signature: r.Signature, Redacted: r.Redacted, Origin: origin, Extra: r.Extra})
	}
}

func startCall(d *streamDecoder, b *streamBlock, raw []byte) {
	b.call, b.isCall = d.calls, true
	d.calls++
	if input, ok := jsonx.Find(raw, "input"); ok && jsonx.KindOf(input) == jsonx.Object {
		b.raw = slices.Clone(input)
	}
	extra := others(slices.Clone(raw), []string{"id", "name", "input"}).extra()
	d.emit(b, callwright.CallBegin{Index: b.call, ID: piece(raw, "id"), Name: piece(raw, "name"), Origin: origin, Extra: extra})
}

func (d *streamDecoder) inputDelta(b *streamBlock, kind string, delta []byte) {
	if s := d.texts.Of(deltaText(delta, "partial_json")); kind == "input_json_delta" && s != "" {
		b.deltas = true
		_ = b.input.FeedString(s) // invalid input is handled after the call
		d.emit(b, callwright.CallDelta{Index: b.call, Text: s})
	}
}

// endCall ends a call. If it had no deltas, its input is that of the starting block, for servers that send no deltas. A
// call with incomplete input may still get deltas.
func (d *streamDecoder) endCall(b *streamBlock) {
	lacks := b.lacksValidInput()
	if !b.deltas {
		input := string(b.raw)
		if lacks {
			input = "{}"
		}
		d.emit(b, callwright.CallDelta{Index: b.call, Text: input})
	}
	if lacks {
		if d.late == nil {
			d.late = map[int]*streamBlock{}
		}
		d.late[b.index] = b
		d.hold.EndCall(b.call, !b.deltas)
	}
	d.emit(b, callwright.CallEnd{Index: b.call})
}

// lacksValidInput reports whether the block is a call whose input so far is not a complete JSON value. Late deltas may
// complete it.
func (b *streamBlock) lacksValidInput() bool {
	switch {
	case !b.isCall:
		return false
	case b.deltas:
		return !b.input.Complete()
	}
	return b.raw == nil || b.raw[jsonx.Space(b.raw, 1)] == '}'
}

func startOpaque(_ *streamDecoder, b *streamBlock, raw []byte) { b.raw = slices.Clone(raw) }

func (d *streamDecoder) opaqueDelta(b *streamBlock, kind string, delta []byte) {
	if kind == "input_json_delta" {
		b.sum = append(b.sum, d.texts.Of(deltaText(delta, "partial_json"))...)
		return
	}
	b.beside = slices.Clone(delta)
}

// endOpaque emits an opaque block in the form that it has in a response that is not streamed.
func (d *streamDecoder) endOpaque(b *streamBlock) {
	if late := others(b.beside, []string{"type"}).extra(); late.JSON != nil {
		list, _ := jsonx.ParseObject(b.raw)
		list.SetAll(late.JSON)
		b.raw = list.Append(nil)
	}
	if len(b.sum) > 0 && jsonx.Valid(b.sum) == nil {
		list, _ := jsonx.ParseObject(b.raw)
		list.Set("input", b.sum)
		b.raw = list.Append(nil)
	}
	d.emit(b, callwright.OpaquePart{Extra: own.Extra(b.raw)})
}
