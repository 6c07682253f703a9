package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// A validator decides whether a parsed call can be run.
type validator struct {
	tools *toolset
	rows  map[string]*Format
}

// why resolves the name of a call and repairs its arguments. It returns the reason why the call must not be run, or
// "".
func (j *validator) why(c *Call) Why {
	d, rule, ok := j.tools.names.Resolve(c.Written)
	if ok = ok && (rule == "" || !j.off(rule)); ok {
		c.Name, c.NameRule = d, rule
	}
	switch {
	case c.Truncated:
		return Truncated
	case !ok:
		return Undeclared
	case c.unreadable, !j.resolveRepeats(c):
		return Malformed
	case c.open > 0 && c.bare, c.open > 2:
		c.Truncated = true
		return Truncated
	}
	j.unwrap(c)
	if c.JSON != "" {
		if why := j.mend(c); why != "" {
			return why
		}
	}
	if !j.mayFix(c) {
		return Malformed
	}
	if c.open > 0 && !j.hasRequired(c) || c.open > 1 && !j.declaresAll(c) {
		c.Truncated = true
		return Truncated
	}
	c.Unclosed = c.open > 0 || c.unended || c.isUnclosed()
	return ""
}

// unwrap replaces the arguments by those inside a single container argument, such as <parameters>{...}</parameters>.
// The container must have an object of declared parameters and must not be a parameter itself.
func (j *validator) unwrap(c *Call) {
	if len(c.Args) != 1 || !markup.IsContainer(c.Args[0].Key) && c.Args[0].Key != "properties" {
		return
	}
	t := j.tools.findTool(c.Name)
	if t == nil || t.param(c.Args[0].Key) != nil {
		return
	}
	whole := Call{JSON: c.Args[0].Text}
	if keys := keysOf(&whole); len(keys) > 0 && declares(t, keys) {
		c.JSON, c.Args = whole.JSON, nil
	}
}

// echoes reports whether a call repeats a text in Options.Quoted.
func (j *validator) echoes(c *Call) bool {
	raw := strings.TrimSpace(c.Raw)
	if len(raw) < shortestEcho {
		return false
	}
	return slices.ContainsFunc(j.tools.o.Quoted, func(q string) bool { return strings.Contains(q, raw) })
}

// lists reports whether a call only names the tool: it has no declared argument.
func (j *validator) lists(c *Call) bool {
	t := j.tools.resolveTool(c.Written)
	return c.JSON == "" && !slices.ContainsFunc(c.Args, func(a Arg) bool { return t.param(a.Key) != nil })
}

// shortestEcho is the minimum length in bytes of a call that counts as a repetition of quoted text.
const shortestEcho = 12

// off reports whether a rule is disabled.
func (j *validator) off(rule string) bool {
	return j.tools.o.Disabled != nil && j.tools.o.Disabled(rule)
}

// mend repairs the JSON of a call.
func (j *validator) mend(c *Call) Why {
	if v, ok := markup.JSON(c.JSON); ok {
		c.JSON = string(v)
		return ""
	}
	r, err := repair.JSON(c.JSON)
	switch {
	case err == repair.ErrTruncated:
		c.Truncated = true
		return Truncated
	case err != nil:
		return Malformed
	case c.open > 0 && r.Unclosed > 1: // besides the object itself a value inside it is truncated
		c.Truncated = true
		return Truncated
	}
	f := j.rows[c.Format]
	for _, fix := range r.Fixes {
		if f == nil || !f.literals || fix.Rule != "unquoted_key" {
			c.Fixes = append(c.Fixes, fix)
		}
	}
	was := c.JSON
	c.JSON = string(r.JSON)
	if len(r.Fixes) > 0 {
		refuseLost(j.tools, was, []*Call{c})
	}
	if c.unreadable || callshape.Contradicts(r.JSON) || jsonx.KindOf(r.JSON) == jsonx.Null && len(r.Fixes) > 0 {
		return Malformed
	}
	return ""
}

// resolveRepeats leaves one value for an argument that is given several times. This is an array of the values if the
// parameter is an array, otherwise the value that the format prefers. It returns false if values differ and the format
// prefers none.
func (j *validator) resolveRepeats(c *Call) bool {
	if len(c.Args) < 2 {
		return true
	}
	given := make(map[string][]Arg, len(c.Args))
	kept := c.Args[:0]
	for _, a := range c.Args {
		if len(given[a.Key]) == 0 {
			kept = append(kept, a)
		}
		given[a.Key] = append(given[a.Key], a)
	}
	c.Args = kept
	t := j.tools.resolveTool(c.Written)
	for i, a := range kept {
		values := given[a.Key]
		if len(values) == 1 {
			continue
		}
		if list, ok := joinItems(t.param(a.Key), values); ok {
			kept[i] = list
			continue
		}
		last := values[len(values)-1]
		switch {
		case allAlike(values):
		case j.rows[c.Format] == nil || j.rows[c.Format].repeats == refuseBoth:
			return false
		case j.rows[c.Format].repeats == keepLast:
			kept[i] = last
		}
	}
	return true
}

// allAlike reports whether all values have the same text.
func allAlike(values []Arg) bool {
	return !slices.ContainsFunc(values, func(a Arg) bool { return a.Text != values[0].Text })
}

// mayFix reports whether the rules of all repairs of the call are enabled.
func (j *validator) mayFix(c *Call) bool {
	for _, f := range c.Fixes {
		if rule := "json." + f.Rule; j.off(rule) || repair.RiskOf(f.Rule) == repair.Heuristic && !j.mayGuess(rule) {
			return false
		}
	}
	return true
}

// mayGuess reports whether a heuristic rule is allowed.
func (j *validator) mayGuess(rule string) bool {
	return j.tools.o.Heuristic || j.tools.o.Guess != nil && j.tools.o.Guess(rule)
}

// hasRequired reports whether a call has all required parameters of its tool.
func (j *validator) hasRequired(c *Call) bool {
	t := j.tools.findTool(c.Name)
	if t == nil {
		return false
	}
	given := keysOf(c)
	for i := range t.Params {
		if p := &t.Params[i]; p.Required && !given[p.Name] {
			return false
		}
	}
	return true
}

// declaresAll reports whether a call has arguments and all are declared parameters of its tool.
func (j *validator) declaresAll(c *Call) bool {
	keys := keysOf(c)
	t := j.tools.findTool(c.Name)
	return len(keys) > 0 && t != nil && declares(t, keys)
}
