package reliable

import (
	"encoding/hex"
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// fingerprint identifies what decides how a request is treated and answered, but for the conversation.
func fingerprint(req *callwright.Request, tools *judge.Toolset, o *options) string {
	h := fnv.New64a()
	add := func(parts ...string) {
		for _, p := range parts {
			h.Write([]byte(p))
			h.Write([]byte{0})
		}
	}
	p := &req.Params
	add(string(req.Model), string(o.policy), o.dialect, string(o.streamCalls), string(p.Choice.Mode))
	for _, m := range o.modes {
		add(string(m))
	}
	add(p.Choice.Names...)
	if p.Parallel != nil && !*p.Parallel {
		add("single")
	}
	add(tools.Digest, string(p.Temperature), string(p.TopP), string(p.TopK), string(p.Presence), string(p.Frequency), string(p.Seed), string(p.MaxTokens),
		p.Thinking.Effort, string(p.Thinking.Budget))
	add(p.Stop...)
	if f := p.Format; f != nil {
		add("format", f.Name, string(f.Schema))
	}
	for _, f := range o.facts {
		add(f.Key, f.Value)
	}
	for _, e := range req.Edits {
		fmt.Fprint(h, e.Path, string(e.Value))
	}
	addSystem(h, req)
	return hex.EncodeToString(h.Sum(nil))
}

// A messageBody is a Body that decodes one message alone.
type messageBody interface {
	Message(i int) callwright.Message
}

// systemMembers are the members of bodies that hold instructions beside the conversation.
var systemMembers = [...]string{"system", "instructions", "systemInstruction", "system_instruction"}

// addSystem adds the instructions, without decoding the conversation.
func addSystem(h hash.Hash, req *callwright.Request) {
	if req.Messages != nil || req.Body == nil {
		for _, m := range req.Messages {
			if m.Role == callwright.RoleSystem {
				h.Write([]byte(callwright.TextOf(m.Parts)))
			}
		}
		return
	}
	if b, ok := req.Body.(messageBody); ok {
		for i, t := range req.Body.Summaries() {
			if t.Role == callwright.RoleSystem {
				h.Write([]byte(callwright.TextOf(b.Message(i).Parts)))
			}
		}
		return
	}
	for k, v := range jsonx.Members(req.Body.Bytes()) {
		for _, name := range systemMembers {
			if k.Is(name) {
				h.Write(v)
			}
		}
	}
}
