package ollama

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
	turns   []span // of the messages
	carried bool   // may hold state of another wire

	messages  []callwright.Message
	decoded   bool
	tools     []callwright.Tool
	toolsErr  error
	toolsRead bool
}

// span is a place in the bytes.
type span struct{ from, to int }

// member is a top-level member.
type member struct {
	key   jsonx.Key
	value span
}

var _ callwright.Body = (*body)(nil)

// Wire is callwright.WireOllama.
func (b *body) Wire() callwright.WireName { return callwright.WireOllama }

// Bytes are the bytes of the request.
func (b *body) Bytes() []byte { return b.raw }

// Summaries are the shapes of the messages.
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
func (b *body) ToolBytes() []byte { return b.find("tools") }

func (b *body) at(s span) []byte { return b.raw[s.from:s.to:s.to] }

// find gives the value of a top-level member, nil without it.
func (b *body) find(key string) []byte {
	for _, m := range b.members {
		if m.key.Is(key) {
			return b.at(m.value)
		}
	}
	return nil
}

// foreign reports whether message i holds state of another wire, which must not be sent.
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.at(b.turns[i]), []byte(wire.CarrierMark))
}

// DecodeRequest indexes the body and decodes its small members. Texts of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	start, err := kit.Begin(opDecode, raw)
	if err != nil {
		return nil, err
	}
	b := &body{raw: raw, members: make([]member, 0, 16), carried: bytes.Contains(raw, []byte(wire.CarrierMark))}
	if err := b.index(start); err != nil {
		return nil, err
	}
	req := &callwright.Request{Body: b}
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	return req, nil
}

// bodyKeys are the members that are read. Each may stand there once: of two, a server and this codec might take different
// ones.
var bodyKeys = []string{"model", "messages", "tools", "stream", "format", "think", "options"}

// index finds the top-level members and reads the outline on the way.
func (b *body) index(start int) error {
	var err *callwright.Error
	seen, came := false, make([]bool, len(bodyKeys))
	jsonx.WalkMembers(b.raw, start, func(key jsonx.Key, at int) int {
		m := member{key: key, value: span{from: at}}
		if key.Is("messages") && b.raw[at] == '[' && !seen {
			seen = true
			o := outliner{raw: b.raw, body: b}
			m.value.to = o.messages(at)
			err = o.err
		} else {
			m.value.to = jsonx.SkipValue(b.raw, at)
		}
		for i, name := range bodyKeys {
			if !key.Is(name) {
				continue
			}
			if came[i] && err == nil {
				err = invalid("/"+name, "expected each member once, got it twice")
			}
			came[i] = true
		}
		b.members = append(b.members, m)
		return m.value.to
	})
	switch list := b.find("messages"); {
	case err != nil:
		return err
	case list == nil:
		return invalid("/messages", "expected a list of messages, got none")
	case !seen:
		return expected("/messages", "a list of messages", list)
	case len(b.turns) == 0:
		return invalid("/messages", "expected at least one message, got none")
	}
	return nil
}
