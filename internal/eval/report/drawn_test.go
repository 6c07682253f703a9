package report_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// A shape is that of a drawn run.
type shape struct {
	models, scenarios, trials int
	policies                  []string
	fail                      float64 // the share of trials that fail with the middle model
	text                      string  // of failures
}

// began is when drawn runs begin.
var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// draw makes results as a run leaves them: some fail, some are refused, some broken, some skipped.
func draw(seed uint64, s shape) []eval.Result {
	rng := rand.New(rand.NewPCG(seed, 1))
	if s.policies == nil {
		s.policies = []string{"heal"}
	}
	var out []eval.Result
	for m := range s.models {
		for c := range s.scenarios {
			for _, policy := range s.policies {
				for trial := range s.trials {
					cell := eval.Cell{
						Model: callwright.ModelID(fmt.Sprintf("maker%d/model-%d", m%7, m)), Mode: "native", Policy: policy, Profile: "default",
						Scenario: fmt.Sprintf("scenario_%02d", c), Trial: trial + 1, Seed: rng.Uint64(),
					}
					cell.ID = eval.CellID(fmt.Sprintf("%s|native|%s|default|%s|%d", cell.Model, policy, cell.Scenario, trial+1))
					out = append(out, drawResult(rng, cell, s, 2*s.fail*float64(m+1)/float64(s.models+1)))
				}
			}
		}
	}
	return out
}

func drawResult(rng *rand.Rand, cell eval.Cell, s shape, fail float64) eval.Result {
	r := eval.Result{
		Cell: cell, Outcome: eval.OK, Started: began.Add(time.Duration(rng.IntN(60_000)) * time.Millisecond),
		Duration: time.Duration(100+rng.IntN(4000)) * time.Millisecond, Steps: 2, Requests: 2, Calls: 1,
		Usage: eval.Tokens{Known: true, Input: 400 + rng.IntN(400), CacheRead: 100, Output: 20 + rng.IntN(80)}, Text: "Done.",
		Trace: fmt.Sprintf("traces/%016x.jsonl", cell.Seed),
	}
	for range r.Requests {
		r.Latency = append(r.Latency, r.Duration/2)
	}
	if rng.IntN(10) == 0 {
		r.Requests, r.Corrections, r.InvalidJSON = 3, 1, 1
		r.Latency = append(r.Latency, 40*time.Millisecond)
		r.Healing = eval.Tokens{Known: true, Input: 500, Output: 40}
		r.Faults, r.Rules = map[string]int{"F13": 1}, map[string]int{"json.trailing_comma": 1}
	}
	switch x := rng.Float64(); {
	case x < fail:
		kinds := []struct{ class, reason string }{
			{"wrong_arguments", "the call of state_get has other arguments"}, {"no_call", "no tool was called"},
			{"wrong_text", fmt.Sprintf("the final text is %d characters long", rng.IntN(1000))},
		}
		k := kinds[rng.IntN(len(kinds))]
		r.Outcome, r.Class, r.Reason, r.Text = eval.Failed, k.class, k.reason, s.text
		r.Checks = []eval.Check{{Assertion: "/assert/0/arguments", Want: `{"id":"w1"}`, Got: `{"id":"w2"}`}}
	case x > 0.99:
		r.Outcome, r.Reason, r.Kind, r.Status = eval.Refused, "the provider forbids it", callwright.KindPermission, 403
	case x > 0.985:
		r.Outcome, r.Reason, r.Kind = eval.Broken, "no connection", callwright.KindUnavailable
	case x > 0.98:
		r = eval.Result{Cell: cell, Outcome: eval.Skipped, Reason: "the profile is not for this model"}
	}
	return r
}

// header is that of a drawn run.
func header(results []eval.Result) eval.Header {
	return eval.Header{Version: 1, Build: "test", Seed: 7, Plan: "5f3c", Cells: len(results)}
}
