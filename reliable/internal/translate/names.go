package translate

import (
	"maps"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// rename replaces the names of tools that the receiver rejects. withheld are names of tools that are not sent but may
// occur in the history. It returns false if no name changes.
func (m *maker) rename(list []callwright.Tool, withheld []string) bool {
	naming := namingOf(list, withheld, m.names.Takes, m.names)
	if naming == nil {
		return false
	}
	m.out.Naming = naming
	m.out.Notes = append(m.out.Notes, RenameTools(list, naming)...)
	return true
}

// namingOf returns replacements for the names for which the function takes returns false. The replacements follow rule.
// It returns nil if there is no such name.
func namingOf(list []callwright.Tool, withheld []string, takes func(string) bool, rule adapter.NameRule) *judge.Naming {
	all := make([]string, 0, len(list)+len(withheld))
	for i := range list {
		if list[i].Type != callwright.HostedTool {
			all = append(all, list[i].Name)
		}
	}
	all = append(all, withheld...)
	if !slices.ContainsFunc(all, func(name string) bool { return !takes(name) }) {
		return nil
	}
	names, declared := adapter.NewNamesWhere(takes, rule, all), map[string]string{}
	for _, name := range all {
		if sent := names.SentName(name); sent != name {
			declared[sent] = name
		}
	}
	return judge.NewNaming(declared)
}

// RenameTools changes the tools in list to their sent names and returns a note for each change.
func RenameTools(list []callwright.Tool, naming *judge.Naming) (notes []callwright.Note) {
	for i := range list {
		t := &list[i]
		sent := naming.SentName(t.Name)
		if t.Type == callwright.HostedTool || sent == t.Name {
			continue
		}
		notes = append(notes, callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: t.Name, Now: sent}.Classify())
		t.Name = sent
	}
	return notes
}

// textNames is a rule for tool names that every text format can represent.
var textNames = adapter.NameRule{Max: 64, Letter: true}

// carried is the cache key of InText.
type carried struct {
	format string
	marks  *dialect.Marks
}

// InText returns replacements for tool names that cannot be parsed back from calls in a text format. It returns nil if
// no name needs a replacement.
func InText(s *judge.Toolset, f dialect.Format, marks *dialect.Marks) *judge.Naming {
	return s.LoadOrMake(carried{f.Name, marks}, func() any {
		takes := func(name string) bool { return f.Carries(name, marks) }
		return namingOf(s.Tools, slices.Sorted(maps.Keys(s.Withheld)), takes, textNames)
	}).(*judge.Naming)
}
