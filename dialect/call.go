package dialect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// identity returns a string that is equal for calls with the same name and arguments.
func (c *Call) identity() string {
	var b bytes.Buffer
	b.WriteString(c.Name)
	b.WriteByte(0)
	if c.JSON != "" {
		b.Write(jsonx.Compact(nil, []byte(c.JSON)))
		return b.String()
	}
	b.WriteByte('{')
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonx.AppendQuote(nil, a.Key))
		b.WriteByte(':')
		if a.Kind == JSON {
			b.Write(jsonx.Compact(nil, []byte(a.Text)))
		} else {
			b.Write(jsonx.AppendQuote(nil, a.Text))
		}
	}
	b.WriteByte('}')
	return b.String()
}

// repeats reports whether d is written like c: the same name and arguments.
func (c *Call) repeats(d *Call) bool {
	return c.Written == d.Written && strings.TrimSpace(c.JSON) == strings.TrimSpace(d.JSON) && slices.Equal(c.Args, d.Args)
}

// namesItself reports whether the value of an argument is its own name, as in f(city=city).
func (a *Arg) namesItself() bool { return a.Kind == Literal && a.Text == a.Key }

// typeWords are type names that follow a parameter in a function signature.
var typeWords = []string{"str", "string", "int", "integer", "float", "number", "bool", "boolean", "list", "array", "dict", "object", "any"}

// isSignature reports whether a call is a function signature rather than a call: its values are the parameter names or
// type names, as in f(city: str).
func (c *Call) isSignature() bool {
	return len(c.Args) > 0 && !slices.ContainsFunc(c.Args, func(a Arg) bool {
		return a.Kind != Literal || !a.namesItself() && !slices.Contains(typeWords, strings.ToLower(a.Text))
	})
}
