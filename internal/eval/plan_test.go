package eval_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// Cells are all combinations, each once, with ids and seeds of their own that do not depend on the rest of the plan.
func TestCells(t *testing.T) {
	p := eval.Plan{Models: []callwright.ModelID{"a|b", "a%7Cb", "a|b"}, Modes: []string{"auto", "text"}, Policies: []string{"off", "heal"}, Profiles: []string{"x", "y", "z"},
		Scenarios: []eval.Scenario{{ID: "one"}, {ID: "two"}}, Trials: 3, Seed: 5}
	cells := p.Cells()
	if len(cells) != 2*2*2*3*2*3 || !slices.Equal(cells, p.Cells()) {
		t.Fatalf("%d cells", len(cells))
	}
	ids, seeds := map[eval.CellID]bool{}, map[uint64]bool{}
	for _, c := range cells {
		ids[c.ID], seeds[c.Seed] = true, true
	}
	if len(ids) != len(cells) || len(seeds) != len(cells) {
		t.Errorf("%d ids and %d seeds of %d cells", len(ids), len(seeds), len(cells))
	}
	part := eval.Plan{Models: p.Models[1:2], Modes: p.Modes[1:], Policies: p.Policies, Profiles: p.Profiles[2:], Scenarios: p.Scenarios[1:], Trials: 1, Seed: 5}
	for _, c := range part.Cells() {
		if !slices.Contains(cells, c) {
			t.Errorf("%+v is another cell in the whole plan", c)
		}
	}
	part.Seed++
	if slices.Contains(cells, part.Cells()[0]) {
		t.Error("the seed of the plan makes no difference")
	}
	defaults := eval.Plan{Scenarios: p.Scenarios[:1]}
	if c := defaults.Cells(); len(c) != 1 || c[0].ID != "|auto|heal|default|one|1" {
		t.Errorf("got %+v", c)
	}
}

// A header tells plans apart that differ in anything that is measured.
func TestHeader(t *testing.T) {
	p := eval.Plan{Models: []callwright.ModelID{"a"}, Scenarios: []eval.Scenario{{ID: "one", Prompt: "x"}}, Trials: 2}
	h := p.Header("v1", false)
	if h != p.Header("v1", false) || h.Cells != 2 || h.Version != eval.Version || h.Build != "v1" || h.Live {
		t.Errorf("got %+v", h)
	}
	for _, change := range []func(*eval.Plan){
		func(p *eval.Plan) { p.Models = []callwright.ModelID{"b"} }, func(p *eval.Plan) { p.Trials = 3 }, func(p *eval.Plan) { p.Seed = 1 },
		func(p *eval.Plan) { p.Scenarios = []eval.Scenario{{ID: "one", Prompt: "y"}} }, func(p *eval.Plan) { p.Policies = []string{"off"} },
	} {
		other := p
		change(&other)
		if other.Header("v1", false) == h {
			t.Errorf("%+v has the same header", other)
		}
	}
}
