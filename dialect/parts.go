package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/parts"
)

// types are the types of a parameter, which may be nil.
func (p *Param) types() parts.Types {
	if p == nil {
		return nil
	}
	return p.Types
}

// takes reports whether a parameter takes one of some types, and no text.
func (p *Param) takes(types ...string) bool { return p.types().Takes(types...) }

// isText reports whether a parameter takes text, and nothing that elements say.
func (p *Param) isText() bool {
	return p != nil && slices.Contains(p.Types, "string") && !slices.Contains(p.Types, "object") && !slices.Contains(p.Types, "array")
}

// argOf is an argument that was read from elements.
func argOf(a parts.Arg) Arg {
	kind := Literal
	if a.IsJSON {
		kind = JSON
	}
	return Arg{Key: a.Key, Text: a.Text, Kind: kind}
}

// elementArgs are elements as arguments of tool t, which may be nil.
func elementArgs(e *markup.Element, t *Tool) []Arg {
	read := parts.Args(e, func(key string) parts.Types { return t.param(key).types() })
	var out []Arg
	for _, a := range read {
		out = append(out, argOf(a))
	}
	return out
}

// joinItems makes one list of the values of an argument that was given several times.
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
