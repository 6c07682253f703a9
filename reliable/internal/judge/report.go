package judge

import (
	"github.com/callwright/callwright"
)

// Confidence returns 1 for a response without changes other than lossless ones. Each implied or heuristic change, and
// each suspicious argument, lowers the value.
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

// StrictError returns an error of KindChangeNeeded if notes contain a change other than by an encoder, otherwise nil.
// Encoders translate between APIs without a change of meaning.
func StrictError(notes []callwright.Note) error {
	for _, n := range notes {
		if n.Risk != "" && n.Stage != callwright.StageEncode {
			return callwright.Errorf("policy", callwright.KindChangeNeeded, "", "policy strict: %s would have changed the answer", n.Rule)
		}
	}
	return nil
}

const (
	maxInvalid    = 64 // maximum number of invalid calls in a report
	maxViolations = 20 // maximum number of violations of a call in a report
)

// AddInvalid adds invalid calls to a report, up to the limits.
func AddInvalid(rep *callwright.Report, calls []callwright.InvalidCall) {
	for _, c := range calls {
		if len(rep.Invalid) == maxInvalid {
			return
		}
		c.Violations = c.Violations[:min(len(c.Violations), maxViolations)]
		rep.Invalid = append(rep.Invalid, c)
	}
}
