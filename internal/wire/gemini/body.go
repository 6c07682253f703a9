package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// body is a request as it came. The outline has the system instruction first. Messages and tools are decoded when they are
// first asked for.
type body struct {
	kit.Index
	extra   callwright.Extra
	spans   []kit.Span // of the messages
	signed  []bool     // by message: its first call has a signature
	system  bool       // the first turn is the system instruction
	carried bool       // may hold state of another wire

	messages kit.Once[[]callwright.Message]
	tools    kit.Once[[]callwright.Tool]
}

var _ callwright.Body = (*body)(nil)

// Wire is callwright.WireGemini.
func (b *body) Wire() callwright.WireName { return callwright.WireGemini }

// Messages decodes the history once. Its shape was checked with the outline, so that there is no error.
func (b *body) Messages() ([]callwright.Message, error) { return b.messages.Get(b.decodeMessages) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.tools.Get(func() ([]callwright.Tool, error) { return decodeTools(b.ToolBytes()) })
}

// TakeTools takes the tools as they were decoded from equal bytes before. They are only read.
func (b *body) TakeTools(tools []callwright.Tool) { b.tools.Set(tools) }

// ToolBytes is the list of tools as it stands in the body.
func (b *body) ToolBytes() []byte { return b.Find("tools") }

// find gives the value of a top-level member by either spelling, nil without it.
func (b *body) find(n name) []byte {
	for key, v := range b.Members() {
		if n.is(key) {
			return v
		}
	}
	return nil
}

// spelled is the name of a top-level member as the body has it.
func (b *body) spelled(n name) string {
	if b.Find(n.snake) != nil {
		return n.snake
	}
	return n.camel
}

// RawMessage is message i of the outline as it came.
func (b *body) RawMessage(i int) []byte { return b.At(b.spans[i]) }

// isSigned reports whether the first call of message i has a signature.
func (b *body) isSigned(i int) bool {
	if b.system {
		i--
	}
	return i >= 0 && b.signed[i]
}

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.RawMessage(i), []byte(wire.CarrierMark64))
}

// DecodeRequest indexes the body and decodes its small members. Model and Params.Stream, which are not in it, stay empty.
// JSON values of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewCamelIndex(raw), carried: bytes.Contains(raw, []byte(wire.CarrierMark64))}
	if err := b.index(); err != nil {
		return nil, err
	}
	req := &callwright.Request{Body: b}
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	return req, nil
}

// index checks the body, finds its top-level members and reads the outline on the way.
func (b *body) index() error {
	o := &outliner{Outliner: kit.NewOutliner(opDecode, b.Raw, 1)}
	contents := []byte(nil)
	broken := b.Walk(opDecode, func(w *jsonx.Walker, key jsonx.Key, at int) int {
		var end int
		switch {
		case key.Is("contents"):
			end = kit.NewCheckedWalk(&b.Document, w, o).Lone(at, contentShape)
		case systemInstruction.is(key) && b.Raw[at] == '{':
			end = kit.NewCheckedWalk(&b.Document, w, o).Element(0, at, systemShape)
		case key.Is("tools"):
			end, _ = b.ToolList(w, at)
		default:
			end = b.Value(w, at)
		}
		v := b.Raw[at:end:end]
		switch {
		case key.Is("contents"):
			contents = v
		case systemInstruction.is(key) && jsonx.IsText(v):
			o.instruction(v, kit.Span{From: at, To: end})
		case systemInstruction.is(key) && !jsonx.IsObject(v) && !jsonx.IsNull(v):
			o.Fail("/"+systemInstruction.camel, "a content object", v)
		}
		return end
	})
	switch {
	case broken != nil:
		return broken
	case o.Err != nil:
		return o.Err
	case contents == nil:
		return invalid("/contents", "expected a list of contents, got none")
	case !listed(contents):
		return expected("/contents", "a list of contents", contents)
	case len(o.Spans) == 1:
		return invalid("/contents", "expected at least one content, got none")
	}
	b.spans, b.Outline, b.signed, b.system = o.Spans, o.Outline, o.signed, o.Spans[0].To > 0
	if !b.system {
		b.spans, b.Outline = b.spans[1:], b.Outline[1:]
	}
	return nil
}
