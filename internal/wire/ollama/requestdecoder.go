package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// body is the JSON body of a client's request with an index of its members. Messages and tools are decoded at their
// first use.
type body struct {
	kit.Index
	extra   callwright.Extra // unknown top-level members
	carried bool             // the body may have opaque state of another API
	// completion is set if the body was made from a request to /api/generate.
	completion *completion
}

var _ companion.Body = (*body)(nil)

// Wire returns the name of the API that the request came over: callwright.WireOllama.
func (b *body) Wire() callwright.WireName { return callwright.WireOllama }

// Messages decodes the messages at the first call and returns the same list afterwards. The error is always nil,
// because DecodeRequest has validated them.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools at the first call and returns the same list afterwards.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.Declared.Get(func() ([]callwright.Tool, error) { return decodeTools(b.ToolBytes()) })
}

// foreign reports whether message i has opaque state of another API, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i))
}

// DecodeRequest indexes the body of a client's request and decodes its model and parameters. Messages and tools are
// decoded later. JSON values of the request alias raw. Errors are *callwright.Error of KindInvalid.
func (c Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	return c.DecodeRequestWith(turnmemo.Owner{}, raw)
}

// DecodeRequestWith is DecodeRequest with a cache: it does not scan messages again that an earlier request of the owner
// histories began with.
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

// index validates the JSON of the body and records its top-level members and a summary of each message.
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
