package callwright

import (
	"bytes"
	"fmt"
	"hash"
)

// AddTo adds what decides how the request is answered to a hash, but for the conversation and the tools: model, parameters, the form
// of the answer, edits and instructions.
func (r *Request) AddTo(h hash.Hash) {
	p := &r.Params
	for _, s := range append([]string{string(r.Model), string(p.Choice.Mode), string(p.Temperature), string(p.TopP), string(p.TopK), string(p.Presence),
		string(p.Frequency), string(p.Seed), string(p.MaxTokens), p.Thinking.Effort, string(p.Thinking.Budget), string(p.Thinking.Extra.JSON)}, p.Choice.Names...) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	fmt.Fprintf(h, "%q", p.Stop)
	fmt.Fprint(h, p.Thinking.Off, p.Parallel != nil, p.Parallel != nil && *p.Parallel)
	if f := p.Format; f != nil {
		fmt.Fprintf(h, "format %q %q %t %t ", f.Name, f.Description, f.Strict != nil, f.Strict != nil && *f.Strict)
		h.Write(f.Schema)
	}
	for _, e := range r.Edits {
		fmt.Fprint(h, e.Path, string(e.Value))
	}
	r.addSystem(h)
}

// A rawMessages is a Body that has the messages of its outline as they came.
type rawMessages interface{ RawMessage(i int) []byte }

// addSystem adds the instructions, without decoding the conversation.
func (r *Request) addSystem(h hash.Hash) {
	if r.Messages != nil || r.Body == nil {
		for _, m := range r.Messages {
			if m.Role == RoleSystem {
				h.Write([]byte(TextOf(m.Parts)))
			}
		}
		return
	}
	if b, ok := r.Body.(rawMessages); ok {
		for i, t := range r.Body.Summaries() {
			if t.Role == RoleSystem {
				h.Write(b.RawMessage(i))
			}
		}
	}
}

// CameAs reports whether a body is the one that the request came as, byte for byte but for the value of the member model.
func (r *Request) CameAs(body []byte) bool {
	if r.Body == nil {
		return false
	}
	if b, ok := r.Body.(interface {
		SameBut(key string, body []byte) bool
	}); ok {
		return b.SameBut("model", body)
	}
	return bytes.Equal(body, r.Body.Bytes())
}
