package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// body is a request as it came. Messages and tools are decoded when they are first asked for.
type body struct {
	kit.Index
	extra   callwright.Extra
	spans   []kit.Span // of the messages
	carried bool       // may hold state of another wire
	// completion is what the request for a completion had that became this chat, nil for a chat.
	completion *completion

	messages kit.Once[[]callwright.Message]
	tools    kit.Once[[]callwright.Tool]
}

var _ callwright.Body = (*body)(nil)

// Wire is callwright.WireOllama.
func (b *body) Wire() callwright.WireName { return callwright.WireOllama }

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

// RawMessage is message i of the outline as it came.
func (b *body) RawMessage(i int) []byte { return b.At(b.spans[i]) }

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i))
}

// DecodeRequest indexes the body and decodes its small members. JSON values of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw), carried: wire.HasMark(raw)}
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
	var err *callwright.Error
	seen := false
	broken := b.Walk(opDecode, func(w *jsonx.Walker, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("messages") && b.Raw[at] == '[':
			seen = true
			o := &outliner{Outliner: kit.NewOutliner(opDecode, b.Raw, 0)}
			end = kit.NewCheckedWalk(&b.Document, w, o).List(at, messageShape)
			b.Outline, b.spans, err = o.Outline, o.Spans, o.Err
		case key.Is("tools"):
			end, _ = b.ToolList(w, at)
		case key.Is("format"): // a schema
			end = w.Value(at)
		}
		return end
	})
	switch list := b.Find("messages"); {
	case broken != nil:
		return broken
	case err != nil:
		return err
	case list == nil:
		return invalid("/messages", "expected a list of messages, got none")
	case !seen:
		return expected("/messages", "a list of messages", list)
	case len(b.spans) == 0:
		return invalid("/messages", "expected at least one message, got none")
	}
	return nil
}
