package simulate_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// TestFamiliesAreModels: a model called as a family with -like behind it misbehaves as often as the family does, the same in every server, and one that is called
// so without the family does not.
func TestFamiliesAreModels(t *testing.T) {
	const requests = 300
	answers := func(model string) []string {
		base, _ := start(t, simulate.Weather(), simulate.OnlyKnown())
		var out []string
		for i := range requests {
			c := conversation{model: model, messages: ask(fmt.Sprintf("What is the weather in Oslo? %d", i)), tools: true}
			out = append(out, withoutIDs(send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))))
		}
		return out
	}
	good := answers("sim/native")
	for _, f := range simulate.Families() {
		model := "sim/" + f.Name + "-like"
		first, again, share, odd := answers(model), answers(model), 0.0, 0
		for _, s := range slices.Concat(f.Mix.Forms, f.Mix.Faults, f.Mix.Habits) {
			share += s.P
		}
		for i := range first {
			if first[i] != again[i] {
				t.Fatalf("%s: %s, then %s", model, first[i], again[i])
			}
			if first[i] != good[i] {
				odd++
			}
		}
		if most := share*requests*2 + 10; float64(odd) > most || share > 0.3 && odd == 0 {
			t.Errorf("%s: %d of %d answers are odd, the shares add up to %.2f", model, odd, requests, share)
		}
	}
}

// ofRequest are the parts of an answer that every request has of its own.
var ofRequest = regexp.MustCompile(`(call_|chatcmpl-|sim)\w+`)

func withoutIDs(got *reply) string { return ofRequest.ReplaceAllString(got.String(), "ID") }
