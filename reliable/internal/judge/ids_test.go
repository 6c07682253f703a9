package judge_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// What a client sends as an escaped id is one only if it comes from an id that a model can have given.
func TestUnescapedID(t *testing.T) {
	rule := caps.IDsOfWire(string(callwright.WireAnthropic))
	for escaped, want := range map[string]string{
		judge.EscapedID("functions.f:0", rule): "functions.f:0",
		judge.EscapedID("a_b é", rule):         "a_b é",
		"esc__ff":                              "", // no text
		"esc__fe":                              "",
		"esc_plain":                            "",
		"esc__2":                               "",
		"call_1":                               "",
	} {
		id, ok := judge.UnescapedID(escaped, rule)
		if ok != (want != "") || ok && id != want {
			t.Errorf("%s: got %q, %v, expected %q", escaped, id, ok, want)
		}
	}
}
