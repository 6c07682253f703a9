package judge

import (
	"github.com/callwright/callwright"
)

// Confidence is 1 for an answer in the form that was asked for and falls with every change that is more than lossless,
// and with arguments that may hold the rest of their call.
func Confidence(rep *callwright.Report) float64 {
	c := 1.0
	for _, n := range rep.Notes {
		if n.Rule == RuleSuspect {
			c *= 0.8
		}
		switch n.Risk {
		case callwright.RiskImplied:
			c *= 0.97
		case callwright.RiskHeuristic:
			c *= 0.8
		}
	}
	return max(c, 0.1)
}

// StrictError is the error of an answer that needed changes under the policy strict, nil where it needed none. Another
// API of the provider is no change: its encoder writes the same meaning.
func StrictError(notes []callwright.Note) error {
	for _, n := range notes {
		if n.Risk != "" && n.Stage != callwright.StageEncode {
			return callwright.Errorf("policy", callwright.KindChangeNeeded, "", "policy strict: %s would have changed the answer", n.Rule)
		}
	}
	return nil
}

const (
	maxInvalid    = 64 // calls that may not be run, in one report
	maxViolations = 20 // the violations of one of these calls
)

// AddInvalid adds calls that may not be run to a report.
func AddInvalid(rep *callwright.Report, calls []callwright.InvalidCall) {
	for _, c := range calls {
		if len(rep.Invalid) == maxInvalid {
			return
		}
		c.Violations = c.Violations[:min(len(c.Violations), maxViolations)]
		rep.Invalid = append(rep.Invalid, c)
	}
}
