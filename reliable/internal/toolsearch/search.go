package toolsearch

import (
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/definition"
)

// A Search is the tool search for one list of tools. It is immutable and safe for concurrent use.
type Search struct {
	tools     []callwright.Tool
	deferred  map[string]int // indexes of the deferred tools in tools, by name
	functions []function     // replacements of the search tools; empty if only the client itself can search
	wire      callwright.WireName
	index     func() *index
	members   func() members
}

// A function is the function tool that replaces a search tool of the client's API.
type function struct {
	tool  callwright.Tool
	place int // index of the search tool in Search.tools
	form  *form
}

// Of returns the tool search for a list of tools, nil for none. There is none without a deferred tool, without a tool
// that can load it, or if two tools would have the same name.
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

// Functions returns the function tools that replace search tools for a provider without tool search.
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

// DeferredCount returns the number of deferred tools.
func (s *Search) DeferredCount() int {
	if s == nil {
		return 0
	}
	return len(s.deferred)
}

// Native reports whether a provider with capabilities c loads deferred tools itself in the given mode. A nil Search
// returns true.
func (s *Search) Native(mode caps.Mode, c caps.Caps) bool {
	return s == nil || mode == caps.Native && string(c.ToolSearch) == string(s.wire) &&
		(c.APIItems != caps.No || s.wire != callwright.WireResponses)
}

// function returns the search function with the given name, nil if there is none.
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

// Has reports whether name is the name of a search function.
func (s *Search) Has(name string) bool { return s.function(name) != nil }

// Answer runs the search of a call with valid arguments. shown are the parts for the client: the call and its outcome
// in the form of the client's API. ok is false if the call is of no search function.
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

// OfferedTools returns all tools that the model may see without a tool search of the provider. First come the tools
// that are not deferred, with functions in place of search tools. The deferred tools follow, without defer_loading.
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

// isDeferred reports whether the tool at an index of s.tools is deferred.
func (s *Search) isDeferred(place int) bool {
	at, ok := s.deferred[s.tools[place].Name]
	return ok && at == place
}
