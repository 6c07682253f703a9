package kit

import (
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Quoted is a long text part in the form of its JSON string in the client's body. An encoder copies JSON instead of
// escaping the text again. The embedded Text is empty. Only QuotedHistory returns messages with Quoted parts.
type Quoted struct {
	callwright.Text
	JSON []byte
}

// AsQuoted returns the JSON string v, a subslice of the document, as a Quoted. ok is false if v is not long, has
// escapes that an encoder would write differently, or starts with white space (a blank text may have to be dropped).
func (d *Document) AsQuoted(v []byte) (q Quoted, ok bool) {
	at, _ := jsonx.Span(d.Raw, v)
	if long := d.long.at(at); long == nil || long.Rewritten || v[0] != '"' || v[1] == '\\' {
		return q, false
	}
	if first, _ := utf8.DecodeRune(v[1:]); unicode.IsSpace(first) {
		return q, false
	}
	return Quoted{JSON: v[:len(v):len(v)]}, true
}

// Read returns the text as a callwright.Text, unescaped.
func (q Quoted) Read() callwright.Text { return callwright.Text{Text: jsonx.TextOf(q.JSON)} }

// QuotedHistory returns the history of req, with long texts as Quoted parts if the history is that of the client's
// body. The last message has no Quoted parts.
func QuotedHistory(req *callwright.Request) ([]callwright.Message, error) {
	if b, ok := companion.Of(req).Body.(interface{ QuotedMessages() []callwright.Message }); ok && req.Messages == nil {
		return b.QuotedMessages(), nil
	}
	return req.History()
}

// OnlyQuoted returns the JSON string of the only part if that is a Quoted. ok is false otherwise.
func OnlyQuoted(parts []callwright.Part) ([]byte, bool) {
	if len(parts) != 1 {
		return nil, false
	}
	q, ok := parts[0].(Quoted)
	return q.JSON, ok
}

// UnquoteParts returns parts with each Quoted, a text as an escaped JSON string, replaced by a plain Text. It does not
// modify parts.
func UnquoteParts(parts []callwright.Part) []callwright.Part {
	var out []callwright.Part
	for i, p := range parts {
		q, ok := p.(Quoted)
		if !ok {
			continue
		}
		if out == nil {
			out = append(out, parts...)
		}
		out[i] = q.Read()
	}
	if out == nil {
		return parts
	}
	return out
}
