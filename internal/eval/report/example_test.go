package report_test

import (
	"fmt"
	"os"
	"time"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
)

// trials are results of one scenario.
func trials(policy string, outcomes ...eval.Outcome) []eval.Result {
	var out []eval.Result
	for i, outcome := range outcomes {
		cell := eval.Cell{Model: "groq/llama-3.3-70b", Mode: "native", Policy: policy, Profile: "default", Scenario: "happy_path", Trial: i + 1}
		cell.ID = eval.CellID(fmt.Sprint(policy, "|", i+1))
		r := eval.Result{Cell: cell, Outcome: outcome, Duration: 2 * time.Second, Steps: 2, Requests: 2, Calls: 1}
		if outcome == eval.Failed {
			r.Class, r.Reason = "no_call", "no tool was called"
		}
		out = append(out, r)
	}
	return out
}

func ExampleSummarize() {
	results := trials("heal", eval.OK, eval.OK, eval.Failed, eval.OK)
	s := report.Summarize(eval.Header{Seed: 1, Cells: len(results)}, results, []string{"happy_path"})
	if err := s.WriteText(os.Stdout, 80); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Run         offline, seed 1, 4 cells, mode native, policy heal, profile default
	// Success     75.0% (3 of 4), 95% interval 30.1% to 95.4%
	// Tools       75.0% (3 of 4), 95% interval 30.1% to 95.4%
	// Trials      p50 2000 ms, p95 2000 ms, p99 2000 ms
	// Requests    8, p50 0.0 ms, p95 0.0 ms, p99 0.0 ms
	// Retries     0.000 per successful call: 0 requests after the first of a step, 4
	//             calls
	// Fallback    0.0% of requests to another model, 0 requests in another mode, 0
	//             corrections
	// Bad calls   InvalidJson 0, UnknownName 0, SchemaMismatch 0
	// Tokens      not reported
	// Healing     not reported, in 0 requests
	//
	// Models
	// model               ok/n   rate        95%  p95_ms  notes
	// groq/llama-3.3-70b   3/4  75.0%  30.1–95.4    2000  1 no_call
	//
	// Scenarios
	// scenario    ok/n   rate        95%  p95_ms  notes
	// happy_path   3/4  75.0%  30.1–95.4    2000  1 no_call
	//
	// Models with 100%: 0
	//
	// Models with 96% and more: 0
	//
	// Failures: 1
	// By class    1 no_call
	//      1  no_call: no tool was called
}

func ExampleCompare() {
	results := append(trials("off", eval.OK, eval.Failed, eval.Failed, eval.Failed), trials("heal", eval.OK, eval.OK, eval.OK, eval.Failed)...)
	c, err := report.Compare(eval.Header{Cells: len(results)}, results, report.PolicyAxis, "off", "heal")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d with %s, %d of %d with %s: p = %.2f\n", c.Total.A.OK, c.Total.A.N, c.A.Name, c.Total.B.OK, c.Total.B.N, c.B.Name, c.Total.P)
	// Output:
	// 1 of 4 with off, 3 of 4 with heal: p = 0.50
}
