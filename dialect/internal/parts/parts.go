// Package parts converts values in XML elements to arguments, according to the types of the parameters.
package parts

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
)

// Types are the JSON type names of a parameter, empty if unknown.
type Types []string

// An Arg is one argument, as text or, if IsJSON is set, as JSON.
type Arg struct {
	Key, Text string
	IsJSON    bool
}

// Takes reports whether the parameter accepts one of the given types and no strings.
func (p Types) Takes(types ...string) bool {
	return len(p) > 0 && !slices.Contains(p, "string") && slices.ContainsFunc(types, func(t string) bool { return slices.Contains(p, t) })
}

// empty returns the value for an empty element: "[]" or "{}" for arrays or objects, otherwise "".
func (p Types) empty() string {
	switch {
	case p.Takes("array") && !p.Takes("object"):
		return "[]"
	case p.Takes("object") && !p.Takes("array"):
		return "{}"
	}
	return ""
}

// Of converts a value that consists only of elements, for the parameter key: to an array, to an object, or to the only
// value in a wrapper. ok is false if the parameter accepts strings or the elements do not fit.
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

// Args converts the children of e to arguments: elements without children to text, others and repeated ones to JSON.
// types returns the types of a parameter.
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

// Join joins the values of a repeated argument to an array, if the parameter accepts only arrays. ok is false if a
// value is itself an array.
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

// TakeText reports whether the parameter accepts more than scalars, or has unknown types.
func (p Types) TakeText() bool {
	return len(p) == 0 || slices.ContainsFunc(p, func(name string) bool { return !slices.Contains(scalars, name) })
}

// scalars are the types of values without text.
var scalars = []string{"integer", "number", "boolean", "null"}
