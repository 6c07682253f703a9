package reliable_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// No request is sent twice, whatever answers come: the model would most likely say the same again.
func TestNoRequestComesTwice(t *testing.T) {
	answers := map[string]any{
		"empty": text(""), "blank": text("\n"), "thought": onlyThought, "cut": cutCall,
		"bad":        native("get_weather", `{"town":1}`, callwright.FinishCalls),
		"undeclared": native("fly", `{}`, callwright.FinishCalls),
		"malformed":  []callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishMalformedCall}},
		"more work":  text(`{"toolCalls":[],"content":"","needsMoreWork":true}`),
		"scratch":    text(`{"scratchpad":"let me think"}`),
		"words":      text("I shall look."),
	}
	modes := []caps.Mode{caps.Native, caps.JSONSchema, caps.JSONObject, caps.Text}
	choices := []callwright.Choice{{}, {Mode: callwright.ChoiceNone}, {Mode: callwright.ChoiceRequired}, forcedOne}
	rapid.Check(t, func(t *rapid.T) {
		m := &scripted{name: "lab/m"}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(slices.Sorted(maps.Keys(answers))), 24, 24).Draw(t, "answers") {
			m.answers = append(m.answers, answers[name])
		}
		req := ask(rapid.SampledFrom(choices).Draw(t, "choice"))
		opts := []reliable.Option{
			reliable.WithModes(rapid.SliceOfNDistinct(rapid.SampledFrom(modes), 0, 4, rapid.ID[caps.Mode]).Draw(t, "modes")...),
			reliable.WithMaxCorrections(rapid.IntRange(0, 5).Draw(t, "corrections")),
		}
		deliver := deliveries[rapid.SampledFrom(slices.Sorted(maps.Keys(deliveries))).Draw(t, "way")]
		_, _ = deliver(reliable.New(m, opts...), req)
		for i, a := range m.asked {
			for k, b := range m.asked[:i] {
				if cmp.Equal(a.Messages, b.Messages) && cmp.Equal(a.Tools, b.Tools) && cmp.Equal(a.Params, b.Params) {
					t.Fatalf("request %d is request %d again", i+1, k+1)
				}
			}
		}
	})
}
