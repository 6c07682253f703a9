// Package fingerprint appends request contents to a hash input and compares bodies, to detect equal requests.
package fingerprint

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// AppendSettings appends the settings of a request to a hash input: model, parameters, response format, edits and
// constraint. It omits the messages, tools and instructions.
func AppendSettings(text []byte, r *callwright.Request) []byte {
	p := &r.Params
	for _, s := range [...]string{string(r.Model), string(p.Choice.Mode), string(p.Temperature), string(p.TopP), string(p.TopK),
		string(p.Presence),
		string(p.Frequency), string(p.Seed), string(p.MaxTokens), p.Thinking.Effort, string(p.Thinking.Budget), string(p.Thinking.Extra.JSON)} {
		text = append(append(text, s...), 0)
	}
	for _, list := range [...][]string{p.Choice.Names, p.Stop} {
		for _, s := range list {
			text = strconv.AppendQuote(text, s)
		}
		text = append(text, 0)
	}
	text = strconv.AppendBool(text, p.Thinking.Off)
	text = appendSwitch(text, p.Parallel)
	if f := p.Format; f != nil {
		text = strconv.AppendQuote(strconv.AppendQuote(append(text, "format "...), f.Name), f.Description)
		text = append(strconv.AppendBool(appendSwitch(text, f.Strict), f.Loose), f.Schema...)
	}
	more := companion.Of(r)
	for _, e := range more.Edits {
		for _, step := range e.Path {
			text = strconv.AppendQuote(text, step)
		}
		text = append(append(append(text, e.Value...), 0), e.Only...)
	}
	if c := more.Constraint; c != nil {
		text = strconv.AppendQuote(append(append(text, "constraint "...), c.API...), c.Text)
	}
	if more.CanAskPerson {
		text = append(text, "asks a person"...)
	}
	return text
}

// appendSwitch appends an optional bool. Nil is appended as "-".
func appendSwitch(dst []byte, b *bool) []byte {
	if b == nil {
		return append(dst, '-')
	}
	return strconv.AppendBool(dst, *b)
}

// A rawMessages is a Body that can return the unchanged bytes of message i, an index in its Summaries.
type rawMessages interface{ RawMessage(i int) []byte }

// Instructions yields the system messages of a request without decoding other messages. Each is encoded text in the API
// format if the request has a body, otherwise plain text.
func Instructions(r *callwright.Request) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		body := companion.Of(r).Body
		if r.Messages != nil || body == nil {
			for _, m := range r.Messages {
				if m.Role == callwright.RoleSystem && !yield([]byte(callwright.TextOf(m.Parts))) {
					return
				}
			}
			return
		}
		b, ok := body.(rawMessages)
		if !ok {
			return
		}
		for i, t := range body.Summaries() {
			if t.Role == callwright.RoleSystem && !yield(b.RawMessage(i)) {
				return
			}
		}
	}
}

// CameAs reports whether body equals the received body of the request, byte for byte except for the value of the member
// "model".
func CameAs(r *callwright.Request, body []byte) bool {
	came := companion.Of(r).Body
	if came == nil {
		return false
	}
	if b, ok := came.(interface {
		SameBut(key string, body []byte) bool
	}); ok {
		return b.SameBut("model", body)
	}
	return bytes.Equal(body, came.Bytes())
}
