package failing_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/failing"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func trial(model, policy, scenario string, outcome eval.Outcome, class, reason, trace string) eval.Result {
	return eval.Result{Cell: eval.Cell{Model: callwright.ModelID(model), Policy: policy, Scenario: scenario}, Outcome: outcome, Class: class, Reason: reason, Trace: trace}
}

// Scenarios stand in the order of their share of failures, each with its settings that differ, its most frequent reasons and a trace of each.
func TestOf(t *testing.T) {
	l := failing.Of([]eval.Result{
		trial("a", "heal", "one", eval.OK, "", "", ""), trial("a", "heal", "one", eval.Failed, "missing_call", "no call", "t1"),
		trial("a", "off", "one", eval.Failed, "missing_call", "no call", ""), trial("a", "off", "one", eval.Failed, "missing_call", "no call", "t2"), trial("a", "off", "one", eval.Failed, "", "a limit", "t3"),
		trial("a", "off", "two", eval.OK, "", "", ""), trial("b", "off", "two", eval.Broken, "", "no network", ""),
	}, func(name string) string { return "at/" + name })
	want := &failing.List{Heads: []string{"policy"}, Rows: []failing.Row{
		{ID: "failing-1", Model: "a", Scenario: "one", Settings: []string{"off, without healing"}, Failed: 3, N: 3, Reasons: []failing.Reason{{"missing call: no call", 2, "at/"}, {"a limit", 1, "at/t3"}}},
		{ID: "failing-2", Model: "a", Scenario: "one", Settings: []string{"heal"}, Failed: 1, N: 2, Reasons: []failing.Reason{{"missing call: no call", 1, "at/t1"}}},
	}}
	if d := cmp.Diff(want, l, cmpopts.IgnoreUnexported(failing.List{})); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if l.IDOf("a", "one") != "failing-1" || l.IDOf("a", "two") != "" {
		t.Error("a scenario leads to another row")
	}
}

// A long list is cut, and what is left out is counted.
func TestOfMany(t *testing.T) {
	var results []eval.Result
	for i := range 250 {
		for k := range 5 {
			results = append(results, trial("m", "heal", fmt.Sprintf("scenario %03d", i), eval.Failed, "", fmt.Sprint(k), ""))
		}
	}
	if l := failing.Of(results, func(string) string { return "" }); len(l.Rows) != 200 || l.More != 50 || len(l.Rows[0].Reasons) != 3 || l.Rows[0].More != 2 {
		t.Errorf("%d rows, %d more, %d reasons", len(l.Rows), l.More, len(l.Rows[0].Reasons))
	}
}
