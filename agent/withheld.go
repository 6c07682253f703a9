package agent

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

// withheld contains the PersonOnly tools, which no model may use. The zero value contains none.
type withheld struct {
	names   []string // sorted names and aliases
	meaning *dialect.Names
}

// withheldOf collects the PersonOnly tools in lists of tools.
func withheldOf(lists ...[]Tool) (w withheld) {
	for _, tools := range lists {
		for i := range tools {
			if tools[i].PersonOnly {
				w.names = append(append(w.names, tools[i].Name), tools[i].Aliases...)
			}
		}
	}
	if w.names != nil {
		slices.Sort(w.names)
		w.names = slices.Compact(w.names)
		w.meaning = dialect.NewNames(nil, w.names...)
	}
	return w
}

// resolveName returns the PersonOnly tool that a model means by a name, in any spelling and with any prefix, "" for
// none.
func (w withheld) resolveName(written string) string {
	name, _, _ := w.meaning.Resolve(written)
	return name
}

// alike returns the PersonOnly tool whose name is a spelling variant of other, "" for none. A name that only has an
// additional prefix is not a variant.
func (w withheld) alike(other string) string {
	if name, rule, ok := w.meaning.Resolve(other); ok && rule != "name.prefix" {
		return name
	}
	return ""
}

// alikeError returns the error for a tool whose name could be confused with a PersonOnly tool.
func alikeError(name, withheld string) error {
	return callwright.Errorf("agent.tools", callwright.KindInvalid, "",
		"the name of the tool %q is too similar to %q, which only a person may use: rename it", name, withheld)
}

// refuse emits a note and returns the NOT_ALLOWED envelope for a model's call of a PersonOnly tool.
func (r *run) refuse(p *pending, name string) *Envelope {
	r.note(p, "loop.person_only", "refused", fmt.Sprintf("only a person may use %s", name))
	return failure(CodeNotAllowed, "only a person may use %s; the call was not run", name)
}
