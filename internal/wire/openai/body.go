package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// body is a request as it came. Messages and tools are decoded when they are first asked for.
type body struct {
	kit.Index
	spans    []kit.Span // of the messages
	untyped  bool       // a tool came without its type
	messages kit.Once[[]callwright.Message]
	tools    kit.Once[[]callwright.Tool]
}

var (
	_ callwright.Body                              = (*body)(nil)
	_ interface{ Message(int) callwright.Message } = (*body)(nil)
)

// Wire is callwright.WireOpenAI.
func (b *body) Wire() callwright.WireName { return callwright.WireOpenAI }

// Messages decodes the history once.
func (b *body) Messages() ([]callwright.Message, error) { return b.messages.Get(b.decodeMessages) }

// Message decodes message i of the outline alone.
func (b *body) Message(i int) callwright.Message {
	return b.decodeMessage(b.RawMessage(i), i, contentReader{})
}

// RawMessage is message i of the outline as it came.
func (b *body) RawMessage(i int) []byte { return b.At(b.spans[i]) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) { return b.tools.Get(b.decodeTools) }

// TakeTools takes the tools as they were decoded from equal bytes before. They are only read.
func (b *body) TakeTools(tools []callwright.Tool) { b.tools.Set(tools) }

// DecodeRequest indexes the body and decodes its small members. JSON values of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw)}
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
	var odd error
	seen := false
	err := b.Walk(opDecode, func(w *jsonx.Walker, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("messages") && b.Raw[at] == '[':
			seen = true
			o := &outliner{Outliner: kit.NewOutliner(opDecode, b.Raw, 0)}
			end = kit.NewCheckedWalk(&b.Document, w, o).List(at, messageShape)
			b.Outline, b.spans = o.Outline, o.Spans
			if o.Err != nil {
				odd = o.Err
			}
		case key.Is("tools"):
			end, b.untyped = b.ToolList(w, at)
		}
		return end
	})
	if err == nil {
		err = odd
	}
	if err != nil {
		return err
	}
	switch list := b.Find("messages"); {
	case list == nil:
		return invalid("/messages", "expected a list of messages, got none")
	case !seen:
		return expected("/messages", "a list of messages", list)
	case len(b.spans) == 0:
		return invalid("/messages", "expected at least one message, got none")
	}
	return nil
}
