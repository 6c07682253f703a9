// Package card defines the description of a model and its known facts for display.
package card

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Card contains the known facts of one model, for display.
type Card struct {
	Name      callwright.ModelID   `json:"name"`
	Model     callwright.ModelID   `json:"model,omitempty"` // the model of an alias
	Fallbacks []callwright.ModelID `json:"fallbacks,omitempty"`
	// Facts are the known capabilities as text, each with its source, such as "no (learned)".
	Facts   map[string]string `json:"facts"`
	Learned []caps.Fact       `json:"learned,omitempty"` // facts learned from traffic, found by a probe, or set as an override
	// Overridden has the value without the override for each overridden fact, in the form of Facts; "" if none is known.
	Overridden map[string]string `json:"overridden,omitempty"`
	Quirks     []Quirk           `json:"quirks,omitempty"`  // quirks of its provider
	Problem    string            `json:"problem,omitempty"` // why the model cannot be requested
}

// A Quirk is a change that the gateway makes to requests for a provider.
type Quirk struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

// AddOverridden sets Overridden if the list said has overrides. The values are the facts that would apply without the
// overrides. known are the facts without those in said.
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
