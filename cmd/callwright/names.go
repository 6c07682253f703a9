package main

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"github.com/callwright/callwright/cmd/callwright/internal/saved"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// unknownName returns the error for an unknown name on the command line. It suggests the most similar name. If none is
// similar, the message ends with otherwise.
func unknownName(what, name string, names []string, otherwise string) error {
	if near := config.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s %q: did you mean %s?", what, name, near)
	}
	return fmt.Errorf("unknown %s %q: %s", what, name, otherwise)
}

func dialectNames() []string {
	var names []string
	for _, f := range dialect.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func wireNames() []string {
	var names []string
	for _, c := range codecs.All() {
		names = append(names, string(c.Name()))
	}
	return names
}

// conversationNames returns the format names of saved conversations: the wires and the flat format.
func conversationNames() []string { return append(wireNames(), saved.FlatName) }

func policyNames() []string {
	var names []string
	for _, p := range []callwright.Policy{
		callwright.PolicyHeal, callwright.PolicyHealHeuristic, callwright.PolicyObserve, callwright.PolicyStrict, callwright.PolicyOff,
	} {
		names = append(names, string(p))
	}
	return names
}

func targetNames() []string {
	var names []string
	for _, t := range adapter.Targets() {
		names = append(names, string(t))
	}
	return names
}

func caseNames(cases []demo.Case) []string {
	var names []string
	for i := range cases {
		names = append(names, cases[i].Name)
	}
	return names
}
