package dialect

// A toolset is the declared tools and the resolution of their names.
type toolset struct {
	names *Names
	list  []Tool
}

// named is the declared tool that a written name means, or nil.
func (t *toolset) named(written string) *Tool {
	d, _, ok := t.names.Resolve(written)
	if !ok {
		return nil
	}
	return t.declared(d)
}

// declared is the tool of a declared name, or nil.
func (t *toolset) declared(name string) *Tool {
	for i := range t.list {
		if t.list[i].Name == name {
			return &t.list[i]
		}
	}
	return nil
}

// resolves reports whether a written name means a declared tool.
func (t *toolset) resolves(written string) bool {
	_, _, ok := t.names.Resolve(written)
	return ok
}
