package dialect

import "github.com/callwright/callwright/dialect/internal/toolname"

// Names resolves tool names as models write them to declared names. It accepts only lossless differences, such as
// case, and only if exactly one declared name matches. It is immutable and safe for concurrent use. A nil *Names
// resolves nothing.
type Names toolname.Resolver

// NewNames returns a resolver of the declared names. withheld are the names of tools that are not offered to the
// model; they are resolved in any spelling and with any namespace.
func NewNames(names []string, withheld ...string) *Names {
	return (*Names)(toolname.New(names, withheld...))
}

// An Alias is a name under which a declared tool was sent to a model, and this name without its distinguishing suffix,
// "" if it has none.
type Alias = toolname.Alias

// With returns a resolver that also accepts the names under which tools were sent to a model. A sent name is an exact
// match.
func (n *Names) With(aliases []Alias) *Names {
	return (*Names)((*toolname.Resolver)(n).With(aliases))
}

// Resolve returns the declared name for a written name. rule is "" for an exact match, otherwise the difference:
// name.case, name.separators, name.escape, name.prefix or name.suffix. ok is false if no declared name matches.
func (n *Names) Resolve(written string) (declared, rule string, ok bool) {
	return (*toolname.Resolver)(n).Resolve(written)
}

// begins reports whether s is a prefix of an accepted spelling of a declared name.
func (n *Names) begins(s string) bool { return (*toolname.Resolver)(n).Begins(s) }

// has reports whether s exactly is a declared or sent name.
func (n *Names) has(s string) bool { return (*toolname.Resolver)(n).Has(s) }

// isPlain reports whether s, outside markers, is a declared name.
func (n *Names) isPlain(s string) bool {
	_, ok := n.plain(s)
	return ok
}

// plain resolves a name outside markers, where fewer spellings are accepted: at most one prefix, and a call index.
func (n *Names) plain(s string) (declared string, ok bool) {
	return (*toolname.Resolver)(n).Plain(s)
}
