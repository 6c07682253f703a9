package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
)

// takes reports whether a parameter takes one of some types, and no text.
func (p *Param) takes(types ...string) bool {
	return p != nil && len(p.Types) > 0 && !slices.Contains(p.Types, "string") && slices.ContainsFunc(types, func(t string) bool { return slices.Contains(p.Types, t) })
}

// isText reports whether a parameter takes text, and nothing that elements say.
func (p *Param) isText() bool {
	return p != nil && slices.Contains(p.Types, "string") && !slices.Contains(p.Types, "object") && !slices.Contains(p.Types, "array")
}

// empty is how an element that holds nothing says the parameter's value: an empty list or object; empty where it says no such value.
func (p *Param) empty() string {
	switch {
	case p.takes("array") && !p.takes("object"):
		return "[]"
	case p.takes("object") && !p.takes("array"):
		return "{}"
	}
	return ""
}

// partsOf reads a value that is nothing but elements as what the parameter takes: the items of a list, the members of an
// object, or the one value in a wrapper. ok is false where it takes text, or the elements say something else.
func partsOf(p *Param, text string) (a Arg, ok bool) {
	if p == nil || !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return a, false
	}
	switch {
	case p.takes("array", "object"):
		root, ok := markup.Parse(text)
		if !ok {
			return a, false
		}
		a = Arg{Key: p.Name, Kind: JSON}
		if items, list := root.Items(p.Name); list && p.takes("array") {
			a.Text = string(markup.AppendList(nil, items))
		} else {
			a.Text = string(root.Contained().Append(nil))
		}
		return a, true
	case p.takes("number", "integer", "boolean"):
		root, ok := markup.Parse(text)
		if !ok || len(root.Kids) != 1 || len(root.Kids[0].Kids) > 0 {
			return a, false
		}
		return Arg{Key: p.Name, Text: root.Kids[0].Text()}, true
	}
	return a, false
}

// elementArgs are elements as arguments of tool t: those without elements as their text, the others and repeated ones as
// JSON.
func elementArgs(e *markup.Element, t *Tool) []Arg {
	var out []Arg
	at := map[string]int{}
	same := map[string][]*markup.Element{}
	for _, k := range e.Kids {
		same[k.Name] = append(same[k.Name], k)
		if len(same[k.Name]) > 1 {
			continue
		}
		a := Arg{Key: k.Name, Text: k.Text()}
		if items, list := k.Items(k.Name); list && t.param(k.Name).takes("array") {
			a.Text, a.Kind = string(markup.AppendList(nil, items)), JSON
		} else if len(k.Kids) > 0 {
			a.Text, a.Kind = string(k.Append(nil)), JSON
		} else if empty := t.param(k.Name).empty(); empty != "" && strings.TrimSpace(a.Text) == "" {
			a.Text, a.Kind = empty, JSON
		}
		at[k.Name] = len(out)
		out = append(out, a)
	}
	for name, list := range same {
		switch p := t.param(name); {
		case len(list) < 2:
		case p != nil && len(p.Types) > 0 && !p.takes("array"):
			for _, k := range list[1:] {
				out = append(out, Arg{Key: name, Text: k.Text()})
			}
		default:
			out[at[name]] = Arg{Key: name, Text: string(markup.AppendList(nil, list)), Kind: JSON}
		}
	}
	return out
}

// joinItems makes one list of the values of an argument that was given several times, where its parameter takes lists alone.
// Values that are lists themselves are no items; ok is false for them.
func joinItems(p *Param, values []Arg) (a Arg, ok bool) {
	if !p.takes("array") {
		return a, false
	}
	b := []byte{'['}
	for i, v := range values {
		text := strings.TrimSpace(v.Text)
		if strings.HasPrefix(text, "[") {
			return a, false
		}
		if i > 0 {
			b = append(b, ',')
		}
		if v.Kind == JSON || markup.IsScalar(text) || strings.HasPrefix(text, "{") && jsonx.Valid([]byte(text)) == nil {
			b = append(b, text...)
		} else {
			b = jsonx.AppendQuote(b, v.Text)
		}
	}
	return Arg{Key: p.Name, Text: string(append(b, ']')), Kind: JSON}, true
}
