package judge

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
)

// Covers reports whether a call rule applies to the tool. Its calls are then delivered only after the check, never in
// deltas.
func (j *Judge) Covers(tool string) bool {
	return j.Rules != nil && j.Toolset.ByName[tool] != nil && !j.Toolset.Search.Has(tool) && j.Rules.Covers(tool)
}

// finding returns the decision of the call rules about a valid call.
func (j *Judge) finding(c *callwright.Call) callcheck.Finding {
	if !j.Covers(c.Name) {
		return callcheck.Finding{}
	}
	defer j.addElapsed(time.Now())
	return j.Rules.Find(c)
}

// byRules applies the call rules to a valid call. It notes their decision and returns the verdict.
func (j *Judge) byRules(v callwright.Verdict) callwright.Verdict {
	f := j.finding(&v.Call)
	if f.Rule == "" {
		return v
	}
	j.Ledger.Add(f.Note(v.Call.Name, v.Call.Raw))
	if !f.Blocks() {
		return v
	}
	return callwright.Verdict{Invalid: callwright.InvalidCall{
		Name: v.Call.Name, ID: v.Call.ID, Why: callcheck.InvalidRefused, Raw: v.Call.Raw, Type: v.Call.Type,
		Violations: []callwright.Violation{{Keyword: ruleKeyword, Message: f.Text()}},
	}}
}

// ruleKeyword is the Keyword of the violation for a call that a call rule rejected.
const ruleKeyword = "call_rule"

// IsCall reports whether a verdict is about a call, valid or rejected by a call rule, so that its text must not be
// shown.
func IsCall(v *callwright.Verdict) bool { return v.OK || v.Invalid.Why == callcheck.InvalidRefused }
