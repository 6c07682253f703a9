package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/parts"
)

// types returns the types of a parameter. p may be nil.
func (p *Param) types() parts.Types {
	if p == nil {
		return nil
	}
	return p.Types
}

// takes reports whether the parameter accepts one of the given types and no string.
func (p *Param) takes(types ...string) bool { return p.types().Takes(types...) }

// isText reports whether the parameter accepts strings but no objects or arrays.
func (p *Param) isText() bool {
	return p != nil && slices.Contains(p.Types, "string") && !slices.Contains(p.Types, "object") && !slices.Contains(p.Types, "array")
}

// argOf converts an argument parsed from elements.
func argOf(a parts.Arg) Arg {
	kind := Literal
	if a.IsJSON {
		kind = JSON
	}
	return Arg{Key: a.Key, Text: a.Text, Kind: kind}
}

// elementArgs converts nested elements to arguments of the tool t, which may be nil.
func elementArgs(e *markup.Element, t *Tool) []Arg {
	read := parts.Args(e, func(key string) parts.Types { return t.param(key).types() })
	var out []Arg
	for _, a := range read {
		out = append(out, argOf(a))
	}
	return out
}

// joinItems joins the values of a repeated argument to an array. ok is false if the parameter is not an array.
func joinItems(p *Param, values []Arg) (Arg, bool) {
	if !p.takes("array") {
		return Arg{}, false
	}
	given := make([]parts.Arg, len(values))
	for i, a := range values {
		given[i] = parts.Arg{Text: a.Text, IsJSON: a.Kind == JSON}
	}
	a, ok := parts.Join(p.Name, p.types(), given)
	return argOf(a), ok
}
