package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/literal"
)

// A Tool is a declared tool for a scanner or renderer. Schema is the JSON Schema of its parameters, nil for any
// object. Params are the top-level properties of the schema in declaration order.
type Tool struct {
	Name        string
	Description string
	Schema      []byte
	Params      []Param
}

// A Param is a declared parameter. Types are JSON Schema type names, empty if unknown.
type Param struct {
	Name     string
	Types    []string
	Required bool
}

// param returns the parameter with the given name, nil if there is none. t may be nil.
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

// declares reports whether the tool has the parameter. t may be nil.
func (t *Tool) declares(name string) bool { return t.param(name) != nil }

// onlyText returns the parameter for plain text in a call's tag: the only required parameter if it accepts strings or,
// if none is required, the only parameter that accepts strings. Otherwise it returns "". t may be nil.
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

// mustHave reports whether the tool has a required parameter. t may be nil.
func (t *Tool) mustHave() bool {
	return t != nil && slices.ContainsFunc(t.Params, func(p Param) bool { return p.Required })
}

// takesOneText reports whether the tool has exactly one parameter, which is a required string.
func (t *Tool) takesOneText() bool {
	return len(t.Params) == 1 && t.Params[0].Required && len(t.Params[0].Types) == 1 && t.Params[0].Types[0] == "string"
}

// types returns the types of the parameters by name for package literal. It returns nil if the tool declares none. t
// may be nil.
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
