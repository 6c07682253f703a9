package eval

import (
	_ "embed" // the scenarios that come with the package
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/spelling"
)

//go:embed scenarios.json
var builtInText []byte

var builtIn = sync.OnceValue(func() []Scenario {
	list, err := ParseScenarios(builtInText)
	if err != nil {
		panic("eval: " + err.Error()) // an embedded file, tested to be valid
	}
	return list
})

// BuiltIn returns the built-in scenarios. The caller may modify the slice, but not the scenarios.
func BuiltIn() []Scenario { return slices.Clone(builtIn()) }

// A preset is a named selection of the built-in scenarios.
type preset struct {
	name string
	has  func(s *Scenario) bool
}

// smoke are the ids of the most informative short scenarios.
var smoke = []string{"happy_path", "missing_workspace_id", "type_error_recovery", "long_arguments_guard", "chat_only"}

var presets = []preset{
	{"smoke", func(s *Scenario) bool { return slices.Contains(smoke, s.ID) }},
	{"full", func(*Scenario) bool { return true }},
	{"tool", func(s *Scenario) bool { return slices.Contains(s.Tags, "tool") }},
	{"chat", func(s *Scenario) bool { return slices.Contains(s.Tags, "chat") }},
}

// Presets returns the names of the presets: smoke (the default), full, tool and chat.
func Presets() []string {
	var out []string
	for _, p := range presets {
		out = append(out, p.name)
	}
	return out
}

// SelectScenarios returns the selected scenarios without duplicates: the built-in ones in their order, then own. A name
// is the id of a scenario, a preset, "default" for the preset smoke, or "all" for the built-in scenarios and own.
// Without names it returns own, or the preset smoke if own is empty. An unknown name is an error that suggests a
// similar one. A scenario of own replaces a built-in one with the same id.
func SelectScenarios(names []string, own []Scenario) ([]Scenario, error) {
	all := BuiltIn()
	for _, s := range own {
		if i := slices.IndexFunc(all, func(o Scenario) bool { return o.ID == s.ID }); i >= 0 {
			all[i] = s
		} else {
			all = append(all, s)
		}
	}
	isOwn := func(s *Scenario) bool { return slices.ContainsFunc(own, func(o Scenario) bool { return o.ID == s.ID }) }
	wanted := make([]bool, len(all))
	mark := func(want func(s *Scenario) bool) (found bool) {
		for i := range all {
			if want(&all[i]) {
				wanted[i], found = true, true
			}
		}
		return found
	}
	switch {
	case len(names) == 0 && len(own) > 0:
		mark(isOwn)
	case len(names) == 0:
		names = []string{"default"}
	}
	for _, name := range names {
		switch name = strings.TrimSpace(name); name {
		case "all":
			mark(func(*Scenario) bool { return true })
			continue
		case "default":
			name = "smoke"
		}
		if i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name }); i >= 0 {
			mark(func(s *Scenario) bool { return isBuiltIn(s.ID) && presets[i].has(s) })
		} else if !mark(func(s *Scenario) bool { return s.ID == name }) {
			return nil, unknownScenario(name, all)
		}
	}
	var out []Scenario
	for i := range all {
		if wanted[i] {
			out = append(out, all[i])
		}
	}
	return out, nil
}

func isBuiltIn(id string) bool {
	return slices.ContainsFunc(builtIn(), func(s Scenario) bool { return s.ID == id })
}

// unknownScenario returns the error for an unknown name.
func unknownScenario(name string, all []Scenario) error {
	known := append([]string{"default", "all"}, Presets()...)
	for i := range all {
		known = append(known, all[i].ID)
	}
	hint := "there are " + strings.Join(known, ", ")
	if near := spelling.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return callwright.Errorf("eval.scenarios", callwright.KindNotFound, "", "no scenario %q: %s", callwright.Excerpt(name), hint)
}
