package gemini

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// body is a request as it came. The outline has the system instruction first. Messages and tools are decoded when they
// are first asked for.
type body struct {
	kit.Index
	extra   callwright.Extra
	marks   []turnMarks // by message, without that of the system instruction
	carried bool        // may hold state of another wire
}

var _ companion.Body = (*body)(nil)

// Wire is callwright.WireGemini.
func (b *body) Wire() callwright.WireName { return callwright.WireGemini }

// Messages decodes the history once. Its shape was checked with the outline, so that there is no error.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.Declared.Get(func() ([]callwright.Tool, error) { return decodeTools(b.ToolBytes()) })
}

// find gives the value of a top-level member by either spelling, nil without it.
func (b *body) find(n name) []byte {
	if v := b.Find(n.camel); v != nil {
		return v
	}
	return b.Find(n.snake)
}

// spellingOf is the name of a top-level member as the body has it.
func (b *body) spellingOf(n name) string {
	if b.Find(n.snake) != nil {
		return n.snake
	}
	return n.camel
}

// marksOf are the marks of message i.
func (b *body) marksOf(i int) (m turnMarks) {
	if b.Apart {
		i--
	}
	if i >= 0 {
		m = b.marks[i]
	}
	return m
}

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.RawMessage(i), []byte(wire.CarrierMark64))
}

// DecodeRequest indexes the body and decodes its small members. Model and Params.Stream, which are not in it, stay
// empty. JSON values of the request alias the body.
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

// index checks the body, finds its top-level members and reads the outline on the way.
func (b *body) index() error {
	o := &outliner{Outliner: kit.NewOutliner(opDecode, "contents", b.Raw, 1)}
	err := b.Walk(opDecode, o, func(w *kit.Walk, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("contents"):
			end = w.Lone(at, contentShape)
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
