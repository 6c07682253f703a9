package report

import (
	"cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// A Key selects the trials that equal its non-empty fields. Policy is the policy of the gateway (off, standard, ...),
// Profile the set of simulated faults.
type Key struct {
	Model    callwright.ModelID `json:"model,omitempty"`
	Mode     string             `json:"mode,omitempty"`
	Policy   string             `json:"policy,omitempty"`
	Profile  string             `json:"profile,omitempty"`
	Scenario string             `json:"scenario,omitempty"`
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Policy, b.Policy),
		cmp.Compare(a.Profile, b.Profile),
		cmp.Compare(a.Scenario, b.Scenario))
}

// A view groups trials into rows by a key.
type view struct {
	by   string // fields that are set in the keys
	key  func(*eval.Cell) Key
	rows func(*Summary) *[]Row
}

// views are in display order.
var views = []view{
	{"model", func(c *eval.Cell) Key { return Key{Model: c.Model} }, func(s *Summary) *[]Row { return &s.Models }},
	{"scenario", func(c *eval.Cell) Key { return Key{Scenario: c.Scenario} }, func(s *Summary) *[]Row { return &s.Scenarios }},
	{"mode", func(c *eval.Cell) Key { return Key{Mode: c.Mode} }, func(s *Summary) *[]Row { return &s.Modes }},
	{"policy", func(c *eval.Cell) Key { return Key{Policy: c.Policy} }, func(s *Summary) *[]Row { return &s.Policies }},
	{"profile", func(c *eval.Cell) Key { return Key{Profile: c.Profile} }, func(s *Summary) *[]Row { return &s.Profiles }},
	{"model, profile", func(c *eval.Cell) Key { return Key{Model: c.Model, Profile: c.Profile} },
		func(s *Summary) *[]Row { return &s.Settings }},
	{"model, scenario", func(c *eval.Cell) Key { return Key{Model: c.Model, Scenario: c.Scenario} },
		func(s *Summary) *[]Row { return &s.Cells }},
}
