package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/literal"
)

// A Tool is a declared tool for a scanner or a renderer. Schema is its parameters' JSON Schema as the caller wrote it
// (nil: any object); Params are the top-level properties of that schema, in declared order.
type Tool struct {
	Name        string
	Description string
	Schema      []byte
	Params      []Param
}

// A Param is one declared parameter. Types are JSON Schema type names; empty means unknown.
type Param struct {
	Name     string
	Types    []string
	Required bool
}

// param is the parameter of a name, or nil. The tool may be nil.
func (t *Tool) param(name string) *Param {
	if t == nil {
		return nil
	}
	for i := range t.Params {
		if t.Params[i].Name == name {
			return &t.Params[i]
		}
	}
	return nil
}

// declares reports whether a name is one of the parameters. The tool may be nil.
func (t *Tool) declares(name string) bool { return t.param(name) != nil }

// onlyText is the parameter that takes the plain text in a call's tag: the only one that must be given, or the only one
// at all, or the only string where none must be given. The tool may be nil.
func (t *Tool) onlyText() string {
	if t == nil {
		return ""
	}
	var required, text *Param
	musts, texts := 0, 0
	for i := range t.Params {
		p := &t.Params[i]
		if p.Required {
			required, musts = p, musts+1
		}
		if len(p.Types) == 0 && len(t.Params) == 1 || slices.Contains(p.Types, "string") {
			text, texts = p, texts+1
		}
	}
	switch {
	case musts == 1 && (len(required.Types) == 0 || slices.Contains(required.Types, "string")):
		return required.Name
	case musts == 0 && texts == 1:
		return text.Name
	}
	return ""
}

// mustHave reports whether a parameter must be given. The tool may be nil.
func (t *Tool) mustHave() bool {
	return t != nil && slices.ContainsFunc(t.Params, func(p Param) bool { return p.Required })
}

// takesOneText reports whether the tool has one parameter, which is required and a string: then text can be nothing
// else.
func (t *Tool) takesOneText() bool {
	return len(t.Params) == 1 && t.Params[0].Required && len(t.Params[0].Types) == 1 && t.Params[0].Types[0] == "string"
}

// types gives the types of the tool's parameters; it is nil where the tool declares none. The tool may be nil.
func (t *Tool) types() literal.Types {
	if t == nil || len(t.Params) == 0 {
		return nil
	}
	return func(name string) ([]string, bool) {
		if p := t.param(name); p != nil {
			return p.Types, true
		}
		return nil, false
	}
}
