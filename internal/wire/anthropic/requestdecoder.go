package anthropic

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// body is a request as it came. The outline has the system member first, where there is one. Messages and tools are
// decoded when they are first asked for.
type body struct {
	kit.Index
	extra    callwright.Extra
	toolList []byte   // the tools as they stand in the body
	added    [][]byte // definitions of tools that messages declare
	carried  bool     // may hold state of another wire
	unsigned bool     // holds reasoning without its signature
	late     bool     // holds results behind other blocks of their message
	madeUp   bool     // holds sources that were made up for a client
}

var _ companion.Body = (*body)(nil)

// Wire is callwright.WireAnthropic.
func (b *body) Wire() callwright.WireName { return callwright.WireAnthropic }

// ToolBytes is the list of tools as it stands in the body, with the definitions of those that messages declare after
// it.
func (b *body) ToolBytes() []byte {
	if len(b.added) == 0 {
		return b.toolList
	}
	return bytes.Join(append([][]byte{b.toolList}, b.added...), []byte{','})
}

// foreign reports whether message i may hold state of another wire or sources that were made up, which must not be
// sent.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i)) || b.madeUp && jsonx.Mentions(b.RawMessage(i), indexKey)
}

const opDecode = "anthropic.decode"

// threadKey is the member by which a client has the server keep its conversation.
const threadKey = "thread"

// DecodeRequest checks the body in one scan and indexes it in one walk. The members model and messages are required;
// max_tokens is not, since requests that only count tokens come without it.
func (c Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	return c.DecodeRequestWith(turnmemo.Owner{}, raw)
}

// DecodeRequestWith is DecodeRequest that does not read the turns again that an earlier request had.
func (Codec) DecodeRequestWith(histories turnmemo.Owner, raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw)}
	b.Memo = histories
	r := &reader{b: raw}
	if err := b.index(r); err != nil {
		return nil, err
	}
	model := b.Find("model")
	if r.err == nil && jsonx.KindOf(model) != jsonx.Text {
		r.fail("/model", "a string", model)
	}
	if messages := b.Find("messages"); r.err == nil && messages == nil {
		r.fail("/messages", "a list", messages)
	}
	if r.err != nil {
		return nil, r.err
	}
	if !jsonx.IsNull(b.Find(threadKey)) {
		return nil, &callwright.Error{Op: opDecode, Kind: callwright.KindUnsupported, Feature: threadFeature, Path: "/" + threadKey,
			Message: "threads are not kept here, as calls cannot be checked without the tools and the history: send the whole conversation without a thread"}
	}
	req := companion.NewRequest(b)
	req.Model, req.Params, req.Extra = callwright.ModelID(jsonx.TextOf(model)), b.Params, b.extra
	return req, nil
}

// index checks the body and walks its top-level members. Small members are decoded, the history becomes the outline.
func (b *body) index(r *reader) error {
	o := &outliner{Outliner: kit.NewOutliner(opDecode, "messages", b.Raw, 1)}
	broken := b.Walk(opDecode, o, func(w *kit.Walk, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("messages"):
			end = o.messages(w, b.Raw, at)
		case key.Is("system"):
			end = o.system(w, b.Raw, at)
		case key.Is("tools"):
			end, _ = w.ToolList(at)
		}
		return end
	})
	if broken != nil {
		return broken
	}
	if r.err == nil {
		r.err = o.Err
	}
	b.added, b.unsigned, b.late, b.madeUp = o.added, o.unsigned, o.late, o.madeUp
	b.Take(&o.Outliner)
	b.carried = wire.HasMark(b.Find("messages"))
	b.small(r)
	if o.effort != "" {
		b.Params.Thinking.Effort, b.Params.Thinking.Extra.Wire = o.effort, callwright.WireAnthropic
	}
	return nil
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
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// QuotedMessages is the history with long texts as they stand in the body.
func (b *body) QuotedMessages() []callwright.Message { return b.read(true) }

func (b *body) decodeMessages() ([]callwright.Message, error) {
	return kit.AllocateParts(b.read(false)), nil
}

// read reads the messages.
func (b *body) read(quoted bool) []callwright.Message {
	messages := make([]callwright.Message, len(b.Spans))
	d := messageReader{in: &b.Document, dropsMadeUp: b.madeUp}
	defer d.release()
	for i, s := range b.Spans {
		d.quoted = quoted && i < len(b.Spans)-1
		if i == 0 && b.Apart {
			messages[i] = callwright.Message{Role: callwright.RoleSystem}
			messages[i].Parts, _ = d.content(s.From)
			setAside(messages[i].Parts)
			continue
		}
		messages[i] = d.read(s.From)
	}
	return messages
}

// Tools decodes the tools on first use.
func (b *body) Tools() ([]callwright.Tool, error) {
	return b.Declared.Get(func() ([]callwright.Tool, error) {
		var tools []callwright.Tool
		if b.toolList != nil {
			var err error
			if tools, err = decodeTools(b.toolList); err != nil {
				return nil, err
			}
		}
		return withAdded(tools, b.added)
	})
}

// reader keeps the first thing that was wrong; the walk goes on over the rest, which is valid JSON.
type reader struct {
	b   []byte
	err *callwright.Error
}

func (r *reader) fail(path, want string, got []byte) {
	if r.err == nil {
		r.err = kit.Invalid(opDecode, path, "expected "+want+", got "+kit.KindOf(got))
	}
}
