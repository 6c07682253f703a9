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

// body is a request as it came. Messages and tools are decoded when they are first asked for.
type body struct {
	kit.Index
	turns         []turnMarks
	plain         bool            // the input is one text
	carried       bool            // may hold opaque state of another wire
	providerKeeps bool            // the provider may keep the conversation: store is not false
	served        map[string]bool // ids of calls that the provider ran
	compacts      bool            // the input ends with the wish for a compaction
	untyped       bool            // a tool came without its type
	found         [][]byte        // lists of tools inside items: the model may call them too

	names kit.Once[naming]
}

// turnMarks are the reasons why a provider does not accept the items of a turn as they are.
type turnMarks struct {
	orphan      bool // the last item is reasoning, which the API refuses without the item it led to
	unencrypted bool // reasoning without its encrypted content
	compaction  bool // the wish for a compaction, or one of ours
	special     bool // an item beyond messages, function calls, their results and reasoning
}

var _ companion.Body = (*body)(nil)
var _ interface{ ToolBytes() []byte } = (*body)(nil)

// Wire is callwright.WireResponses.
func (b *body) Wire() callwright.WireName { return callwright.WireResponses }

// Messages decodes the history once.
func (b *body) Messages() ([]callwright.Message, error) { return b.History.Get(b.decodeMessages) }

// Tools decodes the tools once.
func (b *body) Tools() ([]callwright.Tool, error) { return b.Declared.Get(b.decodeTools) }

// HasSpecialItems reports whether the input holds items beyond messages, function calls, their results and reasoning.
func (b *body) HasSpecialItems() bool {
	return slices.ContainsFunc(b.turns, func(t turnMarks) bool { return t.special })
}

// States are the opaque states in the input.
func (b *body) States() []string { return items.States(b.Find("input")) }

// ToolBytes are the list of tools as it stands in the body, null without one, and those inside items.
func (b *body) ToolBytes() []byte {
	list := b.toolList()
	if len(b.found) == 0 {
		return list
	}
	if list == nil {
		list = []byte("null") // a list inside an item is none of the request's
	}
	return slices.Concat(append([][]byte{list}, b.found...)...)
}

// toolList is the list of tools as it stands in the body.
func (b *body) toolList() []byte { return b.Find("tools") }

// foreign reports whether a turn holds opaque state of another wire.
func (b *body) foreign(i int) bool {
	return b.carried && wire.HasMark(b.RawMessage(i))
}

// DecodeRequest indexes the body and decodes its small members. JSON values of the request alias the body. The member
// previous_response_id stays in Extra: whoever keeps answers puts them before the input, see Continue.
func (Codec) DecodeRequest(raw []byte) (*callwright.Request, error) {
	b := &body{Index: kit.NewIndex(raw), providerKeeps: true}
	if err := b.index(); err != nil {
		return nil, err
	}
	req := companion.NewRequest(b)
	if err := b.decodeParams(req); err != nil {
		return nil, err
	}
	if b.compacts { // a summary is an answer in words
		b.Params.Choice = callwright.Choice{Mode: callwright.ChoiceNone}
		req.Params.Choice = b.Params.Choice
	}
	return req, nil
}

// elsewhere are the members by which the conversation comes from the provider's side, so that no input is needed.
var elsewhere = []string{"previous_response_id", "conversation", "prompt"}

// index checks the body, finds its top-level members and reads the outline on the way.
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
	for _, key := range elsewhere {
		if !jsonx.IsNull(b.Find(key)) {
			return nil
		}
	}
	if b.Find("input") == nil {
		return invalid("/input", "expected a text or a list of items, got none")
	}
	return invalid("/input", "expected at least one item, got none")
}
