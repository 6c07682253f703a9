// Package rulename lists the names of rules and of tool-call formats that a configuration may contain.
package rulename

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/repair"
)

// Dialects returns the names of the text formats in which a model can be asked to write tool calls.
func Dialects() []string {
	var names []string
	for _, f := range dialect.Formats() {
		if f.Renders() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Names returns the ids of all rules that have one, with the members of the families json.* and dialect.*.
func Names() []string {
	var names []string
	for _, r := range callwright.Rules() {
		if !strings.HasSuffix(r.ID, "*") {
			names = append(names, r.ID)
		}
	}
	for _, r := range repair.Rules() {
		names = append(names, "json."+r.Name)
	}
	for _, f := range dialect.Formats() {
		names = append(names, "dialect."+f.Name)
	}
	return names
}

// Exists reports whether id is a rule that notes may contain. It accepts members of a family such as dialect.*, even if
// Names does not list them.
func Exists(id string) bool {
	for _, r := range callwright.Rules() {
		if family, ok := strings.CutSuffix(r.ID, "*"); ok {
			if rest, in := strings.CutPrefix(id, family); in && rest != "" && rest != "*" && has(family, rest) {
				return true
			}
		} else if r.ID == id {
			return true
		}
	}
	return false
}

func has(family, name string) bool {
	switch family {
	case "json.":
		return slices.ContainsFunc(repair.Rules(), func(r repair.Rule) bool { return r.Name == name })
	case "dialect.":
		_, ok := dialect.Lookup(name)
		return ok
	}
	return true
}
