package dialect

import (
	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// A toolset has the declared tools and the resolver of their names.
type toolset struct {
	names *Names
	o     *Options
	keys  callshape.Keys // key names from the caller's own formats
}

// resolveTool returns the declared tool for a written name, or nil.
func (t *toolset) resolveTool(written string) *Tool {
	d, _, ok := t.names.Resolve(written)
	if !ok {
		return nil
	}
	return t.findTool(d)
}

// findTool returns the tool with the declared name, or nil.
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

// keysOf returns the argument names of a call.
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

// declares reports whether the tool declares all keys.
func declares(t *Tool, keys map[string]bool) bool {
	for k := range keys {
		if t.param(k) == nil {
			return false
		}
	}
	return true
}
