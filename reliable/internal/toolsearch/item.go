package toolsearch

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/internal/wire/searchform"
)

// members are the deferred tools by the names that a client of the Responses API has for them.
type members struct {
	at         map[string][]string // by their names, by those of their namespaces, and by both with a dot between
	namespaces []string            // their names, in order
	about      map[string][]byte   // what a namespace has beside its tools, by its name
}

func (s *Search) membersOf() members {
	m := members{at: map[string][]string{}, about: map[string][]byte{}}
	for i := range s.tools {
		t := &s.tools[i]
		about, in, name := searchform.NamespaceOf(t)
		if in != "" && m.about[in] == nil {
			m.about[in], m.namespaces = about, append(m.namespaces, in) // the first tool of a namespace has all of it
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

// The bounds of a catalogue: how many entries it has, and how many bytes of their descriptions.
const (
	maxEntries = 500
	maxEntry   = 200
)

// catalogue lists the namespaces of deferred tools, and those in none, with their descriptions.
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

// show writes a search as the Responses API shows it.
func (s *Search) show(call *callwright.Call, found []string, _ string) [][]byte {
	tools := make([]*callwright.Tool, len(found))
	for i, name := range found {
		tools[i] = &s.tools[s.deferred[name]]
	}
	return searchform.Items(call, tools, s.members().about)
}

// toolsOf are the names of the tools that have keys.
func (s *Search) toolsOf(keys []string) (names []string) {
	for _, key := range keys {
		names = append(names, s.members().at[key]...)
	}
	return names
}
