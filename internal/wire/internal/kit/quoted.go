package kit

import (
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Quoted is a long plain text as the JSON string that a body has it as: an encoder that writes a text of its own may
// copy it. Its Text is empty. Only histories of QuotedHistory hold it.
type Quoted struct {
	callwright.Text
	JSON []byte
}

// AsQuoted is a text of the body without members of its own, a piece of it. Strings with escapes that an encoder would
// write otherwise, half of a pair among them, are no Quoted, nor those that begin with white space: they may have to be
// left out.
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

// Read is the text that q is.
func (q Quoted) Read() callwright.Text { return callwright.Text{Text: jsonx.TextOf(q.JSON)} }

// QuotedHistory is the history of a request for an encoder that takes texts Quoted. The last message has none.
func QuotedHistory(req *callwright.Request) ([]callwright.Message, error) {
	if b, ok := companion.Of(req).Body.(interface{ QuotedMessages() []callwright.Message }); ok && req.Messages == nil {
		return b.QuotedMessages(), nil
	}
	return req.History()
}

// OnlyQuoted is the JSON of the one part that there is, where it is Quoted.
func OnlyQuoted(parts []callwright.Part) ([]byte, bool) {
	if len(parts) != 1 {
		return nil, false
	}
	q, ok := parts[0].(Quoted)
	return q.JSON, ok
}

// UnquoteParts is the parts with each Quoted as the text it is.
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
