package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// body is a request as it came. Messages and tools are decoded when they are first asked for.
type body struct {
	kit.Index
	extra   callwright.Extra
	carried bool // may hold state of another wire
	// completion has the members of the request for a completion that this chat was made of, nil for a chat.
	completion *completion
}

var _ companion.Body = (*body)(nil)

// Wire is callwright.WireOllama.
func (b *body) Wire() callwright.WireName { return callwright.WireOllama }

// Messages decodes the history once. Its shape was checked with the outline, so that there is no error.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.Declared.Get(func() ([]callwright.Tool, error) { return decodeTools(b.ToolBytes()) })
}

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i))
}

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
			end, _ = w.ToolList(at)
		case key.Is("format"): // a schema
			end = w.Data(at)
		}
		return end
	})
	if err != nil {
		return err
	}
	b.carried = wire.HasMark(b.Find("messages"))
	return b.TakeList(&o.Outliner, "messages")
}
