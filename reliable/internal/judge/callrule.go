package judge

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
)

// Covers reports whether a call rule names a tool: its calls are handed on when they are checked, never in pieces.
func (j *Judge) Covers(tool string) bool {
	return j.Rules != nil && j.Toolset.ByName[tool] != nil && !j.Toolset.Search.Has(tool) && j.Rules.Covers(tool)
}

// finding is the call rules' decision about a valid call.
func (j *Judge) finding(c *callwright.Call) callcheck.Finding {
	if !j.Covers(c.Name) {
		return callcheck.Finding{}
	}
	defer j.addElapsed(time.Now())
	return j.Rules.Find(c)
}

// byRules is the verdict on a valid call by the call rules, with a note where they say anything.
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

// ruleKeyword is the keyword of the violation of a call that a call rule refuses.
const ruleKeyword = "call_rule"

// IsCall reports whether a verdict is about a call, valid or refused by a call rule: its text must not reach a client.
func IsCall(v *callwright.Verdict) bool { return v.OK || v.Invalid.Why == callcheck.InvalidRefused }
