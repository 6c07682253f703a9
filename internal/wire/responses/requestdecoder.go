package responses

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// body is the JSON body of a client's request. Messages and tools are decoded at their first use.
type body struct {
	kit.Index
	turns         []turnMarks     // one for each element of Spans
	inputIsString bool            // the input is a string
	carried       bool            // the input may hold opaque state of another API
	providerKeeps bool            // the provider may store the response: store is not false
	providerCalls map[string]bool // ids of calls that the provider ran
	compacts      bool            // the input ends with a compaction_trigger item
	untyped       bool            // a tool has no member "type"
	itemTools     [][]byte        // lists of tools inside input items, which the model may call

	names kit.Once[naming]
}

// turnMarks holds reasons for which a provider may reject the items of a message in their received form.
type turnMarks struct {
	orphan      bool // the last item is reasoning, which the API rejects without the item that followed it
	unencrypted bool // a reasoning item has no encrypted_content
	compaction  bool // a compaction_trigger, or a compaction that this codec made
	special     bool // an item other than a message, function call, its output, or reasoning
}

var _ companion.Body = (*body)(nil)
var _ interface{ ToolBytes() []byte } = (*body)(nil)

// Wire returns the name of the API that the request came over: callwright.WireResponses.
func (b *body) Wire() callwright.WireName { return callwright.WireResponses }

// Messages decodes the messages at the first call and returns the same list afterwards.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools at the first call and returns the same list afterwards.
func (b *body) Tools() ([]callwright.Tool, error) { return b.Declared.Get(b.decodeTools) }

// HasSpecialItems reports whether an input item is not a message, a function call, its output, or reasoning.
func (b *body) HasSpecialItems() bool {
	return slices.ContainsFunc(b.turns, func(t turnMarks) bool { return t.special })
}

// States returns the encrypted_content of all input items that have it.
func (b *body) States() []string { return items.States(b.Find("input")) }

// ToolBytes returns the JSON list of tools, followed by the lists inside input items, if any. In that case a missing
// list of tools is "null"; without lists inside items it is nil.
func (b *body) ToolBytes() []byte {
	list := b.toolList()
	if len(b.itemTools) == 0 {
		return list
	}
	if list == nil {
		list = []byte("null") // must not be taken for the list of the request
	}
	return slices.Concat(append([][]byte{list}, b.itemTools...)...)
}

// toolList returns the JSON value of the member tools, nil if it is missing.
func (b *body) toolList() []byte { return b.Find("tools") }

// foreign reports whether message i has opaque state of another API.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i))
}

// DecodeRequest indexes the body of a client's request and decodes its model and parameters. Messages and tools are
// decoded later. JSON values of the request alias raw. previous_response_id stays in Extra; use Continue to insert the
// items of the earlier response. Errors are *callwright.Error of KindInvalid.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw), providerKeeps: true}
	if err := b.index(); err != nil {
		return nil, err
	}
	req := companion.NewRequest(b)
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	if b.compacts { // a summary is a text, not a call
		b.Params.Choice = callwright.Choice{Mode: callwright.ChoiceNone}
		req.Params.Choice = b.Params.Choice
	}
	return req, nil
}

// conversationMembers are the members by which the provider finds the conversation, so that no input is required.
var conversationMembers = []string{"previous_response_id", "conversation", "prompt"}

// index validates the JSON of the body and records its top-level members and a summary of each message.
func (b *body) index() error {
	o := newOutliner(b)
	broken := b.Walk(opDecode, o, func(w *kit.Walk, key jsonx.Key, at int) (end int) {
		switch {
		case key.Is("input") && b.Raw[at] == '[':
			end = w.List(at, itemShape)
		case key.Is("input"):
			end = w.Value(at)
			o.input(b.Raw[at:end], kit.Span{From: at, To: end})
		case key.Is("instructions"):
			end = w.Value(at)
			o.instructions(b.Raw[at:end], kit.Span{From: at, To: end})
		case key.Is("tools"):
			end, b.untyped = w.ToolList(at)
		}
		return end
	})
	if broken != nil {
		return broken
	}
	b.carried = wire.HasMark(b.Find("input"))
	o.storeTurns()
	if o.Err != nil {
		return o.Err
	}
	if o.items > 0 {
		return nil
	}
	for _, key := range conversationMembers {
		if !jsonx.IsNull(b.Find(key)) {
			return nil
		}
	}
	if b.Find("input") == nil {
		return invalid("/input", "expected a text or a list of items, got none")
	}
	return invalid("/input", "expected at least one item, got none")
}
