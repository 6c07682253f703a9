package toolsearch

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// members are the deferred tools by the names that a client of the Responses API has for them.
type members struct {
	at         map[string][]string // by their names, by those of their namespaces, and by both with a dot between
	namespaces []string            // their names, in order
	about      map[string][]byte   // what a namespace has beside its tools, by its name
}

// namespaceOf is the namespace of a tool, its name and the tool's own name in it; nil, "" and the tool's name without one.
func namespaceOf(t *callwright.Tool) (about []byte, namespace, name string) {
	if about = at(t.Extra.JSON, "namespace"); about == nil {
		return nil, "", t.Name
	}
	return about, textAt(about, "name"), textAt(t.Extra.JSON, "name")
}

func (s *Search) membersOf() members {
	m := members{at: map[string][]string{}, about: map[string][]byte{}}
	for i := range s.tools {
		t := &s.tools[i]
		about, in, name := namespaceOf(t)
		if in != "" && m.about[in] == nil {
			m.about[in], m.namespaces = about, append(m.namespaces, in) // the first tool of a namespace has all of it
		}
		if !s.isDeferred(i) {
			continue
		}
		for _, key := range []string{t.Name, in, in + "." + name} {
			if key != "" && key != "."+name {
				m.at[key] = append(m.at[key], t.Name)
			}
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
			add(name, textAt(m.about[name], "description"))
		}
	}
	for i := range s.tools {
		t := &s.tools[i]
		if _, in, _ := namespaceOf(t); in == "" && definition.IsDeferred(t) {
			add(t.Name, t.Description)
		}
	}
	return b.String()
}

// showItems writes a search as the Responses API shows it: https://developers.openai.com/api/docs/guides/tools-tool-search.
func showItems(s *Search, call *callwright.Call, found []string, _ string) [][]byte {
	const served = `,"call_id":null,"execution":"server","status":"completed",`
	asked := append(jsonx.AppendQuote([]byte(`{"type":"tool_search_call","id":`), calledPrefix+call.ID), served+`"arguments":`...)
	asked = append(append(asked, call.Arguments...), '}')
	out := append(jsonx.AppendQuote([]byte(`{"type":"tool_search_output","id":`), "tso_"+call.ID), served+`"tools":[`...)
	open := ""
	for i, name := range found {
		t := &s.tools[s.deferred[name]]
		_, in, own := namespaceOf(t)
		if open != "" && in != open {
			out = append(out, "]}"...)
		}
		if i > 0 {
			out = append(out, ',')
		}
		if in != "" && in != open {
			list, _ := jsonx.ParseObject(s.members().about[in])
			list = append(jsonx.List{{Key: "type", Value: []byte(`"namespace"`)}}, list...)
			namespace := list.Append(nil)
			out = append(append(out, namespace[:len(namespace)-1]...), `,"tools":[`...)
		}
		open = in
		out = appendDefinition(out, t, own)
	}
	if open != "" {
		out = append(out, "]}"...)
	}
	return [][]byte{asked, append(out, "]}"...)}
}

// calledPrefix begins the ids of searches.
const calledPrefix = "tsc_"

// appendDefinition writes a tool as it was declared.
func appendDefinition(dst []byte, t *callwright.Tool, name string) []byte {
	kind := "function"
	if t.Type == callwright.CustomTool {
		kind = "custom"
	}
	list := jsonx.List{{Key: "type", Value: jsonx.AppendQuote(nil, kind)}, {Key: "name", Value: jsonx.AppendQuote(nil, name)}}
	if t.Description != "" {
		list.Set("description", jsonx.AppendQuote(nil, t.Description))
	}
	if t.Schema != nil {
		list.Set("parameters", t.Schema)
	}
	if t.Strict != nil {
		list.Set("strict", map[bool][]byte{true: []byte("true"), false: []byte("false")}[*t.Strict])
	}
	rest, _ := jsonx.ParseObject(t.Extra.JSON)
	for _, m := range rest {
		if m.Key != "namespace" && m.Key != "name" {
			list.Set(m.Key, m.Value)
		}
	}
	return list.Append(dst)
}

// foundIn are the names of the tools in a list of definitions.
func (s *Search) foundIn(list []byte) (names []string) {
	for v := range jsonx.Elements(list) {
		name := textAt(v, "name")
		if textAt(v, "type") != "namespace" {
			names = append(names, s.members().at[name]...)
			continue
		}
		for in := range jsonx.Elements(at(v, "tools")) {
			names = append(names, s.members().at[name+"."+textAt(in, "name")]...)
		}
	}
	return names
}
