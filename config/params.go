package config

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/goccy/go-yaml/ast"
)

// Params are settings of answers by names that hold for every API: each is written as the provider's API has it. What the client gave
// itself stays.
type Params []Param

// A Param is one of them: a number, or texts.
type Param struct {
	Name   string
	Number json.Number
	Texts  []string
}

// A neutral is a parameter that Params may hold. A parameter without a number is a list of texts.
type neutral struct {
	name   string
	whole  bool // a whole number
	number func(p *callwright.Params) *json.Number
}

var neutrals = []neutral{
	{"temperature", false, func(p *callwright.Params) *json.Number { return &p.Temperature }},
	{"top_p", false, func(p *callwright.Params) *json.Number { return &p.TopP }},
	{"top_k", true, func(p *callwright.Params) *json.Number { return &p.TopK }},
	{"presence_penalty", false, func(p *callwright.Params) *json.Number { return &p.Presence }},
	{"frequency_penalty", false, func(p *callwright.Params) *json.Number { return &p.Frequency }},
	{"seed", true, func(p *callwright.Params) *json.Number { return &p.Seed }},
	{"max_tokens", true, func(p *callwright.Params) *json.Number { return &p.MaxTokens }},
	{name: "stop"},
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
		p := Param{Name: n.name}
		if n.number == nil {
			p.Texts, ok = d.texts(m)
		} else {
			p.Number, ok = d.number(m, n.whole)
		}
		if ok {
			*l = append(*l, p)
		}
	}
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
	out := map[string]any{}
	for _, p := range l {
		if p.Number != "" {
			out[p.Name] = p.Number
		} else {
			out[p.Name] = p.Texts
		}
	}
	return json.Marshal(out)
}

// json returns the value as a note shows it.
func (p *Param) json() string {
	if p.Number != "" {
		return string(p.Number)
	}
	out := []byte{'['}
	for i, t := range p.Texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, t)
	}
	return string(append(out, ']'))
}

// fill sets the parameter where the client gave none, and reports whether it did.
func (p *Param) fill(to *callwright.Params) bool {
	n, _ := neutralOf(p.Name)
	if n.number == nil {
		if to.Stop != nil {
			return false
		}
		to.Stop = p.Texts
		return true
	}
	at := n.number(to)
	if *at != "" {
		return false
	}
	*at = p.Number
	return true
}
