package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/toolglob"
)

// A toolset contains the tools that one request offers to the model.
type toolset struct {
	offered  []callwright.Tool
	byName   map[string]*Tool
	hidden   map[string]bool // existing tools that must not be offered
	withheld withheld
}

// gather collects the tools to offer in the next request, from the options and the sources.
func (r *run) gather(ctx context.Context) (*toolset, error) {
	o, t := r.o, &toolset{byName: map[string]*Tool{}, hidden: map[string]bool{}}
	lists := [][]Tool{o.tools}
	for _, s := range o.sources {
		if o.mode == ModeDisabled {
			break
		}
		tools, err := callWithRecover("a source of tools", func() ([]Tool, error) { return s.Tools(ctx) })
		if err != nil {
			return nil, err
		}
		lists = append(lists, tools)
	}
	t.withheld = withheldOf(lists...)
	if o.mode == ModeDisabled {
		return t, nil
	}
	for k, tools := range lists {
		for i := range tools {
			r.add(t, o.applyRules(&tools[i]), k > 0)
		}
	}
	return t, nil
}

// add offers a tool if it is allowed and no earlier tool has its name. fromSource is true for a tool of a Source, which
// must be checked first.
func (r *run) add(t *toolset, tool *Tool, fromSource bool) {
	switch {
	case tool.PersonOnly, t.byName[tool.Name] != nil, t.hidden[tool.Name]:
	case !r.o.isAllowed(tool.Name), fromSource && !r.usable(tool, t.withheld):
		t.hidden[tool.Name] = true
	default:
		t.byName[tool.Name] = tool
		t.offered = append(t.offered, callwright.Tool{Name: tool.Name, Description: tool.Description, Schema: tool.Schema,
			Type: callwright.FunctionTool})
	}
}

// usable reports whether a tool of a Source is valid. For an invalid tool it emits a note.
func (r *run) usable(t *Tool, w withheld) bool {
	key := t.Name + "\x00" + string(t.Schema)
	if ok, known := r.usables[key]; known {
		return ok
	}
	err := CheckTool(*t)
	if name := w.alike(t.Name); err == nil && name != "" {
		err = alikeError(t.Name, name)
	}
	if err != nil {
		r.emit(Event{Kind: EventNote, Name: t.Name,
			Note: &callwright.Note{Rule: "loop.left_out", Was: t.Name, Why: callwright.Excerpt(err.Error())}})
	}
	if r.usables == nil {
		r.usables = map[string]bool{}
	}
	r.usables[key] = err == nil
	return err == nil
}

func (o *options) isAllowed(name string) bool {
	return (len(o.allow) == 0 || matches(o.allow, name)) && !matches(o.deny, name)
}

// matches reports whether one of the patterns matches a tool name.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return toolglob.Matches(p, name) })
}

// names returns the names of the offered tools, at most 20, separated by commas.
func (t *toolset) names() string {
	const most = 20
	var out []string
	for _, tool := range t.offered {
		if len(out) == most {
			out = append(out, "...")
			break
		}
		out = append(out, tool.Name)
	}
	return strings.Join(out, ", ")
}

// whyNone returns the end of an error message that explains why no tool is offered, "" if there is no tool at all.
func (t *toolset) whyNone() string {
	if len(t.hidden) > 0 {
		return fmt.Sprintf(": none of the %d tools may be offered", len(t.hidden))
	}
	return ""
}
