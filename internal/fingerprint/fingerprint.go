// Package fingerprint tells whether two requests ask for the same.
package fingerprint

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// AppendSettings appends the settings of a request, to be hashed: model, parameters, the form of the answer, edits and
// the constraint. It does not append the conversation, the tools and the instructions.
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
	if more.AsksPerson {
		text = append(text, "asks a person"...)
	}
	return text
}

// appendSwitch appends a switch that may be unset.
func appendSwitch(dst []byte, b *bool) []byte {
	if b == nil {
		return append(dst, '-')
	}
	return strconv.AppendBool(dst, *b)
}

// A rawMessages is a Body that has the messages of its outline as they came.
type rawMessages interface{ RawMessage(i int) []byte }

// Instructions gives the instructions of a request, without decoding the conversation. Their form depends on how the
// request came.
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

// CameAs reports whether a body is the one that the request came as, byte for byte but for the value of the member
// model.
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
