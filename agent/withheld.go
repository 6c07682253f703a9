package agent

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

// withheld are the tools that only a person may use. The zero withheld has none.
type withheld struct {
	names   []string // aliases included
	meaning *dialect.Names
}

// withheldOf collects the tools of lists that only a person may use.
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

// resolveName is the withheld tool that a model means by a name, in any spelling and behind any prefix; "" for none.
func (w withheld) resolveName(written string) string {
	name, _, _ := w.meaning.Resolve(written)
	return name
}

// alike returns the withheld tool with a similar spelling, "" for none. A name that only has a further prefix is
// another tool.
func (w withheld) alike(other string) string {
	if name, rule, ok := w.meaning.Resolve(other); ok && rule != "name.prefix" {
		return name
	}
	return ""
}

// alikeError says that a tool cannot be told from one that only a person may use.
func alikeError(name, withheld string) error {
	return callwright.Errorf("agent.tools", callwright.KindInvalid, "",
		"the tool %q is spelled like %q, which only a person may use", name, withheld)
}

// refuse says that a model may not use a withheld tool, to the model and to those who watch.
func (r *run) refuse(p *pending, name string) *Envelope {
	r.note(p, "loop.person_only", "refused", fmt.Sprintf("only a person may use %s", name))
	return failure(CodeNotAllowed, "only a person may use %s; the call was not run", name)
}
