package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/tuned"
	"github.com/callwright/callwright/internal/config/internal/yamlnode"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/goccy/go-yaml/ast"
)

// Params are settings of answers by names that hold for every API: each is written as the provider's API has it. The
// client's own values stay.
type Params []Param

// A Param is one of them, with its value as JSON.
type Param struct {
	Name  string
	Value json.RawMessage
}

func (l *Params) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		n, ok := tuned.NeutralOf(m.key)
		if !ok {
			d.failKey(m.name, m.path, "unknown parameter %q: expected %s; request takes what only one API has", m.key,
				spelling.Or(tuned.NeutralNames()))
			continue
		}
		if value, ok := d.parameter(m, n.Kind); ok {
			*l = append(*l, Param{n.Name, value})
		}
	}
}

// parameter returns a value of a kind as JSON.
func (d *decoder) parameter(at location, kind tuned.Kind) (json.RawMessage, bool) {
	switch kind {
	case tuned.Texts:
		texts, ok := d.texts(at)
		return tuned.ListOf(texts), ok
	case tuned.Text, tuned.Effort:
		text, ok := d.text(at)
		if ok && kind == tuned.Effort && !slices.Contains(tuned.Efforts(), text) {
			d.fail(at, "%v", unknown("effort", text, tuned.Efforts()))
			return nil, false
		}
		return jsonx.AppendQuote(nil, text), ok
	}
	n, ok := d.number(at, kind == tuned.Whole)
	return json.RawMessage(n), ok
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
	case yamlnode.Kind(at.node) != "nothing":
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
	// too long for the reader of YAML
	if n, long := at.node.(*ast.StringNode); long && !yamlnode.IsQuoted(n) && yamlnode.Number(n.Value, "") != "" {
		text, ok = n.Value, true
	} else {
		text, ok = d.loose(at, want)
	}
	if !ok {
		return "", false
	}
	if yamlnode.Number(text, "") == "" || whole && strings.ContainsAny(text, ".eE") {
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
