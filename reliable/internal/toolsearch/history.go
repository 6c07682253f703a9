package toolsearch

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/searchform"
)

// ConvertSearches converts the tool searches in a history to calls and results of the search functions. It also
// replaces tool_reference parts with text. sent returns the sent name of a tool for these texts. searches and
// references are the numbers of conversions. The conversion of a message does not depend on later messages.
func (s *Search) ConvertSearches(msgs []callwright.Message, sent func(name string) string) (out []callwright.Message, searches, references int) {
	for i, m := range msgs {
		parts, told := s.unfoldResults(m.Parts, sent)
		references += told
		switch {
		case m.Role != callwright.RoleAssistant || !slices.ContainsFunc(parts, func(p callwright.Part) bool { _, ok := s.blockOf(p); return ok }):
			if told > 0 {
				m.Parts = parts
			}
			if out != nil || told > 0 {
				out = append(s.ensureCopy(out, msgs[:i]), m)
			}
		default:
			turns, n := s.turns(m, sent)
			out, searches = append(s.ensureCopy(out, msgs[:i]), turns...), searches+n
		}
	}
	if out == nil {
		out = msgs
	}
	return out, searches, references
}

// ensureCopy returns out, or a copy of before if out is nil.
func (s *Search) ensureCopy(out, before []callwright.Message) []callwright.Message {
	if out == nil {
		return append(make([]callwright.Message, 0, len(before)+4), before...)
	}
	return out
}

// turns splits a message at its searches. Each search becomes a call at the end of a message, followed by a message
// with its result. count is the number of searches. A search without an outcome, and an outcome without a search, stay
// unchanged. The encoder reports them if its API does not support them.
func (s *Search) turns(m callwright.Message, sent func(name string) string) (out []callwright.Message, count int) {
	turn := callwright.Message{Role: m.Role, Extra: m.Extra}
	var open *searchform.SearchPart
	at := 0 // index of the open search in turn.Parts
	for _, p := range m.Parts {
		b, ok := s.blockOf(p)
		switch {
		case ok && !b.Outcome:
			open, at = &b, len(turn.Parts)
			turn.Parts = append(turn.Parts, p)
		case !ok || open == nil || b.ID != "" && open.ID != b.ID:
			turn.Parts = append(turn.Parts, p)
		default:
			turn.Parts = append(slices.Delete(turn.Parts, at, at+1), callwright.Call{ID: open.ID, Name: open.Name, Arguments: open.Arguments})
			out = append(out, turn, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{
				CallID: open.ID, Name: open.Name, IsError: b.Failure != "", Parts: []callwright.Part{callwright.Text{Text: describeOutcome(&b, sent)}},
			}}})
			turn.Parts, open, count = nil, nil, count+1
		}
	}
	if len(turn.Parts) > 0 || len(out) == 0 {
		out = append(out, turn)
	}
	return out, count
}

// describeOutcome returns the result text of a search for the model.
func describeOutcome(b *searchform.SearchPart, sent func(name string) string) string {
	switch {
	case b.Failure != "":
		return b.Failure
	case len(b.Found) == 0:
		return "No tool was found. Search in other words."
	}
	names := make([]string, len(b.Found))
	for i, name := range b.Found {
		names[i] = sent(name)
	}
	return "Found: " + strings.Join(names, ", ") + ". You can call them now."
}

// unfoldResults replaces tool_reference parts in tool results with text. A client returns such parts for its own tool
// search. references is their number.
func (s *Search) unfoldResults(parts []callwright.Part, sent func(name string) string) (out []callwright.Part, references int) {
	out = parts
	for i, p := range parts {
		r, ok := p.(callwright.Result)
		if !ok || !slices.ContainsFunc(r.Parts, func(p callwright.Part) bool { return readReference(p) != "" }) {
			continue
		}
		r.Parts = slices.Clone(r.Parts)
		n := 0
		for k, in := range r.Parts {
			if name := readReference(in); name != "" {
				r.Parts[k] = callwright.Text{Text: "Found: " + sent(name) + ". You can call it now."}
				n++
			}
		}
		if references == 0 {
			out = slices.Clone(parts)
		}
		out[i], references = r, references+n
	}
	return out, references
}

// readReference returns the tool name of a tool_reference part, "" for other parts.
func readReference(p callwright.Part) string {
	t, ok := p.(callwright.Text)
	if !ok || !searches(t.Extra.Wire) {
		return ""
	}
	return searchform.Reference(t)
}

// MayTell reports whether the body of a request may contain a search or a search result. It is a fast check with false
// positives.
func MayTell(body []byte) bool { return searchform.MayContainSearch(body) }

// IsShown reports whether a part is a search or its outcome in the form of an API.
func IsShown(p callwright.Part) bool { return searchform.IsShown(p) }

// blockOf decodes a part with a search or its outcome. ok is false for other parts, and for searches by other tools.
func (s *Search) blockOf(p callwright.Part) (b searchform.SearchPart, ok bool) {
	o, is := p.(callwright.Opaque)
	if !is || !searches(o.Extra.Wire) {
		return b, false
	}
	if b, ok = searchform.Read(p); !ok {
		return b, false
	}
	if o.Extra.Wire == callwright.WireResponses {
		b.Found = s.toolsOf(b.Found)
	}
	return b, b.Outcome || s.function(b.Name) != nil
}

// FindLoadedTools returns the names of the deferred tools that are loaded after a history, in the order of loading. A
// tool is loaded if a search found it or the model called it. Deferred tools that the parameter also names, such as
// those of a tool choice, come last.
func (s *Search) FindLoadedTools(msgs []callwright.Message, also ...string) []string {
	l := loading{s: s, has: map[string]bool{}}
	for _, m := range msgs {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Call:
				l.add(p.Name)
			case callwright.Result:
				for _, in := range p.Parts {
					l.add(readReference(in))
				}
				l.add(s.toolsOf(searchform.KeysInResult(p))...)
			case callwright.Opaque:
				b, _ := s.blockOf(p)
				l.add(b.Found...)
			}
		}
	}
	l.add(also...)
	return l.names
}

// FindCalledTools is [Search.FindLoadedTools] for a history without searches.
func (s *Search) FindCalledTools(turns []callwright.Summary, also ...string) []string {
	l := loading{s: s, has: map[string]bool{}}
	for _, t := range turns {
		for _, c := range t.Calls {
			l.add(c.Name)
		}
	}
	l.add(also...)
	return l.names
}

// loading collects the names of loaded deferred tools, without duplicates.
type loading struct {
	s     *Search
	names []string
	has   map[string]bool // set of names
}

// add adds the names of deferred tools that are not in the list yet.
func (l *loading) add(names ...string) {
	for _, name := range names {
		if _, deferred := l.s.deferred[name]; deferred && !l.has[name] {
			l.names, l.has[name] = append(l.names, name), true
		}
	}
}
