package judge

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/repair"
)

// A ledger collects the notes of one attempt and decides by policy and switches what may be changed.
type Ledger struct {
	Policy callwright.Policy
	Rules  map[string]bool
	Notes  []callwright.Note
	// changed counts notes of changes that were made, as against findings.
	Changed int
}

// may reports whether the policy lets the rule change something.
func (l *Ledger) May(rule string) bool {
	if on, ok := l.Rules[rule]; ok {
		return on
	}
	switch l.Policy {
	case callwright.PolicyOff:
		return false
	case callwright.PolicyHealHeuristic:
		return true
	}
	return riskOf(rule) != callwright.RiskHeuristic
}

// refuses is the negative of may, as the leaves ask for it.
func (l *Ledger) Refuses(rule string) bool { return !l.May(rule) }

// add keeps a note. Its fault and risk come from the table of rules where it has none.
func (l *Ledger) Add(n callwright.Note) {
	row := callwright.RuleOf(n.Rule)
	if n.Fault == "" {
		n.Fault = row.Fault
	}
	if n.Risk == "" {
		n.Risk = riskOf(n.Rule)
	}
	n.Was, n.Now, n.Call = strings.Clone(callwright.Excerpt(n.Was)), strings.Clone(callwright.Excerpt(n.Now)), strings.Clone(callwright.Excerpt(n.Call)) // a note outlives the answer
	n.Why = Bounded(n.Why)
	if n.Risk != "" {
		l.Changed++
	}
	n.Observed = l.Policy == callwright.PolicyObserve
	l.Notes = append(l.Notes, n)
}

// moveLast puts the last note at place i.
func (l *Ledger) MoveLast(i int) {
	n := len(l.Notes) - 1
	last := l.Notes[n]
	copy(l.Notes[i+1:], l.Notes[i:n])
	l.Notes[i] = last
}

// mendingFamily is the family of the rules whose risks package repair knows.
const mendingFamily = "json.*"

func riskOf(id string) callwright.Risk {
	row := callwright.RuleOf(id)
	if row.ID == mendingFamily {
		return riskOfFix(strings.TrimPrefix(id, "json."))
	}
	return row.Risk
}

func riskOfFix(rule string) callwright.Risk {
	switch repair.RiskOf(rule) {
	case repair.Heuristic:
		return callwright.RiskHeuristic
	case repair.Implied:
		return callwright.RiskImplied
	}
	return callwright.RiskLossless
}
