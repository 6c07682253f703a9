// Package card shows the known facts of a model to people.
package card

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Card holds the known facts of one model, for people.
type Card struct {
	Name      callwright.ModelID   `json:"name"`
	Model     callwright.ModelID   `json:"model,omitempty"` // the model of an alias
	Fallbacks []callwright.ModelID `json:"fallbacks,omitempty"`
	// Facts are the known capabilities as text, each with its source, such as "no (learned)".
	Facts   map[string]string `json:"facts"`
	Learned []caps.Fact       `json:"learned,omitempty"` // facts learned from traffic, found by a probe, or set as an override
	// Overridden has the value without the override for each overridden fact, in the form of Facts; "" if none is known.
	Overridden map[string]string `json:"overridden,omitempty"`
	Quirks     []Quirk           `json:"quirks,omitempty"`  // of its provider
	Problem    string            `json:"problem,omitempty"` // the reason for which the model cannot be asked
}

// A Quirk is a change by a provider to every request that needs it.
type Quirk struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

// AddOverridden adds the facts that would hold without the overrides, of which there are few.
func (c *Card) AddOverridden(known caps.Caps, said []caps.Fact) {
	isOverride := func(f caps.Fact) bool { return f.Source == caps.Override }
	if !slices.ContainsFunc(said, isOverride) {
		return
	}
	under := known.WithFacts(slices.DeleteFunc(slices.Clone(said), isOverride)).KnownFacts()
	c.Overridden = map[string]string{}
	for _, f := range said {
		if isOverride(f) {
			c.Overridden[f.Key] = under[f.Key]
		}
	}
}
