package harmony_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/harmony"
)

// The parts of a header are found in every order, with and without its tokens and its constraint.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		header          string
		want            harmony.Header
		isKnown, isIdle bool
	}{
		{"<|start|>assistant<|channel|>analysis", harmony.Header{Role: "assistant", Channel: "analysis"}, true, true},
		{"<|start|>assistant<|channel|>commentary to=functions.ping <|constrain|>json", harmony.Header{Role: "assistant", Channel: "commentary", To: "ping"}, true, false},
		{"<|start|>assistant to=functions.ping<|channel|>commentary", harmony.Header{Role: "assistant", Channel: "commentary", To: "ping"}, true, false},
		{" to=functions.ping<|channel|>commentary ", harmony.Header{Channel: "commentary", To: "ping"}, true, false},
		{"<|channel|>commentary to=assistant", harmony.Header{Channel: "commentary", To: "assistant"}, true, true},
		{`<|channel|>commentary to=functions.ping{"a": 1}`, harmony.Header{Channel: "commentary", To: "ping", Rest: `{"a": 1}`}, true, false},
		{"<|channel|>final The lamp is on.", harmony.Header{Channel: "final", Rest: "The lamp is on."}, true, true},
		{"<|start|>nobody<|channel|>final", harmony.Header{Role: "nobody", Channel: "final"}, false, true},
		{"<|channel|>other", harmony.Header{Channel: "other"}, false, true},
		{"", harmony.Header{}, false, false},
	} {
		got := harmony.Parse(c.header)
		if got != c.want || got.IsKnown() != c.isKnown || harmony.IsIdle(c.header) != c.isIdle {
			t.Errorf("%s: %+v, known %t, idle %t, want %+v, %t, %t", c.header, got, got.IsKnown(), harmony.IsIdle(c.header), c.want, c.isKnown, c.isIdle)
		}
	}
}

// Nothing panics, and a channel is one of three words.
func FuzzParse(f *testing.F) {
	f.Add("<|start|>assistant<|channel|>commentary to=functions.ping <|constrain|>json")
	f.Fuzz(func(t *testing.T, header string) {
		if m := harmony.Parse(header); m.IsKnown() && m.Channel != "" && !harmony.IsChannel(m.Channel) {
			t.Errorf("%q: %+v", header, m)
		}
	})
}
