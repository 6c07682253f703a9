package harmony_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/harmony"
)

// A tool is found in every place of a header, and in none that holds other words.
func TestCalleeOf(t *testing.T) {
	declared := func(name string) bool { return name == "ping" || name == "read" }
	for header, want := range map[string]harmony.Callee{
		"functions.read<|channel|>commentary to=assistant json":                       {Tool: "read", IsTyped: true},
		"<|start|>functions.read to=assistant<|channel|>commentary":                   {Tool: "read", IsRole: true},
		"<|start|>assistant<|channel|>read<|channel|>commentary <|constrain|>json":    {Tool: "read", IsTyped: true},
		"<|start|>assistant to=functions.read<|channel|>commentary to=assistant":      {Tool: "read"},
		"<|start|>assistant to=functions.read<|channel|>commentary to=functions.read": {Tool: "read"},
		"<|start|>assistant to=functions.read<|channel|>commentary to=ping":           {Tool: "read", IsTorn: true},
		"<|channel|>commentary I call read":                                           {},
		"<read":                                                                       {},
		"read<constrain":                                                              {},
		"read to=final":                                                               {},
		"read functions.all":                                                          {},
		"<b>read":                                                                     {},
		">to=read":                                                                    {},
		"<|channel|>commentary to=nobody":                                             {},
		"<|channel|>commentary":                                                       {},
		"":                                                                            {},
	} {
		if got := harmony.CalleeOf(header, declared); got != want {
			t.Errorf("%s: %+v, want %+v", header, got, want)
		}
	}
}
