package side

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
)

// everyName lists all findings that there may be.
func everyName() (out []string) {
	for i := range finding.Checks {
		out = append(out, finding.Checks[i].Name)
	}
	for _, k := range errorkind.All() {
		out = append(out, errorName(k))
	}
	for _, r := range callwright.Rules() {
		if r.Fault != "" || outcome.Rejects(r.ID) {
			out = append(out, strings.ReplaceAll(r.ID, ".*", ".any"))
		}
	}
	return out
}

// Every check, kind of error and rule with a failure class has a row, and each row is about one of them.
func TestEveryFindingHasARow(t *testing.T) {
	all := everyName()
	for _, name := range all {
		if name != "transport.retry" && name != "transport.next_target" && !slices.ContainsFunc(rows, func(r row) bool { return r.covers(name) && r.when == nil }) {
			t.Errorf("no row without a condition is about %q", name)
		}
	}
	for _, r := range rows {
		for _, of := range strings.Fields(r.of) {
			one := row{of: of}
			if family, any := strings.CutSuffix(of, "*"); !slices.ContainsFunc(all, one.covers) && !(any && slices.ContainsFunc(callwright.Rules(), func(r callwright.Rule) bool { return strings.HasPrefix(r.ID, family) })) &&
				callwright.RuleOf(of).ID == "" {
				t.Errorf("%q: there is no such finding", of)
			}
		}
		if r.why == "" || r.weight != adapted && (r.side == "") == (len(r.or) == 0) {
			t.Errorf("%q: expected a reason, and a side or those that are possible", r.of)
		}
	}
}

// A case in the table of verdicts.
type verdictCase struct {
	name  string
	found finding.Finding
	known Facts
	want  Side
	or    []Side
}

// The weights decide: a broken guarantee before an error, an error before an answer, an answer before the request.
func TestVerdict(t *testing.T) {
	for _, c := range []verdictCase{
		{"nothing", finding.Finding{Outcome: outcome.Passed}, Facts{}, "", nil},
		{"another form", finding.Finding{Rules: []string{"tools.schema_gemini"}}, Facts{}, "", nil},
		{"one side", finding.Finding{Rules: []string{"json.quotes", "coerce.string_to_integer"}}, Facts{}, Model, nil},
		{"two sides", finding.Finding{Rules: []string{"id.duplicate", "json.quotes"}}, Facts{}, "", []Side{Engine, Model}},
		{"answer before request", finding.Finding{Rules: []string{"history.orphan_call", "json.quotes"}}, Facts{}, Model, nil},
		{"error before answer", finding.Finding{Kind: callwright.KindRateLimited, Rules: []string{"json.quotes"}}, Facts{Asked: true}, Provider, nil},
		{"error for reasons in answers", finding.Finding{Kind: callwright.KindInvalidCall, Rules: []string{"judge.invalid"}}, Facts{Asked: true}, Model, nil},
		{"guarantee before all", finding.Finding{Kind: callwright.KindRateLimited, Broken: []string{"gateway.invalid_call"}, Rules: []string{"json.quotes"}}, Facts{}, Gateway, nil},
		{"own format", finding.Finding{Rules: []string{"dialect.qwen3_coder"}}, Facts{Formats: []string{"qwen3-coder"}}, Engine, nil},
		{"another format", finding.Finding{Rules: []string{"dialect.qwen3_coder"}}, Facts{Formats: []string{"hermes"}}, Model, nil},
		{"no format known", finding.Finding{Rules: []string{"dialect.qwen3_coder"}}, Facts{}, "", []Side{Model, Engine}},
		{"refused before", finding.Finding{Kind: callwright.KindInvalid}, Facts{}, Client, nil},
		{"refused as it came", finding.Finding{Kind: callwright.KindInvalid}, Facts{Asked: true, AsCame: true}, Client, nil},
		{"refused in another form", finding.Finding{Kind: callwright.KindInvalid}, Facts{Asked: true}, "", []Side{Gateway, Client, Provider}},
		{"a rule that is not known", finding.Finding{Rules: []string{"new.rule"}}, Facts{}, "", nil},
		{"beside one that is", finding.Finding{Rules: []string{"json.quotes", "new.rule"}}, Facts{}, "", []Side{Model}},
		{"cut at the limit", finding.Finding{Rules: []string{"judge.truncated"}}, Facts{Finish: callwright.FinishLength}, "", []Side{Client, Model}},
		{"recovered of a failure", finding.Finding{Rules: []string{"dialect.hermes", "recovered.text"}}, Facts{Status: 500}, Engine, nil},
		{"recovered of a refusal", finding.Finding{Rules: []string{"dialect.hermes", "recovered.text"}}, Facts{Status: 400}, Provider, nil},
	} {
		v := Of(&c.found, &c.known)
		if v.Side != c.want || !slices.Equal(v.Candidates, c.or) {
			t.Errorf("%s: got %q or %v, expected %q or %v", c.name, v.Side, v.Candidates, c.want, c.or)
		}
		if c.name == "a rule that is not known" && (!v.IsBroken() || len(v.Unknown) != 1) || c.name == "another form" && v.IsBroken() {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}
