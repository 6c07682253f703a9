package eval_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/simulate"
)

// timeless are results without what goes by the clock, a line each.
func timeless(t *testing.T, list []eval.Result) []string {
	t.Helper()
	var out []string
	for _, r := range list {
		r.Started, r.Duration, r.Latency = time.Time{}, 0, nil
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

// Two runs of a plan with one seed come to the same, however many cells are played at a time.
func TestSameSeedSameResults(t *testing.T) {
	list := eval.BuiltIn()
	if !longtest.IsEnabled() {
		list = list[:5]
	}
	for i, family := range simulate.Families() {
		p := eval.Plan{Models: models(wires[(2*i+4)%len(wires)]), Scenarios: list, Seed: 11}
		first := timeless(t, run(t, p, family.Mix))
		second := timeless(t, run(t, p, family.Mix, func(r *eval.Runner) { r.Jobs, r.Total = 7, 0 }))
		for i := range first {
			if first[i] != second[i] {
				t.Errorf("%s:\n%s\n%s", family.Name, first[i], second[i])
			}
		}
	}
}
