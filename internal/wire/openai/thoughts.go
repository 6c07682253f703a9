package openai

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// thoughts is the reasoning of a streamed answer: one stretch at a time, closed by whatever else comes.
type thoughts struct {
	open      bool
	plain     string // the member that words came in as plain text, so that those in details repeat them
	signature string
	details   []jsonx.List // entries of reasoning_details, put together
}

// read takes the reasoning of a delta, words in the order of reasoningKeys. The same words can stand under several
// names; the first counts.
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

// pieces are the members of an entry that come in pieces.
var pieces = []string{"text", "summary", "data"}

// merge adds an entry, or its pieces to the entry with the same index and type.
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

// sameMember reports whether two entries agree in a member; one that lacks it agrees.
func sameMember(a, b jsonx.List, key string) bool {
	x, _ := a.Get(key)
	y, _ := b.Get(key)
	return jsonx.IsNull(x) || jsonx.IsNull(y) || bytes.Equal(x, y)
}

// close ends the stretch, if one is open.
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

// extra returns the members that a whole message would have for the stretch beside its words, as decodeReasoning gives
// them.
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
