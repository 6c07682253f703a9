package responses

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// body is a request as it came: its bytes, the places of its top-level members, and the outline of its history.
// Messages and tools are decoded when they are first asked for.
type body struct {
	raw     []byte
	members []member
	params  callwright.Params // as decoded, to see what was changed since
	outline []callwright.Summary
	turns   []place
	plain   bool     // the input is one text
	system  bool     // the first turn is the member instructions
	carried bool     // may hold opaque state of another wire
	kept    bool     // the provider may keep the conversation: store is not false
	found   [][]byte // lists of tools inside items: the model may call them too

	messages []callwright.Message
	decoded  bool
	tools    []callwright.Tool
	toolsErr error
	names    naming
	read     bool // tools and names
}

// place is where the items of a turn stand, and what keeps a provider from taking them as they are.
type place struct {
	from, to int
	orphan   bool // the last item is reasoning, which the API refuses without the item it led to
	bare     bool // reasoning without its encrypted content
}

// member is a top-level member: where its name begins and where its value stands.
type member struct {
	key      jsonx.Key
	name     int
	from, to int
}

var _ callwright.Body = (*body)(nil)
var _ interface{ ToolBytes() []byte } = (*body)(nil)

// Wire is callwright.WireResponses.
func (b *body) Wire() callwright.WireName { return callwright.WireResponses }

// Bytes are the bytes of the request.
func (b *body) Bytes() []byte { return b.raw }

// Outline is the shape of the history.
func (b *body) Summaries() []callwright.Summary { return b.outline }

// Messages decodes the history once.
func (b *body) Messages() ([]callwright.Message, error) {
	if !b.decoded {
		b.decoded = true
		b.messages = b.decodeMessages()
	}
	return b.messages, nil
}

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	b.readTools()
	return b.tools, b.toolsErr
}

// ToolBytes are the list of tools as it stands in the body, and those inside items.
func (b *body) ToolBytes() []byte {
	list := b.toolList()
	if len(b.found) == 0 {
		return list
	}
	return slices.Concat(append([][]byte{list}, b.found...)...)
}

// toolList is the list of tools as it stands in the body.
func (b *body) toolList() []byte {
	v, _ := b.find("tools")
	return v
}

// turn gives the bytes of the items of a turn, with the commas between them.
func (b *body) turn(i int) []byte { return b.raw[b.turns[i].from:b.turns[i].to:b.turns[i].to] }

// foreign reports whether a turn holds opaque state of another wire.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.turn(i), []byte(wire.CarrierMark))
}

// find gives the value of a top-level member.
func (b *body) find(key string) ([]byte, bool) {
	for _, m := range b.members {
		if m.key.Is(key) {
			return b.raw[m.from:m.to:m.to], true
		}
	}
	return nil, false
}

// DecodeRequest indexes the body and decodes its small members. Texts of the request alias the body. The member
// previous_response_id stays in Extra: whoever keeps answers puts them before the input, see Continue.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	start, err := kit.Begin(opDecode, raw)
	if err != nil {
		return nil, err
	}
	b := &body{raw: raw, members: make([]member, 0, 24), kept: true, carried: bytes.Contains(raw, []byte(wire.CarrierMark))}
	if err := b.index(start); err != nil {
		return nil, err
	}
	req := &callwright.Request{Body: b}
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	return req, nil
}

// elsewhere are the members by which the conversation comes from the provider's side, so that no input is needed.
var elsewhere = []string{"previous_response_id", "conversation", "prompt"}

// index finds the top-level members and reads the outline on the way.
func (b *body) index(start int) error {
	o := newOutliner(b)
	var names kit.Names
	jsonx.WalkMembers(b.raw, start, func(key jsonx.Key, at int) int {
		m := member{key: key, from: at}
		m.name, _ = jsonx.Span(b.raw, key)
		switch {
		case key.Is("input"):
			m.to = o.input(at)
		case key.Is("instructions"):
			m.to = o.instructions(at)
		default:
			m.to = jsonx.SkipValue(b.raw, at)
		}
		if names.Twice(key) {
			o.fault(invalid("/"+key.String(), "expected each member once, got it twice"))
		}
		b.members = append(b.members, m)
		return m.to
	})
	o.done()
	if o.err != nil {
		return o.err
	}
	if o.items > 0 {
		return nil
	}
	for _, key := range elsewhere {
		if v, ok := b.find(key); ok && !jsonx.IsNull(v) {
			return nil
		}
	}
	if _, ok := b.find("input"); !ok {
		return invalid("/input", "expected a text or a list of items, got none")
	}
	return invalid("/input", "expected at least one item, got none")
}
