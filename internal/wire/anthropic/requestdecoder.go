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

// body is the JSON body of a client's request with an index of its members. The system prompt is the first message, if
// there is one. Messages and tools are decoded at their first use.
type body struct {
	kit.Index
	extra                callwright.Extra // unknown top-level members
	toolList             []byte           // JSON value of the member tools
	added                [][]byte         // tool definitions inside messages
	carried              bool             // messages may have opaque state of another API
	unsigned             bool             // a thinking block has no signature
	late                 bool             // a tool result follows other blocks of its message
	hasSyntheticCitation bool             // a text has a citation that this codec made for the client
}

var _ companion.Body = (*body)(nil)

// Wire returns the name of the API that the request came over: callwright.WireAnthropic.
func (b *body) Wire() callwright.WireName { return callwright.WireAnthropic }

// ToolBytes returns the JSON list of tools, followed by the tool definitions in messages, separated by commas.
func (b *body) ToolBytes() []byte {
	if len(b.added) == 0 {
		return b.toolList
	}
	return bytes.Join(append([][]byte{b.toolList}, b.added...), []byte{','})
}

// foreign reports whether message i may have opaque state of another API, or citations that this codec made. Neither
// may be sent to a provider of this API.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i)) || b.hasSyntheticCitation && jsonx.Mentions(b.RawMessage(i), indexKey)
}

const opDecode = "anthropic.decode"

// threadKey is the parameter by which a client asks the server to store its conversation.
const threadKey = "thread"

// DecodeRequest validates and indexes the body of a client's request and decodes its model and parameters. Messages and
// tools are decoded later. model and messages are required; max_tokens is not, because requests that count tokens lack
// it. Errors are *callwright.Error.
func (c Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	return c.DecodeRequestWith(turnmemo.Owner{}, raw)
}

// DecodeRequestWith is DecodeRequest with histories, the cache of one owner, such as a client. If an earlier request of
// the owner began with the same messages, they are not scanned again.
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

// index validates the JSON of the body, decodes the parameters and records a summary of each message.
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
	b.added, b.unsigned, b.late, b.hasSyntheticCitation = o.added, o.unsigned, o.late, o.hasSyntheticCitation
	b.Take(&o.Outliner)
	b.carried = wire.HasMark(b.Find("messages"))
	b.decodeParams(r)
	if o.effort != "" {
		b.Params.Thinking.Effort, b.Params.Thinking.Extra.Wire = o.effort, callwright.WireAnthropic
	}
	return nil
}

// memberNames are the names of known parameters. memberName returns these without allocation.
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

// Messages decodes the messages at the first call and returns the same list afterwards. The system prompt is first.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// QuotedMessages decodes all messages, but keeps long texts as JSON strings of the body, in parts of type kit.Quoted.
// The last message is decoded completely.
func (b *body) QuotedMessages() []callwright.Message { return b.read(true) }

func (b *body) decodeMessages() ([]callwright.Message, error) {
	return kit.AllocateParts(b.read(false)), nil
}

// read decodes all messages. If quoted is true, long texts are parts of type kit.Quoted, except in the last message.
func (b *body) read(quoted bool) []callwright.Message {
	messages := make([]callwright.Message, len(b.Spans))
	d := messageReader{in: &b.Document, dropsMadeUp: b.hasSyntheticCitation}
	defer d.release()
	for i, s := range b.Spans {
		d.quoted = quoted && i < len(b.Spans)-1
		if i == 0 && b.Apart {
			messages[i] = callwright.Message{Role: callwright.RoleSystem}
			messages[i].Parts, _ = d.content(s.From)
			makeBillingOpaque(messages[i].Parts)
			continue
		}
		messages[i] = d.read(s.From)
	}
	return messages
}

// Tools decodes the tools at the first call and returns the same list afterwards.
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

// reader decodes the parameters of a request. It keeps the first error.
type reader struct {
	b   []byte // the body
	err *callwright.Error
}

func (r *reader) fail(path, want string, got []byte) {
	if r.err == nil {
		r.err = kit.Invalid(opDecode, path, "expected "+want+", got "+kit.KindOf(got))
	}
}
