package toolsearch

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/internal/wire/searchform"
)

// members has the deferred tools by their keys in the Responses API.
type members struct {
	at         map[string][]string // tool names by key: tool name, namespace, or NAMESPACE.NAME
	namespaces []string            // names of all namespaces, in order
	about      map[string][]byte   // JSON members of a namespace other than its tools, by name
}

func (s *Search) membersOf() members {
	m := members{at: map[string][]string{}, about: map[string][]byte{}}
	for i := range s.tools {
		t := &s.tools[i]
		about, in, name := searchform.NamespaceOf(t)
		if in != "" && m.about[in] == nil {
			// each tool of a namespace has all members of the namespace
			m.about[in], m.namespaces = about, append(m.namespaces, in)
		}
		if !s.isDeferred(i) {
			continue
		}
		for _, key := range searchform.KeysOf(t.Name, in, name) {
			m.at[key] = append(m.at[key], t.Name)
		}
	}
	return m
}

// Limits of a catalogue: number of entries, and bytes of one description.
const (
	maxEntries = 500
	maxEntry   = 200
)

// catalogue returns a list for the description of the search function. It has the namespaces with deferred tools and
// the deferred tools without namespace, each with the first line of its description.
func (s *Search) catalogue() string {
	var b strings.Builder
	n := 0
	add := func(name, description string) {
		if n++; n > maxEntries {
			return
		}
		b.WriteString("\n- " + name)
		if line, _, _ := strings.Cut(description, "\n"); line != "" {
			b.WriteString(": " + jsonx.Clip(line, maxEntry))
		}
	}
	m := s.members()
	for _, name := range m.namespaces {
		if len(m.at[name]) > 0 {
			add(name, searchform.DescriptionOf(m.about[name]))
		}
	}
	for i := range s.tools {
		t := &s.tools[i]
		if _, in, _ := searchform.NamespaceOf(t); in == "" && definition.IsDeferred(t) {
			add(t.Name, t.Description)
		}
	}
	return b.String()
}

// show returns the items of a search in the Responses API, as JSON.
func (s *Search) show(call *callwright.Call, found []string, _ string) [][]byte {
	tools := make([]*callwright.Tool, len(found))
	for i, name := range found {
		tools[i] = &s.tools[s.deferred[name]]
	}
	return searchform.Items(call, tools, s.members().about)
}

// toolsOf returns the names of the tools with the given keys, see members.
func (s *Search) toolsOf(keys []string) (names []string) {
	for _, key := range keys {
		names = append(names, s.members().at[key]...)
	}
	return names
}
