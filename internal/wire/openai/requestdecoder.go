package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// body is a request as it came. Messages and tools are decoded when they are first asked for.
type body struct {
	kit.Index
	untyped bool // a tool came without its type
	// untypedCalls says that a call of the history came without its type, as Mistral's API has it.
	untypedCalls bool
}

var _ companion.Body = (*body)(nil)

// Wire is callwright.WireOpenAI.
func (b *body) Wire() callwright.WireName { return callwright.WireOpenAI }

// Messages decodes the history once.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) { return b.Declared.Get(b.decodeTools) }

// DecodeRequest indexes the body and decodes its small members. JSON values of the request alias the body.
func (c Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	return c.DecodeRequestWith(turnmemo.Owner{}, raw)
}

// DecodeRequestWith is DecodeRequest that does not read the turns again that an earlier request had.
func (Codec) DecodeRequestWith(histories turnmemo.Owner, raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw)}
	b.Memo = histories
	if err := b.index(); err != nil {
		return nil, err
	}
	req := companion.NewRequest(b)
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	return req, nil
}

// index checks the body, finds its top-level members and reads the outline on the way.
func (b *body) index() error {
	o := &outliner{Outliner: kit.NewOutliner(opDecode, "messages", b.Raw, 0)}
	err := b.Walk(opDecode, o, func(w *kit.Walk, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("messages"):
			end = w.History(at, messageShape, o)
		case key.Is("tools"):
			end, b.untyped = w.ToolList(at)
		}
		return end
	})
	if err != nil {
		return err
	}
	b.untypedCalls = o.untyped
	return b.TakeList(&o.Outliner, "messages")
}
