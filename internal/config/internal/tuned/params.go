package tuned

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
)

// Params are settings of answers by names that hold for every API: each is written as the provider's API has it. The
// client's own values stay.
type Params []Param

// A Param is one of them, with its value as JSON.
type Param struct {
	Name  string // that of a Neutral
	Value json.RawMessage
}

// A Neutral is a parameter that Params may hold.
type Neutral struct {
	Name string
	Kind Kind
	// members are the names that APIs have for it where a provider refuses it.
	members []string
	said    func(p *callwright.Params) bool
	set     func(p *callwright.Params, value json.RawMessage)
}

// A Kind is the JSON type of a parameter.
type Kind uint8

// The kinds.
const (
	Number Kind = iota
	Whole
	Texts // one text or a list of them
	Text
	Effort
)

// Efforts returns the depths of reasoning, the least first.
func Efforts() []string {
	return []string{noEffort, "minimal", "low", "medium", "high", "xhigh", "max"}
}

// noEffort is the effort that stands for no reasoning.
const noEffort = "none"

// Neutrals returns the parameters in their order.
func Neutrals() []Neutral { return slices.Clone(neutrals) }

// NeutralNames returns their names.
func NeutralNames() []string {
	var out []string
	for i := range neutrals {
		out = append(out, neutrals[i].Name)
	}
	return out
}

// ListOf returns the value of a parameter of the kind Texts.
func ListOf(texts []string) json.RawMessage {
	out := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, t)
	}
	return append(out, ']')
}

var neutrals = []Neutral{
	numberOf("temperature", Number, func(p *callwright.Params) *json.Number { return &p.Temperature }),
	numberOf("top_p", Number, func(p *callwright.Params) *json.Number { return &p.TopP }),
	numberOf("top_k", Whole, func(p *callwright.Params) *json.Number { return &p.TopK }),
	numberOf("presence_penalty", Number, func(p *callwright.Params) *json.Number { return &p.Presence }),
	numberOf("frequency_penalty", Number, func(p *callwright.Params) *json.Number { return &p.Frequency }),
	numberOf("seed", Whole, func(p *callwright.Params) *json.Number { return &p.Seed }),
	numberOf("max_tokens", Whole, func(p *callwright.Params) *json.Number { return &p.MaxTokens }, "max_completion_tokens",
		"max_output_tokens"),
	{"stop", Texts, []string{"stop", "stop_sequences"}, func(p *callwright.Params) bool { return p.Stop != nil },
		func(p *callwright.Params, v json.RawMessage) { _ = json.Unmarshal(v, &p.Stop) }},
	{"reasoning_effort", Effort, reasoningMembers, reasons, func(p *callwright.Params, v json.RawMessage) {
		p.Thinking.Effort = jsonx.TextOf(v)
		p.Thinking.Off = p.Thinking.Effort == noEffort
	}},
	{"reasoning_budget", Whole, reasoningMembers, reasons,
		func(p *callwright.Params, v json.RawMessage) { p.Thinking.Budget = json.Number(v) }},
	{"user", Text, []string{"user"}, func(p *callwright.Params) bool { return p.User != "" },
		func(p *callwright.Params, v json.RawMessage) { p.User = jsonx.TextOf(v) }},
}

// reasoningMembers are the names that APIs have for the depth of reasoning.
var reasoningMembers = []string{"reasoning_effort", "reasoning", "thinking", "think"}

func reasons(p *callwright.Params) bool {
	t := &p.Thinking
	return t.Effort != "" || t.Budget != "" || t.Off || t.Extra.JSON != nil
}

func numberOf(name string, kind Kind, at func(p *callwright.Params) *json.Number, more ...string) Neutral {
	return Neutral{name, kind, append(more, name), func(p *callwright.Params) bool { return *at(p) != "" },
		func(p *callwright.Params, v json.RawMessage) { *at(p) = json.Number(v) }}
}

// NeutralOf returns the parameter of a name.
func NeutralOf(name string) (*Neutral, bool) {
	for i := range neutrals {
		if neutrals[i].Name == name {
			return &neutrals[i], true
		}
	}
	return nil, false
}

// isRefused reports whether a provider is known to refuse the parameter.
func (n *Neutral) isRefused(dropFields string) bool {
	return slices.ContainsFunc(n.members, func(m string) bool { return factlist.Has(dropFields, m) })
}

// fill sets the parameters that the client did not give and the model is not known to refuse. The last one of a name
// wins.
func (l Params) fill(to *callwright.Params, dropFields string, set, refused func(*Param)) {
	given := *to
	seen := map[string]bool{}
	for i := len(l) - 1; i >= 0; i-- {
		p := &l[i]
		n, _ := NeutralOf(p.Name)
		switch {
		case seen[p.Name] || n.said(&given):
			continue
		case n.isRefused(dropFields):
			refused(p)
		default:
			n.set(to, p.Value)
			set(p)
		}
		seen[p.Name] = true
	}
}
