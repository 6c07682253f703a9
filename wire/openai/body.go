package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// body is a request as it came: its bytes, the places of its top-level members, and the outline of its history.
// Messages and tools are decoded when they are first asked for.
type body struct {
	raw     []byte
	members []member
	params  callwright.Params // as decoded, to see what was changed since
	outline []callwright.Summary
	turns   []span // of the messages

	messages    []callwright.Message
	messagesErr error
	decoded     bool
	tools       []callwright.Tool
	toolsErr    error
	toolsRead   bool
}

// span is a place in the bytes.
type span struct{ from, to int }

// member is a top-level member: where its name begins and where its value stands.
type member struct {
	key   jsonx.Key
	from  int
	value span
}

var (
	_ callwright.Body                              = (*body)(nil)
	_ interface{ Message(int) callwright.Message } = (*body)(nil)
)

// Wire is callwright.WireOpenAI.
func (b *body) Wire() callwright.WireName { return callwright.WireOpenAI }

// Bytes are the bytes of the request.
func (b *body) Bytes() []byte { return b.raw }

// Outline is the shape of the history.
func (b *body) Summaries() []callwright.Summary { return b.outline }

// Messages decodes the history once.
func (b *body) Messages() ([]callwright.Message, error) {
	if !b.decoded {
		b.decoded = true
		b.messages, b.messagesErr = b.decodeMessages()
	}
	return b.messages, b.messagesErr
}

// Message decodes message i of the outline alone.
func (b *body) Message(i int) callwright.Message { return b.decodeMessage(b.at(b.turns[i]), i) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) {
	if !b.toolsRead {
		b.toolsRead = true
		b.tools, b.toolsErr = b.decodeTools()
	}
	return b.tools, b.toolsErr
}

func (b *body) at(s span) []byte { return b.raw[s.from:s.to:s.to] }

// find gives the value of a top-level member.
func (b *body) find(key string) ([]byte, bool) {
	for _, m := range b.members {
		if m.key.Is(key) {
			return b.at(m.value), true
		}
	}
	return nil, false
}

// declares reports whether the member is a list that is not empty.
func (b *body) declares(key string) bool {
	v, ok := b.find(key)
	return ok && jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']'
}

// DecodeRequest indexes the body and decodes its small members. Texts of the request alias the body.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	start, err := kit.Begin(opDecode, raw)
	if err != nil {
		return nil, err
	}
	b := &body{raw: raw, members: make([]member, 0, 16)}
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
	var err error
	var names kit.Names
	seen := false
	jsonx.WalkMembers(b.raw, start, func(key jsonx.Key, at int) int {
		from := at
		if at, _ := jsonx.Span(b.raw, key); at >= 0 {
			from = at
		}
		m := member{key: key, from: from, value: span{from: at}}
		if key.Is("messages") && b.raw[at] == '[' && !seen {
			seen = true
			o := outliner{raw: b.raw, body: b}
			m.value.to = o.messages(at)
			if o.err != nil {
				err = o.err
			}
		} else {
			m.value.to = jsonx.SkipValue(b.raw, at)
		}
		if names.Twice(key) && err == nil {
			err = invalid("/"+key.String(), "expected each member once, got it twice")
		}
		b.members = append(b.members, m)
		return m.value.to
	})
	if err != nil {
		return err
	}
	if list, ok := b.find("messages"); !ok {
		return invalid("/messages", "expected a list of messages, got none")
	} else if !seen {
		return expected("/messages", "a list of messages", list)
	} else if len(b.turns) == 0 {
		return invalid("/messages", "expected at least one message, got none")
	}
	return nil
}
