package judge_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// mendings has arguments for each rule that guesses, and for some that do not: v is what the schema says of their only parameter.
var mendings = map[string]struct{ v, args, want string }{
	"coerce.word_to_boolean":   {`{"type":"boolean"}`, `{"v":"yes"}`, `{"v":true}`},
	"coerce.array_to_value":    {`{"type":"integer"}`, `{"v":[1]}`, `{"v":1}`},
	"coerce.value_to_string":   {`{"type":"string"}`, `{"v":{"a":1.50, "b":[]}}`, `{"v":"{\"a\":1.50, \"b\":[]}"}`},
	"coerce.string_to_integer": {`{"type":"integer"}`, `{"v":"1"}`, `{"v":1}`},
	"json.js_literal":          {`{"type":["number","null"]}`, `{"v":NaN}`, `{"v":null}`},
	"json.trailing_value":      {`{"type":"integer"}`, `{"v":1}{"v":2}`, `{"v":1}`},
	"json.trailing_comma":      {`{"type":"integer"}`, `{"v":1,}`, `{"v":1}`},
	"string.control":           {`{"type":"string"}`, `{"v":"a\u0000b"}`, `{"v":"ab"}`},
}

// Each rule is switched by its id, whatever the policy says of rules of its risk.
func TestSwitches(t *testing.T) {
	for rule, m := range mendings {
		s, err := judge.NewToolset([]callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"v":` + m.v + `},"required":["v"]}`)}}, schema.NewCache(8))
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyHealHeuristic, callwright.PolicyOff} {
			for _, on := range []bool{true, false} {
				j := &judge.Judge{Toolset: s, Ledger: &judge.Ledger{Policy: policy, Rules: map[string]bool{rule: on}}}
				v := j.Verdict(&judge.Candidate{ID: "a", Name: "f", Text: m.args})
				noted := slices.ContainsFunc(v.Notes, func(n callwright.Note) bool { return n.Rule == rule })
				mended := v.OK && string(v.Call.Arguments) == m.want
				if noted != on || mended != on {
					t.Errorf("%s, %s, switched on: %t: got %s, notes %+v", rule, policy, on, v.Call.Arguments, v.Notes)
				}
			}
		}
	}
}

// The rules that guess are those of the packages that know them, and each of them has a case.
func TestGuesses(t *testing.T) {
	guesses := map[string]bool{"string.control": true}
	for _, r := range schema.RuleTable() {
		guesses["coerce."+r.Name] = r.Heuristic
	}
	for _, r := range repair.Rules() {
		guesses["json."+r.Name] = r.Risk == repair.Heuristic
	}
	for rule, isGuess := range guesses {
		l := &judge.Ledger{Policy: callwright.PolicyHeal}
		if _, tested := mendings[rule]; isGuess && !tested {
			t.Errorf("%s: expected a case", rule)
		}
		if l.May(rule) == isGuess {
			t.Errorf("%s: is a guess: %t, runs under heal: %t", rule, isGuess, l.May(rule))
		}
	}
}
