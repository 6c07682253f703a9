package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// body is the JSON body of a client's request with an index of its members. The system instruction is the first
// message, if there is one. Messages and tools are decoded at their first use.
type body struct {
	kit.Index
	extra   callwright.Extra // unknown top-level members
	marks   []turnMarks      // one for each message except the system instruction
	carried bool             // the body may have opaque state of another API
}

var _ companion.Body = (*body)(nil)

// Wire returns the name of the API that the request came over: callwright.WireGemini.
func (b *body) Wire() callwright.WireName { return callwright.WireGemini }

// Messages decodes the messages at the first call and returns the same list afterwards. The error is always nil,
// because DecodeRequest has validated them.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools at the first call and returns the same list afterwards.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.Declared.Get(func() ([]callwright.Tool, error) { return decodeTools(b.ToolBytes()) })
}

// find returns the value of a top-level member in one of its spellings, nil if it is missing.
func (b *body) find(n name) []byte {
	if v := b.Find(n.camel); v != nil {
		return v
	}
	return b.Find(n.snake)
}

// spellingOf returns the spelling of a top-level member that the body uses, camel case if it does not have the member.
func (b *body) spellingOf(n name) string {
	if b.Find(n.snake) != nil {
		return n.snake
	}
	return n.camel
}

// marksOf returns the marks of message i, which are zero for the system instruction.
func (b *body) marksOf(i int) (m turnMarks) {
	if b.Apart {
		i--
	}
	if i >= 0 {
		m = b.marks[i]
	}
	return m
}

// foreign reports whether message i has opaque state of another API, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.RawMessage(i), []byte(wire.CarrierMark64))
}

// DecodeRequest indexes the body of a client's request and decodes its parameters. Messages and tools are decoded
// later. Model and Params.Stream stay empty, because the URL path contains them. JSON values of the request alias raw.
// Errors are *callwright.Error of KindInvalid.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw), carried: bytes.Contains(raw, []byte(wire.CarrierMark64))}
	b.Camel = true
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
	o := &outliner{Outliner: kit.NewOutliner(opDecode, "contents", b.Raw, 1)}
	err := b.Walk(opDecode, o, func(w *kit.Walk, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("contents"):
			end = w.ListOrOne(at, contentShape)
		case systemInstruction.is(key) && b.Raw[at] == '{':
			end = w.Element(-1, at, contentShape)
		case systemInstruction.is(key):
			end = w.Value(at)
			o.instruction(b.Raw[at:end:end], kit.Span{From: at, To: end})
		case key.Is("tools"):
			end, _ = w.ToolList(at)
		}
		return end
	})
	if err != nil {
		return err
	}
	b.marks = o.marks
	return b.TakeList(&o.Outliner, "contents")
}
