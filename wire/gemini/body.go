package gemini

import (
	"bytes"

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
	extra   callwright.Extra
	outline []callwright.Summary
	turns   []place // of the messages
	system  bool    // the first turn is the system instruction
	carried bool    // may hold state of another wire

	// question is the turn with which the user's last question begins, -1 without one. Only what follows it needs signatures.
	question int

	messages  []callwright.Message
	decoded   bool
	tools     []callwright.Tool
	toolsErr  error
	toolsRead bool
}

// span is a place in the bytes.
type span struct{ from, to int }

// place is where a turn stands. Signed says that its first call has a signature.
type place struct {
	span
	signed bool
}

// member is a top-level member.
type member struct {
	key   jsonx.Key
	value span
}

var _ callwright.Body = (*body)(nil)

// Wire is callwright.WireGemini.
func (b *body) Wire() callwright.WireName { return callwright.WireGemini }

// Bytes are the bytes of the request.
func (b *body) Bytes() []byte { return b.raw }

// Summaries are the shapes of the messages, the system instruction first.
func (b *body) Summaries() []callwright.Summary { return b.outline }

// Messages decodes the history once. Its shape was checked with the outline, so that there is no error.
func (b *body) Messages() ([]callwright.Message, error) {
	if !b.decoded {
		b.decoded = true
		b.messages = b.decodeMessages()
	}
	return b.messages, nil
}

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	if !b.toolsRead {
		b.toolsRead = true
		b.tools, b.toolsErr = decodeTools(b.ToolBytes())
	}
	return b.tools, b.toolsErr
}

// ToolBytes is the list of tools as it stands in the body.
func (b *body) ToolBytes() []byte { return b.find(plain("tools")) }

func (b *body) at(s span) []byte { return b.raw[s.from:s.to:s.to] }

// find gives the value of a top-level member, nil without it.
func (b *body) find(n name) []byte {
	for _, m := range b.members {
		if n.is(m.key) {
			return b.at(m.value)
		}
	}
	return nil
}

// spelled is the name of a top-level member as the body has it.
func (b *body) spelled(n name) string {
	for _, m := range b.members {
		if m.key.Is(n.snake) {
			return n.snake
		}
	}
	return n.camel
}

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.at(b.turns[i].span), []byte(wire.CarrierMark64))
}

// DecodeRequest indexes the body and decodes its small members. Model and Params.Stream, which are not in it, stay empty.
// Texts of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	start, err := kit.Begin(opDecode, raw)
	if err != nil {
		return nil, err
	}
	b := &body{raw: raw, members: make([]member, 0, 16), carried: bytes.Contains(raw, []byte(wire.CarrierMark64))}
	if err := b.index(start); err != nil {
		return nil, err
	}
	req := &callwright.Request{Body: b}
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	return req, nil
}

// index finds the top-level members and reads the outline on the way.
func (b *body) index(start int) error {
	o := newOutliner(b)
	var twice *callwright.Error
	var names kit.Names
	contents := []byte(nil)
	jsonx.WalkMembers(b.raw, start, func(key jsonx.Key, at int) int {
		m := member{key: key, value: span{from: at}}
		switch {
		case key.Is("contents") && b.raw[at] == '[':
			m.value.to = o.contents(at)
		case systemInstruction.is(key) && b.raw[at] == '{':
			m.value.to = o.system(at)
		default:
			m.value.to = jsonx.SkipValue(b.raw, at)
		}
		v := b.at(m.value)
		switch {
		case key.Is("contents"):
			contents = v
		case systemInstruction.is(key) && !jsonx.IsObject(v) && !jsonx.IsNull(v):
			o.fail(expected("/"+systemInstruction.camel, "a content object", v))
		}
		if names.Twice(key) && twice == nil {
			twice = invalid("/"+key.String(), "expected each member once, got it twice")
		}
		b.members = append(b.members, m)
		return m.value.to
	})
	switch {
	case twice != nil:
		return twice
	case o.err != nil:
		return o.err
	case contents == nil:
		return invalid("/contents", "expected a list of contents, got none")
	case !jsonx.IsArray(contents):
		return expected("/contents", "a list of contents", contents)
	case len(o.turns) == 1:
		return invalid("/contents", "expected at least one content, got none")
	}
	b.turns, b.outline, b.system = o.turns, o.outline, o.turns[0].to > 0
	if !b.system {
		b.turns, b.outline = b.turns[1:], b.outline[1:]
	}
	b.question = len(b.outline) - 1
	for b.question >= 0 && b.outline[b.question].Role != callwright.RoleUser {
		b.question--
	}
	return nil
}
