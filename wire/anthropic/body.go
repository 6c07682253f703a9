package anthropic

import (
	"bytes"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// body is a request as it came: its top-level members by place, the outline of its history, and the rest on demand.
type body struct {
	raw      []byte
	members  []member
	params   callwright.Params
	extra    callwright.Extra
	turns    []callwright.Summary
	spans    []span // of the turns; the first is the system member where there is one
	tools    []byte
	system   bool // the first turn is the system member
	carried  bool // may hold reasoning of another wire
	messages []callwright.Message
	toolset  []callwright.Tool
}

// member is a top-level member with the place of its value.
type member struct {
	name       string
	start, end int
}

type span struct{ start, end int }

func (s span) of(b []byte) []byte { return b[s.start:s.end:s.end] }

var (
	_ callwright.Body        = (*body)(nil)
	_ callwright.HandingBack = (*body)(nil)
)

func (b *body) Wire() callwright.WireName       { return callwright.WireAnthropic }
func (b *body) Bytes() []byte                   { return b.raw }
func (b *body) Summaries() []callwright.Summary { return b.turns }
func (b *body) ToolBytes() []byte               { return b.tools } // by it compiled schemas are found again
func (b *body) HandsBack() bool                 { return true }    // thinking blocks have a signature
func (b *body) span(i int) []byte               { return b.spans[i].of(b.raw) }
func (b *body) foreign(i int) bool {
	return b.carried && bytes.Contains(b.span(i), []byte(wire.CarrierMark))
}
func (b *body) hasSystem(i int) bool       { return b.system && i == 0 }
func (b *body) member(name string) *member { return last(b.members, name) }
func (b *body) value(name string) []byte {
	if m := b.member(name); m != nil {
		return b.raw[m.start:m.end:m.end]
	}
	return nil
}

// last is the member that counts: of duplicates the last, as servers read it.
func last(members []member, name string) *member {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].name == name {
			return &members[i]
		}
	}
	return nil
}

const opDecode = "anthropic.decode"

// DecodeRequest checks the body in one scan and indexes it in one walk. The members model and messages are required;
// max_tokens is not, since requests that only count tokens come without it.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	start, err := kit.Begin(opDecode, raw)
	if err != nil {
		return nil, err
	}
	b := &body{raw: raw, members: make([]member, 0, 16), carried: bytes.Contains(raw, []byte(wire.CarrierMark))}
	r := &reader{b: raw}
	b.index(r, start)
	model := b.value("model")
	if r.err == nil && jsonx.KindOf(model) != jsonx.Text {
		r.fail("/model", "a string", model)
	}
	if messages := b.value("messages"); r.err == nil && messages == nil {
		r.fail("/messages", "a list", messages)
	}
	if r.err != nil {
		return nil, r.err
	}
	req := &callwright.Request{Model: callwright.ModelID(text(model)), Params: b.params, Extra: b.extra, Body: b}
	return req, nil
}

// index walks the top-level members. What is small is decoded, the history becomes the outline.
func (b *body) index(r *reader, start int) {
	raw := b.raw
	messages := outliner{reader: r, turns: make([]callwright.Summary, 1, 8+len(raw)/1024), spans: make([]span, 1, 8+len(raw)/1024)}
	object(raw, start, func(name []byte, at int) int {
		var end int
		switch string(name) {
		case "messages":
			end = messages.walk(at)
		case "system":
			end = messages.system(at)
		default:
			end = jsonx.Skip(raw, at)
		}
		b.members = append(b.members, member{name: memberName(name), start: at, end: end})
		return end
	})
	b.system = messages.spans[0].end > 0
	if b.turns, b.spans = messages.turns, messages.spans; !b.system {
		b.turns, b.spans = b.turns[1:], b.spans[1:]
	}
	b.small(r)
}

// memberNames are the top-level members this codec reads, so that their names need no allocation.
var memberNames = []string{
	"model", "messages", "system", "tools", "stream", "max_tokens", "tool_choice", "thinking", "output_config",
	"metadata", "temperature", "top_p", "top_k", "stop_sequences", "output_format",
}

func memberName(name []byte) string {
	for _, known := range memberNames {
		if string(name) == known {
			return known
		}
	}
	return string(name)
}

// Messages decodes the history on first use: the system text first, where there is any.
func (b *body) Messages() ([]callwright.Message, error) {
	if b.messages != nil {
		return b.messages, nil
	}
	messages := make([]callwright.Message, len(b.spans))
	for i, s := range b.spans {
		d := messageReader{b: b.raw}
		if b.hasSystem(i) {
			messages[i] = callwright.Message{Role: callwright.RoleSystem}
			messages[i].Parts, _ = d.content(s.start)
			continue
		}
		messages[i] = d.message(s.start)
	}
	b.messages = messages
	return messages, nil
}

// Tools decodes the tools on first use.
func (b *body) Tools() ([]callwright.Tool, error) {
	if b.toolset != nil || b.tools == nil {
		return b.toolset, nil
	}
	tools, err := decodeTools(b.tools)
	if err != nil {
		return nil, err
	}
	b.toolset = tools
	return tools, nil
}

// reader keeps the first thing that was wrong; the walk goes on over the rest, which is valid JSON.
type reader struct {
	b   []byte
	err *callwright.Error
}

func (r *reader) fail(path, want string, got []byte) {
	if r.err == nil {
		r.err = invalid(path, want, jsonx.KindOf(got))
	}
}

func invalid(path, want string, got jsonx.Kind) *callwright.Error {
	what := "nothing"
	if got != jsonx.Invalid {
		what = got.String()
	}
	return &callwright.Error{Op: opDecode, Kind: callwright.KindInvalid, Path: path, Message: fmt.Sprintf("expected %s, got %s", want, what)}
}
