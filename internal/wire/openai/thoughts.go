package openai

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// thoughts is the open reasoning of a streamed response. Any other event ends it.
type thoughts struct {
	open      bool         // reasoning was received and has not ended
	plain     string       // the member with plain text, which reasoning_details repeat; "" if none
	signature string       // of Mistral's thinking parts
	details   []jsonx.List // elements of reasoning_details, merged
}

// read decodes the reasoning of a delta. words holds the values of reasoningKeys, in that order. Servers may send the
// same text in several of them, so only the first is used.
func (t *thoughts) read(d *streamDecoder, words [][]byte, details []byte) {
	for i, v := range words {
		if jsonx.IsText(v) && len(v) > 2 {
			t.plain = reasoningKeys[i]
			t.think(d, jsonx.TextOf(v))
			break
		}
	}
	if !jsonx.IsArray(details) {
		return
	}
	if words := detailText(details); words != "" && t.plain == "" {
		t.think(d, words)
	}
	for e := range jsonx.Elements(details) {
		if l, err := jsonx.ParseObject(slices.Clone(e)); err == nil {
			t.open = true
			t.merge(l)
		}
	}
}

func (t *thoughts) think(d *streamDecoder, words string) {
	if words != "" {
		t.open, d.said = true, true
		d.pass(callwright.ReasoningDelta{Text: words})
	}
}

// pieces are the members of an element of reasoning_details that are streamed as deltas.
var pieces = []string{"text", "summary", "data"}

// merge appends the deltas of an element of reasoning_details to the stored element with the same type, index and id.
// If there is none, it adds the element.
func (t *thoughts) merge(l jsonx.List) {
	for i, had := range t.details {
		if !sameMember(had, l, "type") || !sameMember(had, l, "index") || !sameMember(had, l, "id") {
			continue
		}
		for _, m := range l {
			was, ok := had.Get(m.Key)
			if ok && slices.Contains(pieces, m.Key) && jsonx.IsText(was) && jsonx.IsText(m.Value) {
				joined := append(slices.Clone(was[:len(was)-1]), m.Value[1:]...)
				had.Set(m.Key, joined)
				continue
			}
			if !jsonx.IsNull(m.Value) {
				had.Set(m.Key, m.Value)
			}
		}
		t.details[i] = had
		return
	}
	t.details = append(t.details, l)
}

// sameMember reports whether two elements have the same value in the member key, or one of them lacks it.
func sameMember(a, b jsonx.List, key string) bool {
	x, _ := a.Get(key)
	y, _ := b.Get(key)
	return jsonx.IsNull(x) || jsonx.IsNull(y) || bytes.Equal(x, y)
}

// close emits a ReasoningEnd if reasoning is open.
func (t *thoughts) close(d *streamDecoder) {
	if !t.open {
		return
	}
	end := callwright.ReasoningEnd{Signature: t.signature, Origin: origin}
	if t.plain != "" || len(t.details) > 0 {
		end.Extra = own.Extra(t.extra())
	}
	*t = thoughts{}
	d.pass(end)
}

// extra returns the Extra of the ReasoningEnd, in the form that decodeReasoning documents: the name of the text's
// member with null, and reasoning_details.
func (t *thoughts) extra() []byte {
	w := newWriter(nil)
	w.Open("", '{')
	if t.plain != "" {
		w.Raw(t.plain, []byte("null"))
	}
	if len(t.details) > 0 {
		w.Open("reasoning_details", '[')
		for _, l := range t.details {
			w.Raw("", l.Append(nil))
		}
		w.Close(']')
	}
	w.Close('}')
	return w.Buf
}
