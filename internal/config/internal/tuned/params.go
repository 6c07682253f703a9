package tuned

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
)

// Params are sampling parameters, such as temperature, with names that are independent of the API. Each is sent under
// its name in the provider's API. A value in the client's request has precedence.
type Params []Param

// A Param is one sampling parameter with its value as JSON.
type Param struct {
	Name  string // the Name of a Neutral
	Value json.RawMessage
}

// A Neutral is a parameter that Params may contain. said reports whether a request contains it.
type Neutral struct {
	Name string
	Kind Kind
	// members are the parameter's names in APIs, by which a provider may be known to refuse it.
	members []string
	said    func(p *callwright.Params) bool
	set     func(p *callwright.Params, value json.RawMessage)
}

// A Kind is the JSON type of a parameter.
type Kind uint8

// The kinds of parameters.
const (
	Number Kind = iota
	Whole
	Texts // a string or a list of strings
	Text
	Effort
)

// Efforts returns the values of reasoning_effort, from the least.
func Efforts() []string {
	return []string{noEffort, "minimal", "low", "medium", "high", "xhigh", "max"}
}

// noEffort is the effort that disables reasoning.
const noEffort = "none"

// Neutrals returns all parameters.
func Neutrals() []Neutral { return slices.Clone(neutrals) }

// NeutralNames returns the names of all parameters.
func NeutralNames() []string {
	var out []string
	for i := range neutrals {
		out = append(out, neutrals[i].Name)
	}
	return out
}

// ListOf returns texts as a JSON array, the value of a parameter of the kind Texts.
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

// reasoningMembers are the names that APIs have for the reasoning effort.
var reasoningMembers = []string{"reasoning_effort", "reasoning", "thinking", "think"}

func reasons(p *callwright.Params) bool {
	t := &p.Thinking
	return t.Effort != "" || t.Budget != "" || t.Off || t.Extra.JSON != nil
}

func numberOf(name string, kind Kind, at func(p *callwright.Params) *json.Number, more ...string) Neutral {
	return Neutral{name, kind, append(more, name), func(p *callwright.Params) bool { return *at(p) != "" },
		func(p *callwright.Params, v json.RawMessage) { *at(p) = json.Number(v) }}
}

// NeutralOf returns the parameter of that name. It returns false if there is none.
func NeutralOf(name string) (*Neutral, bool) {
	for i := range neutrals {
		if neutrals[i].Name == name {
			return &neutrals[i], true
		}
	}
	return nil, false
}

// isRefused reports whether dropFields, a list of members that the model is known to refuse, contains the parameter.
func (n *Neutral) isRefused(dropFields string) bool {
	return slices.ContainsFunc(n.members, func(m string) bool { return factlist.Has(dropFields, m) })
}

// fill sets the parameters of l in the client's parameters to, except those that the client has set. It skips those
// that the model is known to refuse, and calls refused for them. It calls set for each parameter that it sets. Of
// several parameters with one name the last has precedence.
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
