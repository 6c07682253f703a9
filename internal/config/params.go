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

// Params are sampling parameters, such as temperature, with names that are independent of the API. Each is sent under
// its name in the provider's API. A value in the client's request has precedence.
type Params []Param

// A Param is one sampling parameter with its value as JSON.
type Param struct {
	Name  string
	Value json.RawMessage
}

func (l *Params) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		n, ok := tuned.NeutralOf(m.key)
		if !ok {
			d.failKey(m.name, m.path, "unknown parameter %q: expected %s; set members of a single API in request", m.key,
				spelling.Or(tuned.NeutralNames()))
			continue
		}
		if value, ok := d.parameter(m, n.Kind); ok {
			*l = append(*l, Param{n.Name, value})
		}
	}
}

// parameter decodes a value of the given kind and returns it as JSON. It reports an invalid value as an error and
// returns false.
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

// texts returns the strings of a list, or a single string as a list of one. good is false if an element is not a
// string.
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
		d.fail(at, "expected a string, or a list of strings")
	}
	return out, good && len(out) > 0
}

// eachText calls add with each string of a list, or with the single string in place of a list. A missing value is an
// empty list.
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

// names returns the names in a list, or in one string with commas. It records the position of each name.
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

// number returns the number at a location with its digits as written. If whole is set, only an integer is permitted. It
// reports any other value as an error and returns false.
func (d *decoder) number(at location, whole bool) (json.Number, bool) {
	want := "a number"
	if whole {
		want = "a whole number"
	}
	text, ok := "", false
	// the YAML parser returns a very long number as a string
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

// MarshalJSON returns the parameters as one JSON object.
func (l Params) MarshalJSON() ([]byte, error) {
	out := map[string]json.RawMessage{}
	for _, p := range l {
		out[p.Name] = p.Value
	}
	return json.Marshal(out)
}
