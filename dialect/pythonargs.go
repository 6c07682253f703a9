package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/arith"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/repair"
)

// pythonArgs parses a Python argument list into the call c of tool t, which may be nil. Positional arguments are bound
// to the parameters in order. A single dict has all arguments. An unquoted value is the text of a string parameter.
func pythonArgs(t *Tool, c *Call, text string) bool {
	if strings.Contains(text, `\_`) {
		text = strings.ReplaceAll(text, `\_`, "_")
	}
	args, _, err := repair.PythonArgs(text)
	if err != nil {
		return looseArgs(t, c, text)
	}
	if len(args) == 1 && args[0].Key == "" && strings.HasPrefix(strings.TrimSpace(string(args[0].JSON)), "{") {
		c.JSON = string(args[0].JSON)
		if t == nil || len(t.Params) != 1 || declares(t, keysOf(c)) {
			return true
		}
		c.JSON = ""
	}
	c.Args = make([]Arg, 0, len(args))
	for i := range args {
		a := &args[i]
		if a.Key == "" {
			if t == nil || i >= len(t.Params) {
				return false
			}
			a.Key = t.Params[i].Name
		}
		arg, ok := bindArgument(t, a)
		if !ok {
			return false
		}
		c.unreadable = c.unreadable || arg.namesItself()
		c.Args = append(c.Args, arg)
		c.Fixes = append(c.Fixes, a.Fixes...)
	}
	return true
}

// bindArgument converts an argument. A value that is not a literal is accepted as text if the parameter can be a
// string, or as an expression or list of the parameter's type. It returns false for other values.
func bindArgument(t *Tool, a *repair.Arg) (Arg, bool) {
	if a.JSON != nil {
		return Arg{Key: a.Key, Text: string(a.JSON), Kind: JSON}, true
	}
	if t == nil {
		return Arg{}, false
	}
	if v, ok := arith.Eval(a.Text); ok && t.param(a.Key).takes("number", "integer") {
		a.Fixes = append(a.Fixes, repair.Fix{Rule: "number_form", Was: a.Text, Now: v})
		return Arg{Key: a.Key, Text: v, Kind: JSON}, true
	}
	if v, rule, ok := literal.List(a.Text); ok && t.param(a.Key).takes("array") {
		a.Fixes = append(a.Fixes, repair.Fix{Rule: rule, Was: a.Text, Now: v})
		return Arg{Key: a.Key, Text: v, Kind: JSON}, true
	}
	if p := t.param(a.Key); p != nil && len(p.Types) > 0 && !slices.Contains(p.Types, "string") {
		return Arg{}, false
	}
	return Arg{Key: a.Key, Text: a.Text}, true
}

// looseArgs parses dict members without braces, as in f('key': 1). It returns false if t does not declare all keys.
func looseArgs(t *Tool, c *Call, text string) bool {
	inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"))
	if inner == "" || t == nil || inner[0] != '"' && inner[0] != '\'' {
		return false
	}
	r, err := repair.JSON("{" + inner + "}")
	if err != nil || r.Rest != "" {
		return false
	}
	c.JSON = string(r.JSON)
	c.Fixes = append(c.Fixes, r.Fixes...)
	return declares(t, keysOf(c))
}
