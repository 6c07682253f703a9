package translate

import (
	"maps"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// rename gives tools the names that the receiver takes, withheld ones too: the history may have calls of them. It
// reports whether any differs.
func (m *maker) rename(list []callwright.Tool, withheld []string) bool {
	naming := namingOf(list, withheld, m.names.Takes, m.names)
	if naming == nil {
		return false
	}
	m.out.Naming = naming
	m.out.Notes = append(m.out.Notes, RenameTools(list, naming)...)
	return true
}

// namingOf gives names of a rule to tools and to withheld ones of whose names the receiver does not take some, nil
// where it takes all.
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

// RenameTools puts the names as sent into tools, and returns the notes on it.
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

// textNames are names that every format of calls carries.
var textNames = adapter.NameRule{Max: 64, Letter: true}

// carried is the cache key of InText.
type carried struct {
	format string
	marks  *dialect.Marks
}

// InText returns names for the tools whose calls could not be read back from a text in a format, nil where all tools
// keep their own.
func InText(s *judge.Toolset, f dialect.Format, marks *dialect.Marks) *judge.Naming {
	return s.LoadOrMake(carried{f.Name, marks}, func() any {
		takes := func(name string) bool { return f.Carries(name, marks) }
		return namingOf(s.Tools, slices.Sorted(maps.Keys(s.Withheld)), takes, textNames)
	}).(*judge.Naming)
}
