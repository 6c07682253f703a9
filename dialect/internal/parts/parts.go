// Package parts reads values that are written as elements, by the types of their parameters.
package parts

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
)

// Types are the names of the JSON types that a parameter takes; none where they are not known.
type Types []string

// An Arg is one argument: its text, or JSON.
type Arg struct {
	Key, Text string
	IsJSON    bool
}

// Takes reports whether a parameter takes one of some types, and no text.
func (p Types) Takes(types ...string) bool {
	return len(p) > 0 && !slices.Contains(p, "string") && slices.ContainsFunc(types, func(t string) bool { return slices.Contains(p, t) })
}

// empty is how an element that holds nothing says the parameter's value: an empty list or object; empty where it says
// no such value.
func (p Types) empty() string {
	switch {
	case p.Takes("array") && !p.Takes("object"):
		return "[]"
	case p.Takes("object") && !p.Takes("array"):
		return "{}"
	}
	return ""
}

// Of reads a value that consists of elements alone in the form that the parameter key accepts: the items of a list, the
// members of an object, or the one value in a wrapper. ok is false where it accepts text, or the elements have another
// form.
func Of(key string, p Types, text string) (a Arg, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return a, false
	}
	switch {
	case p.Takes("array", "object"):
		root, ok := markup.Parse(text)
		if !ok {
			return a, false
		}
		a = Arg{Key: key, IsJSON: true}
		if items, list := root.Items(key); list && p.Takes("array") {
			a.Text = string(markup.AppendList(nil, items))
		} else {
			a.Text = string(root.UnwrapContainer().Append(nil))
		}
		return a, true
	case p.Takes("number", "integer", "boolean"):
		root, ok := markup.Parse(text)
		if !ok || len(root.Kids) != 1 || len(root.Kids[0].Kids) > 0 {
			return a, false
		}
		return Arg{Key: key, Text: root.Kids[0].Text()}, true
	}
	return a, false
}

// Args are elements as arguments of a tool: those without elements as their text, the others and repeated ones as JSON.
// types gives the types of a parameter.
func Args(e *markup.Element, types func(key string) Types) []Arg {
	var out []Arg
	at := map[string]int{}
	same := map[string][]*markup.Element{}
	for _, k := range e.Kids {
		same[k.Name] = append(same[k.Name], k)
		if len(same[k.Name]) > 1 {
			continue
		}
		a := Arg{Key: k.Name, Text: k.Text()}
		if items, list := k.Items(k.Name); list && types(k.Name).Takes("array") {
			a.Text, a.IsJSON = string(markup.AppendList(nil, items)), true
		} else if len(k.Kids) > 0 {
			a.Text, a.IsJSON = string(k.Append(nil)), true
		} else if empty := types(k.Name).empty(); empty != "" && strings.TrimSpace(a.Text) == "" {
			a.Text, a.IsJSON = empty, true
		}
		at[k.Name] = len(out)
		out = append(out, a)
	}
	for name, list := range same {
		switch p := types(name); {
		case len(list) < 2:
		case len(p) > 0 && !p.Takes("array"):
			for _, k := range list[1:] {
				out = append(out, Arg{Key: name, Text: k.Text()})
			}
		default:
			out[at[name]] = Arg{Key: name, Text: string(markup.AppendList(nil, list)), IsJSON: true}
		}
	}
	return out
}

// Join makes one list of the values of an argument that was given several times, where its parameter takes lists alone.
// Values that are lists themselves are no items; ok is false for them.
func Join(key string, p Types, values []Arg) (a Arg, ok bool) {
	if !p.Takes("array") {
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
		if v.IsJSON || markup.IsScalar(text) || strings.HasPrefix(text, "{") && jsonx.Valid([]byte(text)) == nil {
			b = append(b, text...)
		} else {
			b = jsonx.AppendQuote(b, v.Text)
		}
	}
	return Arg{Key: key, Text: string(append(b, ']')), IsJSON: true}, true
}

// TakeText reports whether a parameter takes more than scalars; one of unknown types does.
func (p Types) TakeText() bool {
	return len(p) == 0 || slices.ContainsFunc(p, func(name string) bool { return !slices.Contains(scalars, name) })
}

// scalars are the types of values that hold no text.
var scalars = []string{"integer", "number", "boolean", "null"}
