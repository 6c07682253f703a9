package dialect

import (
	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// A toolset holds the declared tools and the index that resolves their names.
type toolset struct {
	names *Names
	o     *Options
	keys  callshape.Keys // of formats of a caller's own
}

// resolveTool is the declared tool that a written name means, or nil.
func (t *toolset) resolveTool(written string) *Tool {
	d, _, ok := t.names.Resolve(written)
	if !ok {
		return nil
	}
	return t.findTool(d)
}

// findTool is the tool of a declared name, or nil.
func (t *toolset) findTool(name string) *Tool {
	for i := range t.o.Tools {
		if t.o.Tools[i].Name == name {
			return &t.o.Tools[i]
		}
	}
	return nil
}

// resolves reports whether a written name means a declared tool.
func (t *toolset) resolves(written string) bool {
	_, _, ok := t.names.Resolve(written)
	return ok
}

// keysOf are the names of a call's arguments.
func keysOf(c *Call) map[string]bool {
	keys := map[string]bool{}
	for i := range c.Args {
		keys[c.Args[i].Key] = true
	}
	if c.JSON != "" {
		if r, err := repair.JSON(c.JSON); err == nil && jsonx.KindOf(r.JSON) == jsonx.Object {
			for k := range jsonx.Members(r.JSON) {
				keys[k.String()] = true
			}
		}
	}
	return keys
}

// declares reports whether a tool declares all keys.
func declares(t *Tool, keys map[string]bool) bool {
	for k := range keys {
		if t.param(k) == nil {
			return false
		}
	}
	return true
}
