package toolsearch

import (
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/definition"
)

// A Search is the search of one list of tools. It does not change after it was made, and is safe for concurrent use.
type Search struct {
	tools     []callwright.Tool
	deferred  map[string]int // the places in tools of the deferred ones, by name
	functions []function     // by which a model searches; none where the client answers searches itself
	wire      callwright.WireName
	index     func() *index
	members   func() members
}

// A function stands for a search tool of the client's API.
type function struct {
	tool  callwright.Tool
	place int // of the search tool among the tools
	form  *form
}

// Of is the search of a list of tools, nil where no tool is deferred, or nothing could find those that are.
func Of(tools []callwright.Tool) *Search {
	s := &Search{tools: tools, deferred: map[string]int{}}
	open := map[string]bool{}
	for i := range tools {
		t := &tools[i]
		f := formOf(t)
		switch {
		case f != nil:
			s.functions = append(s.functions, function{place: i, form: f})
		case t.Type == callwright.HostedTool:
		case definition.IsDeferred(t) && searches(t.Extra.Wire):
			s.deferred[t.Name], s.wire = i, t.Extra.Wire
		default:
			open[t.Name] = true
		}
	}
	if len(s.deferred) == 0 || len(s.functions)+len(open) == 0 {
		return nil
	}
	s.index = sync.OnceValue(func() *index { return newIndex(s) })
	s.members = sync.OnceValue(s.membersOf)
	for i := range s.functions {
		f := &s.functions[i]
		f.tool = f.form.function(s, tools[f.place].Name)
		if _, taken := s.deferred[f.tool.Name]; taken || open[f.tool.Name] {
			return nil
		}
	}
	return s
}

// Functions are the functions by which a model searches where its provider has no search.
func (s *Search) Functions() []callwright.Tool {
	if s == nil {
		return nil
	}
	out := make([]callwright.Tool, len(s.functions))
	for i, f := range s.functions {
		out[i] = f.tool
	}
	return out
}

// DeferredCount is how many tools are deferred.
func (s *Search) DeferredCount() int {
	if s == nil {
		return 0
	}
	return len(s.deferred)
}

// Native reports whether a model that is asked in a mode loads deferred tools itself.
func (s *Search) Native(mode caps.Mode, c caps.Caps) bool {
	return s == nil || mode == caps.Native && string(c.ToolSearch) == string(s.wire) &&
		(c.APIItems != caps.No || s.wire != callwright.WireResponses)
}

// function finds the function of a name, nil for other names.
func (s *Search) function(name string) *function {
	if s == nil {
		return nil
	}
	for i := range s.functions {
		if s.functions[i].tool.Name == name {
			return &s.functions[i]
		}
	}
	return nil
}

// Has reports whether a name is that of a function by which a model searches.
func (s *Search) Has(name string) bool { return s.function(name) != nil }

// Answer runs the search that a call asks for. It returns the parts that show the call and its outcome to the client;
// ok is false for calls of other tools. The call has been judged.
func (s *Search) Answer(call *callwright.Call) (shown []callwright.Part, ok bool) {
	f := s.function(call.Name)
	if f == nil {
		return nil, false
	}
	found, failure := f.form.find(s, call.Arguments)
	wire := s.tools[f.place].Extra.Wire
	for _, block := range f.form.show(s, call, found, failure) {
		shown = append(shown, callwright.Opaque{Extra: callwright.Extra{Wire: wire, JSON: block}})
	}
	return shown, true
}

// OfferedTools are the tools that a model may ever be offered: those that are not deferred, with a function in place of
// each search tool, and the deferred ones after them.
func (s *Search) OfferedTools() []callwright.Tool {
	out := make([]callwright.Tool, 0, len(s.tools))
	for i, t := range s.tools {
		if at := slices.IndexFunc(s.functions, func(f function) bool { return f.place == i }); at >= 0 {
			out = append(out, s.functions[at].tool)
		} else if !s.isDeferred(i) {
			out = append(out, t)
		}
	}
	for i, t := range s.tools {
		if !s.isDeferred(i) {
			continue
		}
		out = append(out, definition.RemoveDeferral(t))
	}
	return out
}

// isDeferred reports whether the tool at a place is deferred.
func (s *Search) isDeferred(place int) bool {
	at, ok := s.deferred[s.tools[place].Name]
	return ok && at == place
}
