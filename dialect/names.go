package dialect

import "github.com/callwright/callwright/dialect/internal/toolname"

// Names resolves tool names as models write them to the declared ones, without ever guessing: only differences that
// lose nothing are bridged, and only where one declared name is left. It is immutable and safe for concurrent use; nil
// resolves nothing.
type Names toolname.Resolver

// NewNames returns the resolver of a set of declared names. Withheld ones, of tools that no model is offered, are
// resolved in any spelling, behind any namespace.
func NewNames(names []string, withheld ...string) *Names {
	return (*Names)(toolname.New(names, withheld...))
}

// An Alias is a name under which a receiver was sent a declared tool, and the same without the tail that tells it apart
// from others, "" where it has none.
type Alias = toolname.Alias

// With returns the resolver for a receiver that was sent tools under other names than the declared ones. It resolves
// both: a name that was sent is an exact match.
func (n *Names) With(aliases []Alias) *Names {
	return (*Names)((*toolname.Resolver)(n).With(aliases))
}

// Resolve returns the declared name that written means. rule is empty for an exact match, else it names how the two
// differ: name.case, name.separators, name.escape, name.prefix, name.suffix.
func (n *Names) Resolve(written string) (declared, rule string, ok bool) {
	return (*toolname.Resolver)(n).Resolve(written)
}

// begins reports whether s may be the beginning of a written form of a declared name.
func (n *Names) begins(s string) bool { return (*toolname.Resolver)(n).Begins(s) }

// has reports whether a name is declared, or was sent, just so.
func (n *Names) has(s string) bool { return (*toolname.Resolver)(n).Has(s) }

// isPlain reports whether a name that stands bare in a text is declared.
func (n *Names) isPlain(s string) bool {
	_, ok := n.plain(s)
	return ok
}

// plain is Resolve without namespaces: for names that stand bare in a text.
func (n *Names) plain(s string) (declared string, ok bool) {
	return (*toolname.Resolver)(n).Plain(s)
}
