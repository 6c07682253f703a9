package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/goccy/go-yaml/ast"
)

// Params are settings of answers by names that hold for every API: each is written as the provider's API has it. What the client gave
// itself stays.
type Params []Param

// A Param is one of them, with its value as JSON.
type Param struct {
	Name  string
	Value json.RawMessage
}

// A neutral is a parameter that Params may hold.
type neutral struct {
	name string
	kind neutralKind
	// members are the names that APIs have for it where a provider refuses it.
	members []string
	said    func(p *callwright.Params) bool
	set     func(p *callwright.Params, value json.RawMessage)
}

// A neutralKind says what a parameter is written as.
type neutralKind uint8

const (
	anyNumber neutralKind = iota
	wholeNumber
	someTexts // one text or a list of them
	oneText
	anEffort
)

// efforts are the depths of reasoning, the least first.
var efforts = []string{noEffort, "minimal", "low", "medium", "high", "xhigh", "max"}

// noEffort is the effort that stands for no reasoning.
const noEffort = "none"

var neutrals = []neutral{
	numberOf("temperature", anyNumber, func(p *callwright.Params) *json.Number { return &p.Temperature }),
	numberOf("top_p", anyNumber, func(p *callwright.Params) *json.Number { return &p.TopP }),
	numberOf("top_k", wholeNumber, func(p *callwright.Params) *json.Number { return &p.TopK }),
	numberOf("presence_penalty", anyNumber, func(p *callwright.Params) *json.Number { return &p.Presence }),
	numberOf("frequency_penalty", anyNumber, func(p *callwright.Params) *json.Number { return &p.Frequency }),
	numberOf("seed", wholeNumber, func(p *callwright.Params) *json.Number { return &p.Seed }),
	numberOf("max_tokens", wholeNumber, func(p *callwright.Params) *json.Number { return &p.MaxTokens }, "max_completion_tokens", "max_output_tokens"),
	{"stop", someTexts, []string{"stop", "stop_sequences"}, func(p *callwright.Params) bool { return p.Stop != nil },
		func(p *callwright.Params, v json.RawMessage) { _ = json.Unmarshal(v, &p.Stop) }},
	{"reasoning_effort", anEffort, reasoningMembers, reasons, func(p *callwright.Params, v json.RawMessage) {
		p.Thinking.Effort = jsonx.Alias(v)
		p.Thinking.Off = p.Thinking.Effort == noEffort
	}},
	{"reasoning_budget", wholeNumber, reasoningMembers, reasons, func(p *callwright.Params, v json.RawMessage) { p.Thinking.Budget = json.Number(v) }},
	{"user", oneText, []string{"user"}, func(p *callwright.Params) bool { return p.User != "" }, func(p *callwright.Params, v json.RawMessage) { p.User = jsonx.Alias(v) }},
}

// reasoningMembers are the names that APIs have for the depth of reasoning.
var reasoningMembers = []string{"reasoning_effort", "reasoning", "thinking", "think"}

func reasons(p *callwright.Params) bool {
	t := &p.Thinking
	return t.Effort != "" || t.Budget != "" || t.Off || t.Extra.JSON != nil
}

func numberOf(name string, kind neutralKind, at func(p *callwright.Params) *json.Number, more ...string) neutral {
	return neutral{name, kind, append(more, name), func(p *callwright.Params) bool { return *at(p) != "" },
		func(p *callwright.Params, v json.RawMessage) { *at(p) = json.Number(v) }}
}

func neutralOf(name string) (*neutral, bool) {
	for i := range neutrals {
		if neutrals[i].name == name {
			return &neutrals[i], true
		}
	}
	return nil, false
}

func neutralNames() []string {
	var out []string
	for _, n := range neutrals {
		out = append(out, n.name)
	}
	return out
}

func (l *Params) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		n, ok := neutralOf(m.key)
		if !ok {
			d.failKey(m.name, m.path, "unknown parameter %q: expected %s; request takes what only one API has", m.key, oneOf(neutralNames()))
			continue
		}
		if value, ok := d.parameter(m, n.kind); ok {
			*l = append(*l, Param{n.name, value})
		}
	}
}

// parameter returns a value of a kind as JSON.
func (d *decoder) parameter(at location, kind neutralKind) (json.RawMessage, bool) {
	switch kind {
	case someTexts:
		texts, ok := d.texts(at)
		return quoteAll(texts), ok
	case oneText, anEffort:
		text, ok := d.text(at)
		if ok && kind == anEffort && !slices.Contains(efforts, text) {
			d.fail(at, "%v", unknown("effort", text, efforts))
			return nil, false
		}
		return jsonx.AppendQuote(nil, text), ok
	}
	n, ok := d.number(at, kind == wholeNumber)
	return json.RawMessage(n), ok
}

func quoteAll(texts []string) json.RawMessage {
	out := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, t)
	}
	return append(out, ']')
}

// texts returns one text or a list of them.
func (d *decoder) texts(at location) (out []string, good bool) {
	nodes, good := []ast.Node{at.node}, true
	if list, ok := at.node.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	for _, n := range nodes {
		one := at
		one.node = n
		text, ok := d.text(one)
		out, good = append(out, text), good && ok
	}
	if len(nodes) == 0 {
		d.fail(at, "expected a text, or a list of texts")
	}
	return out, good && len(out) > 0
}

// eachText calls add with every text of a list, or with the one that stands in its place. Nothing is an empty list.
func (d *decoder) eachText(at location, add func(text string, at location)) {
	one := func(at location) {
		if text, ok := d.text(at); ok {
			add(text, at)
		}
	}
	list, isList := at.node.(*ast.SequenceNode)
	switch {
	case isList:
		for i, n := range list.Values {
			one(at.element(i, n))
		}
	case kindOf(at.node) != "nothing":
		one(at)
	}
}

// names returns the names in a list, or in one text with commas between them, and keeps the place of each.
func (d *decoder) names(at location) []string {
	var out []string
	d.eachText(at, func(text string, from location) {
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); name != "" {
				d.places[fmt.Sprintf("%s[%d]", at.path, len(out))] = from.position()
				out = append(out, name)
			}
		}
	})
	return out
}

// number returns a number with the digits that were written.
func (d *decoder) number(at location, whole bool) (json.Number, bool) {
	want := "a number"
	if whole {
		want = "a whole number"
	}
	text, ok := "", false
	if n, long := at.node.(*ast.StringNode); long && !quoted(n) && number(n.Value, "") != "" { // too long for the reader of YAML
		text, ok = n.Value, true
	} else {
		text, ok = d.loose(at, want)
	}
	if !ok {
		return "", false
	}
	if number(text, "") == "" || whole && strings.ContainsAny(text, ".eE") {
		d.fail(at, "expected %s, got %s", want, text)
		return "", false
	}
	return json.Number(text), true
}

// MarshalJSON returns the parameters as one object.
func (l Params) MarshalJSON() ([]byte, error) {
	out := map[string]json.RawMessage{}
	for _, p := range l {
		out[p.Name] = p.Value
	}
	return json.Marshal(out)
}

// refused reports whether a provider is known to refuse the parameter.
func (n *neutral) refused(dropFields string) bool {
	return slices.ContainsFunc(n.members, func(m string) bool { return caps.Listed(dropFields, m) })
}

// fill sets the parameters that the client did not give and the model is not known to refuse. The last one of a name wins.
func (l Params) fill(to *callwright.Params, dropFields string, set, refused func(*Param)) {
	given := *to
	seen := map[string]bool{}
	for i := len(l) - 1; i >= 0; i-- {
		p := &l[i]
		n, _ := neutralOf(p.Name)
		switch {
		case seen[p.Name] || n.said(&given):
			continue
		case n.refused(dropFields):
			refused(p)
		default:
			n.set(to, p.Value)
			set(p)
		}
		seen[p.Name] = true
	}
}
